//! The `<scene>` of a world.

use super::children::{check_children, single};
use super::report::Report;
use super::value::{check, color, flag, not_negative, number_of, text};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Fog, Scene, Sky};

/// The types of fog besides `none`.
const FOGS: [&str; 3] = ["constant", "linear", "quadratic"];

/// The `<scene>` of a world.
pub(super) fn scene(world: Element<'_>, report: &mut Report) -> Scene {
    let default = Scene::default();
    let Some(scene) = single(world, "scene", report) else { return default };
    check_children(scene, report);
    Scene {
        ambient: color(scene, "ambient", report).unwrap_or(default.ambient),
        background: color(scene, "background", report).unwrap_or(default.background),
        sky: sky(scene, report),
        shadows: flag(scene, "shadows", report).unwrap_or(default.shadows),
        grid: flag(scene, "grid", report).unwrap_or(default.grid),
        fog: fog(scene, report),
    }
}

fn sky(scene: Element<'_>, report: &mut Report) -> Option<Sky> {
    let sky = single(scene, "sky", report)?;
    check_children(sky, report);
    let default = Sky::default();
    Some(Sky {
        time: hour(sky, "time", report).unwrap_or(default.time),
        sunrise: hour(sky, "sunrise", report).unwrap_or(default.sunrise),
        sunset: hour(sky, "sunset", report).unwrap_or(default.sunset),
    })
}

fn hour(sky: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let child = sky.child(name)?;
    let hour = number_of(child, report)?;
    check(child, (0.0..=24.0).contains(&hour).then_some(hour), "a number from 0 to 24", report)
}

/// Defaults as in sdformat `sdf/1.12/scene.sdf`.
fn fog(scene: Element<'_>, report: &mut Report) -> Option<Fog> {
    let fog = single(scene, "fog", report)?;
    check_children(fog, report);
    let read = Fog {
        color: color(fog, "color", report).unwrap_or([1.0; 4]),
        kind: fog_kind(fog, report),
        start: not_negative(fog, "start", report).unwrap_or(1.0),
        end: not_negative(fog, "end", report).unwrap_or(100.0),
        density: not_negative(fog, "density", report).unwrap_or(1.0),
    };
    (!read.kind.is_empty()).then_some(read)
}

/// The type of a fog; empty if there is none, which is the default.
fn fog_kind(fog: Element<'_>, report: &mut Report) -> String {
    let Some(kind) = text(fog, "type").filter(|kind| kind != "none") else { return String::new() };
    if FOGS.contains(&kind.as_str()) {
        return kind;
    }
    // libsdformat accepts any text.
    let at = fog.child("type").unwrap_or(fog);
    let expected = "`constant`, `linear`, `quadratic` or `none`, which is used";
    report.warning(Code::ValueInvalid, at, format!("`{kind}`"), expected);
    String::new()
}

//! `<light>` of worlds, links and files.

use super::children::{check_children, single};
use super::names::name;
use super::report::Report;
use super::value::{color, direction, flag, not_negative, number, pose};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Attenuation, Light, LightKind, Spot};

/// All `<light>` children.
pub(super) fn lights(parent: Element<'_>, report: &mut Report) -> Vec<Light> {
    parent.children_named("light").map(|element| light(element, report)).collect()
}

/// A `<light>`.
pub(super) fn light(element: Element<'_>, report: &mut Report) -> Light {
    check_children(element, report);
    let default = Light::default();
    Light {
        name: name(element, report),
        kind: light_kind(element, report),
        pose: pose(element, report),
        direction: direction(element, "direction", report).unwrap_or(default.direction),
        diffuse: color(element, "diffuse", report).unwrap_or(default.diffuse),
        specular: color(element, "specular", report).unwrap_or(default.specular),
        intensity: not_negative(element, "intensity", report).unwrap_or(default.intensity),
        attenuation: attenuation(element, report),
        spot: spot(element, report),
        is_on: flag(element, "light_on", report).unwrap_or(default.is_on),
        visualize: flag(element, "visualize", report).unwrap_or(default.visualize),
        cast_shadows: flag(element, "cast_shadows", report).unwrap_or(default.cast_shadows),
        origin: element.origin(),
    }
}

fn light_kind(element: Element<'_>, report: &mut Report) -> LightKind {
    match element.attribute("type").unwrap_or("point") {
        "point" => LightKind::Point,
        "spot" => LightKind::Spot,
        "directional" => LightKind::Directional,
        other => {
            let found = format!("light type `{other}`");
            report.error(Code::ValueInvalid, element, found, "`point`, `spot` or `directional`");
            LightKind::Point
        }
    }
}

fn attenuation(light: Element<'_>, report: &mut Report) -> Attenuation {
    let default = Attenuation::default();
    let Some(element) = single(light, "attenuation", report) else { return default };
    check_children(element, report);
    Attenuation {
        range: not_below_zero(element, "range", report).unwrap_or(default.range),
        constant: not_below_zero(element, "constant", report).unwrap_or(default.constant),
        linear: not_below_zero(element, "linear", report).unwrap_or(default.linear),
        quadratic: not_below_zero(element, "quadratic", report).unwrap_or(default.quadratic),
    }
}

fn spot(light: Element<'_>, report: &mut Report) -> Spot {
    let default = Spot::default();
    let Some(element) = single(light, "spot", report) else { return default };
    check_children(element, report);
    Spot {
        inner_angle: not_below_zero(element, "inner_angle", report).unwrap_or(default.inner_angle),
        outer_angle: not_below_zero(element, "outer_angle", report).unwrap_or(default.outer_angle),
        falloff: not_below_zero(element, "falloff", report).unwrap_or(default.falloff),
    }
}

/// A number of at least zero. A negative one is read as 0 with a warning: libsdformat accepts it.
fn not_below_zero(parent: Element<'_>, name: &str, report: &mut Report) -> Option<f64> {
    let number = number(parent, name, report)?;
    if number < 0.0 {
        let child = parent.child(name).unwrap_or(parent);
        report.warning(Code::ValueInvalid, child, format!("`{number}`"), "a number not below 0; 0 is used");
    }
    Some(number.max(0.0))
}

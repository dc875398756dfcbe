//! The `<scene>` of a world.

use super::Reader;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Fog, Scene, Sky};

/// The types of fog besides `none`.
const FOGS: [&str; 3] = ["constant", "linear", "quadratic"];

impl Reader<'_> {
    /// The `<scene>` of a world.
    pub(super) fn scene(&mut self, world: Element<'_>) -> Scene {
        let default = Scene::default();
        let Some(scene) = self.single(world, "scene") else { return default };
        self.check_children(scene);
        Scene {
            ambient: self.color(scene, "ambient").unwrap_or(default.ambient),
            background: self.color(scene, "background").unwrap_or(default.background),
            sky: self.sky(scene),
            shadows: self.flag(scene, "shadows").unwrap_or(default.shadows),
            grid: self.flag(scene, "grid").unwrap_or(default.grid),
            fog: self.fog(scene),
        }
    }

    fn sky(&mut self, scene: Element<'_>) -> Option<Sky> {
        let sky = self.single(scene, "sky")?;
        self.check_children(sky);
        let default = Sky::default();
        Some(Sky {
            time: self.hour(sky, "time").unwrap_or(default.time),
            sunrise: self.hour(sky, "sunrise").unwrap_or(default.sunrise),
            sunset: self.hour(sky, "sunset").unwrap_or(default.sunset),
        })
    }

    fn hour(&mut self, sky: Element<'_>, name: &str) -> Option<f64> {
        let child = sky.child(name)?;
        let hour = self.number_of(child)?;
        self.check(child, (0.0..=24.0).contains(&hour).then_some(hour), "a number from 0 to 24")
    }

    /// Defaults as in sdformat `sdf/1.12/scene.sdf`.
    fn fog(&mut self, scene: Element<'_>) -> Option<Fog> {
        let fog = self.single(scene, "fog")?;
        self.check_children(fog);
        let read = Fog {
            color: self.color(fog, "color").unwrap_or([1.0; 4]),
            kind: self.fog_kind(fog),
            start: self.not_negative(fog, "start").unwrap_or(1.0),
            end: self.not_negative(fog, "end").unwrap_or(100.0),
            density: self.not_negative(fog, "density").unwrap_or(1.0),
        };
        (!read.kind.is_empty()).then_some(read)
    }

    /// The type of a fog; empty if there is none, which is the default.
    fn fog_kind(&mut self, fog: Element<'_>) -> String {
        let Some(kind) = self.text(fog, "type").filter(|kind| kind != "none") else { return String::new() };
        if FOGS.contains(&kind.as_str()) {
            return kind;
        }
        // libsdformat accepts any text.
        let at = fog.child("type").unwrap_or(fog);
        let expected = "`constant`, `linear`, `quadratic` or `none`, which is used";
        self.warning(Code::ValueInvalid, at, format!("`{kind}`"), expected);
        String::new()
    }
}

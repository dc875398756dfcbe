//! `<light>` of worlds, links and files.

use super::Reader;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Attenuation, Light, LightKind, Spot};

impl Reader<'_> {
    /// All `<light>` children.
    pub(super) fn lights(&mut self, parent: Element<'_>) -> Vec<Light> {
        parent.children_named("light").map(|light| self.light(light)).collect()
    }

    /// A `<light>`.
    pub(super) fn light(&mut self, element: Element<'_>) -> Light {
        self.check_children(element);
        let default = Light::default();
        Light {
            name: self.name(element),
            kind: self.light_kind(element),
            pose: self.pose(element),
            direction: self.direction(element, "direction").unwrap_or(default.direction),
            diffuse: self.color(element, "diffuse").unwrap_or(default.diffuse),
            specular: self.color(element, "specular").unwrap_or(default.specular),
            intensity: self.not_negative(element, "intensity").unwrap_or(default.intensity),
            attenuation: self.attenuation(element),
            spot: self.spot(element),
            is_on: self.flag(element, "light_on").unwrap_or(default.is_on),
            visualize: self.flag(element, "visualize").unwrap_or(default.visualize),
            cast_shadows: self.flag(element, "cast_shadows").unwrap_or(default.cast_shadows),
            origin: element.origin(),
        }
    }

    fn light_kind(&mut self, element: Element<'_>) -> LightKind {
        match element.attribute("type").unwrap_or("point") {
            "point" => LightKind::Point,
            "spot" => LightKind::Spot,
            "directional" => LightKind::Directional,
            other => {
                let found = format!("light type `{other}`");
                self.error(Code::ValueInvalid, element, found, "`point`, `spot` or `directional`");
                LightKind::Point
            }
        }
    }

    fn attenuation(&mut self, light: Element<'_>) -> Attenuation {
        let default = Attenuation::default();
        let Some(element) = self.single(light, "attenuation") else { return default };
        self.check_children(element);
        Attenuation {
            range: self.not_below_zero(element, "range").unwrap_or(default.range),
            constant: self.not_below_zero(element, "constant").unwrap_or(default.constant),
            linear: self.not_below_zero(element, "linear").unwrap_or(default.linear),
            quadratic: self.not_below_zero(element, "quadratic").unwrap_or(default.quadratic),
        }
    }

    fn spot(&mut self, light: Element<'_>) -> Spot {
        let default = Spot::default();
        let Some(element) = self.single(light, "spot") else { return default };
        self.check_children(element);
        Spot {
            inner_angle: self.not_below_zero(element, "inner_angle").unwrap_or(default.inner_angle),
            outer_angle: self.not_below_zero(element, "outer_angle").unwrap_or(default.outer_angle),
            falloff: self.not_below_zero(element, "falloff").unwrap_or(default.falloff),
        }
    }

    /// A number of at least zero. A negative one is read as 0 with a warning: libsdformat accepts it.
    fn not_below_zero(&mut self, parent: Element<'_>, name: &str) -> Option<f64> {
        let number = self.number(parent, name)?;
        if number < 0.0 {
            let child = parent.child(name).unwrap_or(parent);
            self.warning(Code::ValueInvalid, child, format!("`{number}`"), "a number not below 0; 0 is used");
        }
        Some(number.max(0.0))
    }
}

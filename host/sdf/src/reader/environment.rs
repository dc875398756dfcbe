//! Surroundings of a world: `<spherical_coordinates>`, `<atmosphere>` and `<wind>`.

use super::Reader;
use crate::Element;
use crate::diagnostic::Code;
use crate::element::{Atmosphere, Environment, SphericalCoordinates};

impl Reader<'_> {
    /// The surroundings that a `<world>` describes.
    pub(super) fn environment(&mut self, world: Element<'_>) -> Environment {
        let default = Environment::default();
        let origin = self.single(world, "spherical_coordinates");
        let atmosphere = self.single(world, "atmosphere");
        let wind = self.single(world, "wind");
        Environment {
            origin: origin.map(|element| self.spherical_coordinates(element)),
            atmosphere: atmosphere.map_or(default.atmosphere, |element| self.atmosphere(element)),
            wind: wind.and_then(|wind| self.vector3(wind, "linear_velocity")).unwrap_or(default.wind),
        }
    }

    fn spherical_coordinates(&mut self, element: Element<'_>) -> SphericalCoordinates {
        self.check_children(element);
        self.expect_word(element, "surface_model", "EARTH_WGS84");
        self.expect_word(element, "world_frame_orientation", "ENU");
        let mut degrees = |name| self.number(element, name).unwrap_or(0.0).to_radians();
        let [latitude, longitude, heading] =
            [degrees("latitude_deg"), degrees("longitude_deg"), degrees("heading_deg")];
        SphericalCoordinates {
            latitude,
            longitude,
            elevation: self.number(element, "elevation").unwrap_or(0.0),
            heading,
        }
    }

    fn atmosphere(&mut self, element: Element<'_>) -> Atmosphere {
        self.check_children(element);
        let default = Atmosphere::default();
        Atmosphere {
            temperature: self.positive(element, "temperature").unwrap_or(default.temperature),
            temperature_gradient: self
                .number(element, "temperature_gradient")
                .unwrap_or(default.temperature_gradient),
            pressure: self.positive(element, "pressure").unwrap_or(default.pressure),
        }
    }

    /// Reports a value other than the only supported one.
    fn expect_word(&mut self, parent: Element<'_>, name: &str, expected: &str) {
        let Some(child) = parent.child(name) else { return };
        if child.text() != expected {
            let found = format!("`<{name}>` is `{}`", child.text());
            self.warning(Code::ValueInvalid, child, found, format!("`{expected}`, which is used"));
        }
    }
}

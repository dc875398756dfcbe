//! Surroundings of a world: `<spherical_coordinates>`, `<atmosphere>` and `<wind>`.

use super::Reader;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Atmosphere, Ellipsoid, Environment, SphericalCoordinates};

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
        let surface = self.surface_model(element);
        self.expect_word(element, "world_frame_orientation", "ENU");
        let mut degrees = |name| self.number(element, name).unwrap_or(0.0).to_radians();
        let [latitude, longitude, heading] =
            [degrees("latitude_deg"), degrees("longitude_deg"), degrees("heading_deg")];
        SphericalCoordinates {
            latitude,
            longitude,
            elevation: self.number(element, "elevation").unwrap_or(0.0),
            heading,
            surface,
        }
    }

    /// The ellipsoid of `<surface_model>`. Those of `CUSTOM_SURFACE` are given beside it.
    fn surface_model(&mut self, parent: Element<'_>) -> Ellipsoid {
        let custom =
            ["surface_axis_equatorial", "surface_axis_polar"].map(|name| self.positive(parent, name));
        let Some(child) = parent.child("surface_model") else { return Ellipsoid::EARTH };
        match (child.text(), custom) {
            ("EARTH_WGS84", _) => Ellipsoid::EARTH,
            ("MOON_SCS", _) => Ellipsoid::MOON,
            ("CUSTOM_SURFACE", [Some(equatorial), Some(polar)]) => Ellipsoid { equatorial, polar },
            (text, _) => {
                let found = match text {
                    "CUSTOM_SURFACE" => {
                        "`CUSTOM_SURFACE` lacks `<surface_axis_equatorial>` or `<surface_axis_polar>`"
                            .to_owned()
                    }
                    text => format!("`<surface_model>` is `{text}`"),
                };
                let expected = "`EARTH_WGS84`, which is used, `MOON_SCS`, or `CUSTOM_SURFACE` with both axes";
                self.warning(Code::ValueInvalid, child, found, expected);
                Ellipsoid::EARTH
            }
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

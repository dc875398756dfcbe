//! Surroundings of a world: `<spherical_coordinates>`, `<atmosphere>` and `<wind>`.

use super::children::{check_children, single};
use super::report::Report;
use super::value::{number, positive, vector3};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Atmosphere, Ellipsoid, Environment, SphericalCoordinates};

/// The surroundings that a `<world>` describes.
pub(super) fn environment(world: Element<'_>, report: &mut Report) -> Environment {
    let default = Environment::default();
    let origin = single(world, "spherical_coordinates", report);
    let atmosphere = single(world, "atmosphere", report);
    let wind = single(world, "wind", report);
    Environment {
        origin: origin.map(|element| spherical_coordinates(element, report)),
        atmosphere: atmosphere.map_or(default.atmosphere, |element| atmosphere_of(element, report)),
        wind: wind.and_then(|wind| vector3(wind, "linear_velocity", report)).unwrap_or(default.wind),
    }
}

fn spherical_coordinates(element: Element<'_>, report: &mut Report) -> SphericalCoordinates {
    check_children(element, report);
    let surface = surface_model(element, report);
    expect_word(element, "world_frame_orientation", "ENU", report);
    let mut degrees = |name| number(element, name, report).unwrap_or(0.0).to_radians();
    let [latitude, longitude, heading] =
        [degrees("latitude_deg"), degrees("longitude_deg"), degrees("heading_deg")];
    SphericalCoordinates {
        latitude,
        longitude,
        elevation: number(element, "elevation", report).unwrap_or(0.0),
        heading,
        surface,
    }
}

/// The ellipsoid of `<surface_model>`. Those of `CUSTOM_SURFACE` are given beside it.
fn surface_model(parent: Element<'_>, report: &mut Report) -> Ellipsoid {
    let custom = ["surface_axis_equatorial", "surface_axis_polar"].map(|name| positive(parent, name, report));
    let Some(child) = parent.child("surface_model") else { return Ellipsoid::EARTH };
    match (child.text(), custom) {
        ("EARTH_WGS84", _) => Ellipsoid::EARTH,
        ("MOON_SCS", _) => Ellipsoid::MOON,
        ("CUSTOM_SURFACE", [Some(equatorial), Some(polar)]) => Ellipsoid { equatorial, polar },
        (text, _) => {
            let found = match text {
                "CUSTOM_SURFACE" => {
                    "`CUSTOM_SURFACE` lacks `<surface_axis_equatorial>` or `<surface_axis_polar>`".to_owned()
                }
                text => format!("`<surface_model>` is `{text}`"),
            };
            let expected = "`EARTH_WGS84`, which is used, `MOON_SCS`, or `CUSTOM_SURFACE` with both axes";
            report.warning(Code::ValueInvalid, child, found, expected);
            Ellipsoid::EARTH
        }
    }
}

fn atmosphere_of(element: Element<'_>, report: &mut Report) -> Atmosphere {
    check_children(element, report);
    let default = Atmosphere::default();
    Atmosphere {
        temperature: positive(element, "temperature", report).unwrap_or(default.temperature),
        temperature_gradient: number(element, "temperature_gradient", report)
            .unwrap_or(default.temperature_gradient),
        pressure: positive(element, "pressure", report).unwrap_or(default.pressure),
    }
}

/// Reports a value other than the only supported one.
fn expect_word(parent: Element<'_>, name: &str, expected: &str, report: &mut Report) {
    let Some(child) = parent.child(name) else { return };
    if child.text() != expected {
        let found = format!("`<{name}>` is `{}`", child.text());
        report.warning(Code::ValueInvalid, child, found, format!("`{expected}`, which is used"));
    }
}

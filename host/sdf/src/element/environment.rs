//! The surroundings of a world: location on Earth, atmosphere and wind. Plain values, usable from any thread.

use glam::DVec3;

/// `<surface_model>`: the ellipsoid that geodetic positions refer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Radius at the equator, metres.
    pub equatorial: f64,
    /// Distance from the centre to a pole, metres.
    pub polar: f64,
}

impl Ellipsoid {
    /// `EARTH_WGS84`: NIMA TR8350.2.
    pub const EARTH: Self = Self { equatorial: 6_378_137.0, polar: 6_356_752.314_245_179 };
    /// `MOON_SCS`: radii of NASA's Moon Fact Sheet.
    pub const MOON: Self = Self { equatorial: 1_738_100.0, polar: 1_736_000.0 };
}

/// `<spherical_coordinates>`: the location of the world's origin on the ellipsoid of a celestial body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphericalCoordinates {
    /// Geodetic latitude, radians.
    pub latitude: f64,
    /// Longitude, radians.
    pub longitude: f64,
    /// Height above the ellipsoid, metres.
    pub elevation: f64,
    /// `<heading_deg>` in radians: the turn from east to the world's x axis about up, counterclockwise.
    pub heading: f64,
    /// The ellipsoid.
    pub surface: Ellipsoid,
}

/// `<atmosphere>`: air that gets colder with height in a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atmosphere {
    /// Temperature at height 0, kelvin.
    pub temperature: f64,
    /// Change of the temperature with height, K/m.
    pub temperature_gradient: f64,
    /// Pressure at height 0, pascal.
    pub pressure: f64,
}

impl Default for Atmosphere {
    /// sdformat `sdf/1.12/atmosphere.sdf`: the standard atmosphere at sea level.
    fn default() -> Self {
        Self { temperature: 288.15, temperature_gradient: -0.0065, pressure: 101_325.0 }
    }
}

/// The surroundings of a world, vectors in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Environment {
    /// The location on Earth, if the file has one.
    pub origin: Option<SphericalCoordinates>,
    /// Its air.
    pub atmosphere: Atmosphere,
    /// Velocity of the air, m/s.
    pub wind: DVec3,
}

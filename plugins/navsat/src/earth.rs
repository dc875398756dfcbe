//! The ellipsoid of a celestial body, and the plane tangent to it at the world's origin. Pure; any thread.

use bridgehead_plugin_api::host::Origin;

/// An ellipsoid of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ellipsoid {
    /// Semi-major axis, metres.
    a: f64,
    /// Square of the first eccentricity.
    e2: f64,
}

impl Ellipsoid {
    /// Radius at the equator and distance to a pole of WGS 84 (NIMA TR8350.2), metres.
    pub(crate) const WGS84: [f64; 2] = [6_378_137.0, 6_356_752.314_245_179];

    /// Returns the ellipsoid with this radius at the equator and this distance to a pole, metres.
    pub(crate) fn new([equatorial, polar]: [f64; 2]) -> Self {
        let ratio = polar / equatorial;
        Ellipsoid { a: equatorial, e2: 1.0 - ratio * ratio }
    }

    /// Returns the radius of curvature perpendicular to the meridian, metres.
    fn prime_vertical(self, latitude: f64) -> f64 {
        let sin = libm::sin(latitude);
        self.a / (1.0 - self.e2 * sin * sin).sqrt()
    }

    fn earth_centered(self, place: Geodetic) -> [f64; 3] {
        let (sin_lat, cos_lat) = libm::sincos(place.latitude);
        let (sin_lon, cos_lon) = libm::sincos(place.longitude);
        let radius = self.prime_vertical(place.latitude);
        let across = (radius + place.altitude) * cos_lat;
        [across * cos_lon, across * sin_lon, (radius * (1.0 - self.e2) + place.altitude) * sin_lat]
    }

    /// Bowring's iteration of the latitude: three rounds are exact to the last bits near the ground.
    fn geodetic(self, [x, y, z]: [f64; 3]) -> Geodetic {
        let Ellipsoid { a, e2 } = self;
        let across = libm::hypot(x, y);
        let mut latitude = libm::atan2(z, across * (1.0 - e2));
        for _ in 0..5 {
            let sin = libm::sin(latitude);
            latitude = libm::atan2(z + e2 * self.prime_vertical(latitude) * sin, across);
        }
        let (sin, cos) = libm::sincos(latitude);
        // Along the normal; exact at the poles too, unlike `across / cos`.
        let altitude = across * cos + z * sin - a * (1.0 - e2 * sin * sin).sqrt();
        Geodetic { latitude, longitude: libm::atan2(y, x), altitude }
    }
}

/// A geodetic position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Geodetic {
    /// Latitude, radians north of the equator.
    pub(crate) latitude: f64,
    /// Longitude, radians east of the prime meridian.
    pub(crate) longitude: f64,
    /// Metres above the ellipsoid.
    pub(crate) altitude: f64,
}

/// The position and heading of a world on Earth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earth {
    ellipsoid: Ellipsoid,
    /// Sine and cosine of the angle from east to the world's x axis.
    heading: (f64, f64),
    /// The world's origin, Earth-centred and Earth-fixed, metres.
    center: [f64; 3],
    /// Directions of east, north and up there.
    axes: [[f64; 3]; 3],
}

impl Earth {
    pub(crate) fn at(origin: Origin, ellipsoid: Ellipsoid) -> Self {
        let (sin_lat, cos_lat) = libm::sincos(origin.latitude);
        let (sin_lon, cos_lon) = libm::sincos(origin.longitude);
        let place =
            Geodetic { latitude: origin.latitude, longitude: origin.longitude, altitude: origin.elevation };
        Earth {
            ellipsoid,
            heading: libm::sincos(origin.heading),
            center: ellipsoid.earth_centered(place),
            axes: [
                [-sin_lon, cos_lon, 0.0],
                [-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat],
                [cos_lat * cos_lon, cos_lat * sin_lon, sin_lat],
            ],
        }
    }

    /// Converts a vector of the world to east, north and up.
    pub(crate) fn to_enu(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sin, cos) = self.heading;
        [x * cos - y * sin, x * sin + y * cos, z]
    }

    /// Returns the position at these offsets, metres east, north and up of the world's origin, along the tangent
    /// plane.
    pub(crate) fn geodetic(self, enu: [f64; 3]) -> Geodetic {
        let [east, north, up] = self.axes;
        let place = std::array::from_fn(|axis| {
            self.center[axis] + east[axis] * enu[0] + north[axis] * enu[1] + up[axis] * enu[2]
        });
        self.ellipsoid.geodetic(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARTH: [f64; 2] = Ellipsoid::WGS84;
    const MOON: [f64; 2] = [1_738_100.0, 1_736_000.0];

    fn place(latitude: f64, longitude: f64, altitude: f64) -> Geodetic {
        Geodetic { latitude: latitude.to_radians(), longitude: longitude.to_radians(), altitude }
    }

    #[test]
    fn positions_survive_the_conversion_to_earth_centred_and_back() {
        let places = [
            place(0.0, 0.0, 0.0),
            place(47.4, 8.5, 432.0),
            place(-33.9, 151.2, -20.0),
            place(89.999, -120.0, 3000.0),
        ];
        for (axes, at) in [EARTH, MOON].into_iter().flat_map(|axes| places.map(|at| (axes, at))) {
            let ellipsoid = Ellipsoid::new(axes);
            let back = ellipsoid.geodetic(ellipsoid.earth_centered(at));
            let error = (back.latitude - at.latitude).abs().max((back.longitude - at.longitude).abs());
            assert!(error < 1e-12 && (back.altitude - at.altitude).abs() < 1e-6, "{back:?} is not {at:?}");
        }
    }

    #[test]
    fn the_pole_and_the_equator_match_the_ellipsoid() {
        for [equatorial, polar] in [EARTH, MOON] {
            let ellipsoid = Ellipsoid::new([equatorial, polar]);
            let [_, _, pole] = ellipsoid.earth_centered(place(90.0, 0.0, 0.0));
            assert!((pole - polar).abs() < 1e-5, "{pole}");
            assert!((ellipsoid.geodetic([0.0, 0.0, pole + 5.0]).altitude - 5.0).abs() < 1e-6);
            assert_eq!(ellipsoid.earth_centered(place(0.0, 0.0, 1.0)), [equatorial + 1.0, 0.0, 0.0]);
        }
    }
}

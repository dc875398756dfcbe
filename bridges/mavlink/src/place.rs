//! Places on Earth and velocities, in the units of messages.

use bridgehead_plugin_api::messages::sensor_msgs::NavSatFix;

use crate::numbers::{to_i16, to_i32, to_u16};

/// A course that is not known.
pub(crate) const NO_COURSE: u16 = u16::MAX;
/// Speeds below this have no course, m/s.
const STANDING: f64 = 0.1;

/// A place on Earth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// 1e-7 degrees.
    pub(crate) lat: i32,
    /// 1e-7 degrees.
    pub(crate) lon: i32,
    /// Millimetres above the ellipsoid.
    pub(crate) alt: i32,
}

/// Returns true if a receiver knows where it is.
pub(crate) fn has_fix(fix: &NavSatFix) -> bool {
    let is_known = fix.status.as_ref().is_some_and(|status| status.status >= 0);
    is_known && fix.latitude.is_finite() && fix.longitude.is_finite() && fix.altitude.is_finite()
}

impl Place {
    /// Returns the place of a fix; `None` if the receiver does not know it.
    pub(crate) fn of(fix: &NavSatFix) -> Option<Self> {
        has_fix(fix).then(|| Place {
            lat: to_i32(fix.latitude * 1e7),
            lon: to_i32(fix.longitude * 1e7),
            alt: to_i32(fix.altitude * 1e3),
        })
    }
}

/// Returns a velocity in cm/s.
pub(crate) fn centimetres(velocity: [f64; 3]) -> [i16; 3] {
    velocity.map(|part| to_i16(part * 100.0))
}

/// Returns the amount of a velocity in cm/s.
pub(crate) fn speed(velocity: &[f64]) -> u16 {
    to_u16(velocity.iter().map(|part| part * part).sum::<f64>().sqrt() * 100.0)
}

/// Returns the course over ground in 0.01 degrees, clockwise from north, less than 36000.
pub(crate) fn course([north, east, _]: [f64; 3]) -> u16 {
    if north * north + east * east < STANDING * STANDING {
        NO_COURSE
    } else {
        hundredths(libm::atan2(east, north))
    }
}

/// Returns an angle in 0.01 degrees from 0 to 35999.
pub(crate) fn hundredths(angle: f64) -> u16 {
    to_u16((angle.to_degrees() * 100.0).rem_euclid(36_000.0)) % 36_000
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::sensor_msgs::NavSatStatus;

    use super::*;

    #[test]
    fn a_fix_has_the_units_of_messages() {
        let fix = |status: i32, altitude: f64| NavSatFix {
            status: Some(NavSatStatus { status, service: 1 }),
            latitude: 47.397_741_8,
            longitude: -8.545_593_9,
            altitude,
            ..NavSatFix::default()
        };
        let place = Place { lat: 473_977_418, lon: -85_455_939, alt: 488_000 };
        assert_eq!(Place::of(&fix(0, 488.0)), Some(place));
        assert_eq!((Place::of(&fix(-1, 488.0)), Place::of(&fix(0, f64::NAN))), (None, None));
        assert_eq!(Place::of(&NavSatFix::default()), None);
    }

    #[test]
    fn a_course_is_clockwise_from_north() {
        let courses =
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -2.0, 0.0], [1.0, -1e-9, 9.0]];
        assert_eq!(courses.map(course), [0, 9000, 18_000, 27_000, 0]);
        assert_eq!(course([0.05, 0.05, 3.0]), NO_COURSE);
        assert_eq!((centimetres([1.0, -2.005, 900.0]), speed(&[3.0, 4.0])), ([100, -201, i16::MAX], 500));
    }
}

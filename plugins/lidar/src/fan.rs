//! The directions of a scan's rays in the sensor frame: computed once, used by every scan.
//!
//! Rings are ordered from the lowest elevation to the highest, the rays of a ring from the smallest azimuth to the
//! largest. Pure; any thread.

use crate::settings::Angles;

/// Unit vectors, ring by ring.
pub(crate) struct Fan {
    directions: Vec<[f64; 3]>,
}

impl Fan {
    pub(crate) fn new(horizontal: &Angles, vertical: &Angles) -> Self {
        // libm, so that equal worlds give equal rays on every machine.
        let azimuths: Vec<(f64, f64)> = horizontal.iter().map(libm::sincos).collect();
        let rings = vertical.iter().map(libm::sincos);
        let directions =
            rings.flat_map(|elevation| azimuths.iter().map(move |azimuth| ray(elevation, *azimuth)));
        Fan { directions: directions.collect() }
    }

    pub(crate) fn directions(&self) -> &[[f64; 3]] {
        &self.directions
    }
}

/// x forward, y left, z up.
fn ray((up, out): (f64, f64), (left, forward): (f64, f64)) -> [f64; 3] {
    [out * forward, out * left, up]
}

/// Returns the ring closest to the sensor's x-y plane, the upper one of two that are equally close: the lower one sees
/// the ground all around, and ros_gz_bridge takes the upper one too.
pub(crate) fn level_ring(vertical: &Angles) -> usize {
    // In integer nanoradians, so that rounding does not decide between two mirrored rings.
    let elevations = vertical.iter().map(|elevation| (elevation.abs() * 1e9).round()).enumerate();
    // Of equal elements, `max_by` returns the last one.
    elevations.max_by(|left, right| right.1.total_cmp(&left.1)).map_or(0, |(ring, _)| ring)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    const fn angles(count: u32, min: f64, max: f64) -> Angles {
        Angles { count, min, max }
    }

    #[test]
    fn rays_start_right_and_end_left_ring_by_ring() {
        let fan = Fan::new(&angles(3, -FRAC_PI_2, FRAC_PI_2), &angles(2, 0.0, FRAC_PI_2));
        let up = [0.0, 0.0, 1.0];
        let expected = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], up, up, up];
        assert_eq!(fan.directions().len(), expected.len());
        for (direction, expected) in fan.directions().iter().zip(expected) {
            for axis in 0..3 {
                assert!(
                    (direction[axis] - expected[axis]).abs() < 1e-15,
                    "{direction:?} is not {expected:?}"
                );
            }
        }
    }

    #[test]
    fn every_direction_is_a_unit_vector() {
        let fan = Fan::new(&angles(97, -3.0, 2.5), &angles(17, -0.7, 0.3));
        for [x, y, z] in fan.directions() {
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_level_ring_is_nearest_to_the_horizon() {
        assert_eq!(level_ring(&angles(1, 0.3, 0.3)), 0);
        assert_eq!(level_ring(&angles(5, -0.2, 0.2)), 2);
        assert_eq!(level_ring(&angles(4, -0.4, -0.1)), 3);
        assert_eq!(level_ring(&angles(4, -0.3, 0.0)), 3);
    }

    /// Ring count / 2, counted from the bottom, for every fan that is as high as it is deep.
    #[test]
    fn of_two_middle_rings_the_upper_one_is_level() {
        for count in 1..=128 {
            for half in [0.02, 0.2617994, 0.26, 0.392, 1.0, FRAC_PI_2] {
                let ring = level_ring(&angles(count, -half, half));
                assert_eq!(ring, count as usize / 2, "{count} rings from {} to {half}", -half);
            }
        }
    }
}

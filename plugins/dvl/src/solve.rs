//! The velocity from the speeds along beams. Pure.

use bridgehead_plugin_api::vector::{cross, dot};

/// Below this determinant the beams are too close to a plane for a velocity.
const FLAT: f64 = 1e-6;

/// Returns the velocity whose components along the beams fit the speeds best, by least squares; `None` if the beams do not
/// determine it.
pub(crate) fn solve(beams: impl Iterator<Item = ([f64; 3], f64)>) -> Option<[f64; 3]> {
    let mut rows = [[0.0; 3]; 3];
    let mut right = [0.0; 3];
    for (beam, speed) in beams {
        for (row, a) in rows.iter_mut().zip(beam) {
            row.iter_mut().zip(beam).for_each(|(cell, b)| *cell += a * b);
        }
        right.iter_mut().zip(beam).for_each(|(cell, a)| *cell += a * speed);
    }
    let [x, y, z] = rows;
    let determinant = dot(x, cross(y, z));
    if determinant.abs() < FLAT {
        return None;
    }
    // The matrix is symmetric, so its rows are its columns.
    let part = |first, second| dot(right, cross(first, second)) / determinant;
    Some([part(y, z), part(z, x), part(x, y)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_beams_determine_a_velocity_and_two_do_not() {
        let beams = [[0.6, 0.0, -0.8], [-0.6, 0.0, -0.8], [0.0, 0.6, -0.8]];
        let velocity = [1.5, -0.25, 0.125];
        let with_speed = |beam: [f64; 3]| (beam, dot(beam, velocity));
        let found = solve(beams.into_iter().map(with_speed)).expect("a velocity");
        for (found, expected) in found.into_iter().zip(velocity) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(solve(beams.into_iter().take(2).map(with_speed)), None);
        assert_eq!(solve(std::iter::empty()), None);
    }
}

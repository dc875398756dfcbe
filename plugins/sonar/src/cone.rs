//! Directions that stand for a cone along x: its axis and rings around it. Pure; any thread.

use std::f64::consts::TAU;

/// Rings around the axis. The outermost lies on the edge, so that what reaches into the cone by its edge is seen.
const RINGS: u32 = 5;

/// Rays of the first ring; each further one has as many more, so that they lie about equally dense.
const FIRST: u32 = 6;

/// A cone.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    half_angle: f64,
    directions: Vec<[f64; 3]>,
}

impl Cone {
    /// Around x, `half_angle` radians wide to each side.
    pub(crate) fn new(half_angle: f64) -> Self {
        let ring = |ring: u32| {
            let (sin, cos) = (half_angle * f64::from(ring) / f64::from(RINGS)).sin_cos();
            let count = FIRST * ring;
            (0..count).map(move |index| {
                let (y, z) = (TAU * f64::from(index) / f64::from(count)).sin_cos();
                [cos, sin * y, sin * z]
            })
        };
        let directions = std::iter::once([1.0, 0.0, 0.0]).chain((1..=RINGS).flat_map(ring)).collect();
        Cone { half_angle, directions }
    }

    pub(crate) fn half_angle(&self) -> f64 {
        self.half_angle
    }

    /// Unit vectors in the frame of the sensor.
    pub(crate) fn directions(&self) -> &[[f64; 3]] {
        &self.directions
    }
}

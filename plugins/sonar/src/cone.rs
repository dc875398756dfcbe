//! Directions that sample a cone along x: its axis and rings around it. Pure; any thread.

use std::f64::consts::TAU;

/// Rings around the axis. The outermost is on the edge, so that objects that only enter the edge are seen.
const RINGS: u32 = 5;

/// Rays of the first ring; each further one has as many more, so that they are about equally dense.
const FIRST: u32 = 6;

/// A cone.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    half_angle: f64,
    directions: Vec<[f64; 3]>,
}

impl Cone {
    /// Creates a cone around x with `half_angle` radians to each side.
    pub(crate) fn new(half_angle: f64) -> Self {
        let ring = |ring: u32| {
            let (sin, cos) = libm::sincos(half_angle * f64::from(ring) / f64::from(RINGS));
            let count = FIRST * ring;
            (0..count).map(move |index| {
                let (y, z) = libm::sincos(TAU * f64::from(index) / f64::from(count));
                [cos, sin * y, sin * z]
            })
        };
        let directions = std::iter::once([1.0, 0.0, 0.0]).chain((1..=RINGS).flat_map(ring)).collect();
        Cone { half_angle, directions }
    }

    pub(crate) fn half_angle(&self) -> f64 {
        self.half_angle
    }

    /// Returns unit vectors in the frame of the sensor.
    pub(crate) fn directions(&self) -> &[[f64; 3]] {
        &self.directions
    }
}

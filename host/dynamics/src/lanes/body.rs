//! A body in each lane, and its velocity.

use fearless_simd::prelude::*;

use super::Placed;
use super::vector::{Mat3, Vec3};
use crate::four::{Four, Lanes};
use crate::rows::stretch_of_body;

/// The length of the velocities of a body, in groups of four.
const STRETCH: usize = stretch_of_body(1) - stretch_of_body(0);

/// A body in each lane.
pub(super) struct Body<S: Simd> {
    pub(super) axes: Mat3<S>,
    pub(super) at: Vec3<Lanes<S>>,
    pub(super) root: Lanes<S>,
    pub(super) roots: Vec3<Lanes<S>>,
}

impl<S: Simd> Body<S> {
    #[inline(always)]
    pub(super) fn of(simd: S, bodies: &[Placed], &[a, b, c, d]: &[usize; 4]) -> Self {
        let (a, b, c, d) = (&bodies[a], &bodies[b], &bodies[c], &bodies[d]);
        let x = columns(simd, [&a[0], &b[0], &c[0], &d[0]]);
        let y = columns(simd, [&a[1], &b[1], &c[1], &d[1]]);
        let z = columns(simd, [&a[2], &b[2], &c[2], &d[2]]);
        let roots = columns(simd, [&a[3], &b[3], &c[3], &d[3]]);
        Self {
            axes: Mat3 {
                columns: [
                    Vec3::new(x[0], x[1], x[2]),
                    Vec3::new(y[0], y[1], y[2]),
                    Vec3::new(z[0], z[1], z[2]),
                ],
            },
            at: Vec3::new(x[3], y[3], z[3]),
            root: roots[0],
            roots: Vec3::new(roots[1], roots[2], roots[3]),
        }
    }
}

/// The scaled velocities of a body in each lane.
#[derive(Clone, Copy)]
pub(super) struct Velocity<S: Simd> {
    pub(super) linear: Vec3<Lanes<S>>,
    pub(super) angular: Vec3<Lanes<S>>,
}

impl<S: Simd> Velocity<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, velocities: &[Four], bodies: &[usize; 4]) -> Self {
        let [a, b, c, d] =
            [bodies[0] * STRETCH, bodies[1] * STRETCH, bodies[2] * STRETCH, bodies[3] * STRETCH];
        let [x, y, z, _] = columns(simd, [&velocities[a], &velocities[b], &velocities[c], &velocities[d]]);
        let (a, b, c, d) = (&velocities[a + 1], &velocities[b + 1], &velocities[c + 1], &velocities[d + 1]);
        let [p, q, r, _] = columns(simd, [a, b, c, d]);
        Self { linear: Vec3::new(x, y, z), angular: Vec3::new(p, q, r) }
    }

    #[inline(always)]
    pub(super) fn store(self, velocities: &mut [Four], bodies: &[usize; 4]) {
        let Self { linear, angular } = self;
        let linear: [[f64; 4]; 3] = [linear.x.into(), linear.y.into(), linear.z.into()];
        let angular: [[f64; 4]; 3] = [angular.x.into(), angular.y.into(), angular.z.into()];
        for (lane, body) in bodies.iter().enumerate() {
            let from = STRETCH * body;
            velocities[from] = Four::new([linear[0][lane], linear[1][lane], linear[2][lane], 0.0]);
            velocities[from + 1] = Four::new([angular[0][lane], angular[1][lane], angular[2][lane], 0.0]);
        }
    }
}

/// Turns four rows into four columns.
#[inline(always)]
fn columns<S: Simd>(simd: S, [a, b, c, d]: [&Four; 4]) -> [Lanes<S>; 4] {
    [
        Lanes::load_array(simd, [a[0], b[0], c[0], d[0]]),
        Lanes::load_array(simd, [a[1], b[1], c[1], d[1]]),
        Lanes::load_array(simd, [a[2], b[2], c[2], d[2]]),
        Lanes::load_array(simd, [a[3], b[3], c[3], d[3]]),
    ]
}

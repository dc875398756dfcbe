//! A body in each lane, and its velocity.

use wide::f64x4;

use super::Placed;
use super::vector::{Mat3x4, Vec3x4};
use crate::rows::stretch_of_body;

/// The length of the velocities of a body, in groups of four.
const STRETCH: usize = stretch_of_body(1) - stretch_of_body(0);

/// A body in each lane.
pub(super) struct Body {
    pub(super) axes: Mat3x4,
    pub(super) at: Vec3x4,
    pub(super) root: f64x4,
    pub(super) roots: Vec3x4,
}

impl Body {
    #[inline(always)]
    pub(super) fn of(bodies: &[Placed], &[a, b, c, d]: &[usize; 4]) -> Self {
        let (a, b, c, d) = (&bodies[a], &bodies[b], &bodies[c], &bodies[d]);
        let row = |k: usize| f64x4::transpose([a[k], b[k], c[k], d[k]]);
        let [x, y, z, roots] = [row(0), row(1), row(2), row(3)];
        Self {
            axes: Mat3x4 {
                columns: [
                    Vec3x4::new(x[0], x[1], x[2]),
                    Vec3x4::new(y[0], y[1], y[2]),
                    Vec3x4::new(z[0], z[1], z[2]),
                ],
            },
            at: Vec3x4::new(x[3], y[3], z[3]),
            root: roots[0],
            roots: Vec3x4::new(roots[1], roots[2], roots[3]),
        }
    }
}

/// The scaled velocities of a body in each lane.
#[derive(Clone, Copy)]
pub(super) struct Velocity {
    pub(super) linear: Vec3x4,
    pub(super) angular: Vec3x4,
}

impl Velocity {
    #[inline(always)]
    pub(super) fn load(velocities: &[f64x4], &[a, b, c, d]: &[usize; 4]) -> Self {
        let row = |part: usize| {
            let of = |body: usize| velocities[STRETCH * body + part];
            f64x4::transpose([of(a), of(b), of(c), of(d)])
        };
        let ([x, y, z, _], [p, q, r, _]) = (row(0), row(1));
        Self { linear: Vec3x4::new(x, y, z), angular: Vec3x4::new(p, q, r) }
    }

    #[inline(always)]
    pub(super) fn store(self, velocities: &mut [f64x4], &[a, b, c, d]: &[usize; 4]) {
        let zero = f64x4::splat(0.0);
        let Self { linear, angular } = self;
        let linear = f64x4::transpose([linear.x, linear.y, linear.z, zero]);
        let angular = f64x4::transpose([angular.x, angular.y, angular.z, zero]);
        for (lane, body) in [a, b, c, d].into_iter().enumerate() {
            velocities[STRETCH * body] = linear[lane];
            velocities[STRETCH * body + 1] = angular[lane];
        }
    }
}

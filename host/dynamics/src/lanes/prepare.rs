//! The rows of a group.

use wide::f64x4;

use super::Placed;
use super::body::{Body, Velocity};
use super::group::{Group, PAIRS};
use super::vector::Vec3x4;
use crate::contacts::{CORRECTED, PUSH, SLOP};
use crate::math::{larger, smaller};
use crate::narrow::POINTS;

/// Constants of a step in all lanes.
pub(super) struct Limits {
    per_step: f64x4,
    corrected: f64x4,
    slop: f64x4,
    push: f64x4,
}

impl Limits {
    pub(super) fn new(step: f64) -> Self {
        Self {
            per_step: f64x4::splat(1.0 / step),
            corrected: f64x4::splat(CORRECTED / step),
            slop: f64x4::splat(SLOP),
            push: f64x4::splat(-PUSH),
        }
    }
}

impl Group {
    /// Makes the rows, and applies the impulses of the last step. Returns true if any overlap is corrected.
    #[inline(always)]
    pub(super) fn prepare(&mut self, bodies: &[Placed], velocities: &mut [f64x4], limits: &Limits) -> bool {
        let one = Body::of(bodies, &self.bodies[0]);
        let other = Body::of(bodies, &self.bodies[1]);
        let normal = one.axes.times(self.normal);
        let tangent = one.axes.times(self.tangent);
        let beside = normal.cross(tangent);
        let directions = [normal, tangent, beside];
        let in_first = [self.normal, self.tangent, self.normal.cross(self.tangent)];
        let in_second = directions.map(|direction| other.axes.transposed_times(direction));
        self.forces = directions.map(|direction| [direction * one.root, direction * other.root]);
        let linear = one.root * one.root + other.root * other.root;
        self.normals(&one, &other, linear, in_second[0], limits);
        self.tangents(&one, &other, linear, in_first, in_second);
        let (mut a, mut b) = self.velocities(velocities);
        self.bounce(a, b);
        let corrects = self.corrects();
        self.push(&mut a, &mut b, &self.impulses);
        self.store(velocities, a, b);
        corrects
    }

    #[inline(always)]
    fn normals(&mut self, one: &Body, other: &Body, linear: f64x4, in_second: Vec3x4, limits: &Limits) {
        let zero = f64x4::splat(0.0);
        let gap = (other.at - one.at).dot(self.forces_normal(one));
        for k in 0..POINTS {
            self.torques[k] = [
                self.points[0][k].cross(self.normal).times(one.roots),
                self.points[1][k].cross(in_second).times(other.roots),
            ];
            let [first, second] = self.torques[k];
            self.yields[k] = linear + self.idle + first.square() + second.square();
            self.inverses[k] = f64x4::splat(1.0) / self.yields[k];
            let distance = gap + in_second.dot(self.points[1][k]) - self.offsets[k];
            // Apart: no closer than touching at the end of the step. Overlapping: pushed out.
            let apart = larger(distance, zero) * limits.per_step;
            let out = larger(smaller(distance + limits.slop, zero) * limits.corrected, limits.push);
            (self.bias[k], self.relaxed[k]) = (apart + out, apart);
        }
        for (pair, (i, j)) in PAIRS.into_iter().enumerate() {
            let (one, other) = (self.torques[i], self.torques[j]);
            let coupling = linear + one[0].dot(other[0]) + one[1].dot(other[1]);
            let product = self.yields[i] * self.yields[j];
            let determinant = product - coupling * coupling;
            let is_sound = determinant.simd_gt(product * f64x4::splat(1e-10));
            let inverse = f64x4::splat(1.0) / is_sound.bitselect(determinant, f64x4::splat(1.0));
            self.couplings[pair] = coupling;
            self.determinants[pair] = is_sound.bitselect(inverse, zero);
        }
    }

    /// The normal in the world.
    #[inline(always)]
    fn forces_normal(&self, one: &Body) -> Vec3x4 {
        one.axes.times(self.normal)
    }

    #[inline(always)]
    fn tangents(
        &mut self,
        one: &Body,
        other: &Body,
        linear: f64x4,
        in_first: [Vec3x4; 3],
        in_second: [Vec3x4; 3],
    ) {
        for (index, row) in (POINTS..POINTS + 2).enumerate() {
            self.torques[row] = [
                self.middles[0].cross(in_first[index + 1]).times(one.roots),
                self.middles[1].cross(in_second[index + 1]).times(other.roots),
            ];
        }
        self.torques[6] = [in_first[0].times(one.roots), in_second[0].times(other.roots)];
        let [t, u, n] = [self.torques[4], self.torques[5], self.torques[6]];
        let tt = linear + self.idle + t[0].square() + t[1].square();
        let uu = linear + self.idle + u[0].square() + u[1].square();
        let tu = t[0].dot(u[0]) + t[1].dot(u[1]);
        let inverse = f64x4::splat(1.0) / (tt * uu - tu * tu);
        self.tangents = [uu * inverse, tt * inverse, -(tu * inverse)];
        self.sliding = f64x4::splat(1.0) / (larger(tt, uu) + larger(tu, -tu));
        self.turning = f64x4::splat(1.0) / (n[0].square() + n[1].square() + self.idle);
    }

    /// Points that hit leave with a share of their speed.
    #[inline(always)]
    fn bounce(&mut self, a: Velocity, b: Velocity) {
        let zero = f64x4::splat(0.0);
        if !self.restitution.simd_gt(zero).any() {
            return;
        }
        for k in 0..POINTS {
            let speed = self.speed(a, b, 0, k);
            let hits = (speed + self.relaxed[k]).simd_lt(zero)
                & self.restitution.simd_gt(zero)
                & (-speed).simd_ge(self.threshold);
            let bounce = hits.bitselect(self.restitution * speed - self.relaxed[k], zero);
            self.bias[k] += bounce;
            self.relaxed[k] += bounce;
        }
    }

    fn corrects(&self) -> bool {
        let least = f64x4::splat(1e-5);
        (0..POINTS).any(|k| (self.relaxed[k] - self.bias[k]).simd_gt(least).any())
    }
}

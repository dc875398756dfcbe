//! The rows of a group.

use fearless_simd::prelude::*;

use super::Placed;
use super::body::Body;
use super::group::{Group, Motion, PAIRS};
use super::vector::{self, Vec3};
use crate::contacts::{CORRECTED, PUSH, SLOP};
use crate::four::{Four, Lanes, larger, smaller};
use crate::narrow::POINTS;

/// Constants of a step in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    per_step: f64,
    corrected: f64,
}

impl Limits {
    pub(super) fn new(step: f64) -> Self {
        Self { per_step: 1.0 / step, corrected: CORRECTED / step }
    }
}

/// What all rows of a group are made of.
struct Sides<S: Simd> {
    one: Body<S>,
    other: Body<S>,
    /// The change of the relative velocity by an impulse.
    linear: Lanes<S>,
    /// One in lanes without a touch, where it keeps the inverses finite.
    idle: Lanes<S>,
    /// The normal and both tangents: world, and in the frame of each body.
    directions: [Vec3<Lanes<S>>; 3],
    in_first: [Vec3<Lanes<S>>; 3],
    in_second: [Vec3<Lanes<S>>; 3],
}

impl Group {
    /// Makes the rows, and applies the impulses of the last step. Returns true if any overlap is corrected.
    #[inline(always)]
    pub(super) fn prepare<S: Simd>(
        &mut self,
        simd: S,
        bodies: &[Placed],
        velocities: &mut [Four],
        limits: Limits,
    ) -> bool {
        let sides = self.sides(simd, bodies);
        let [normal, tangent, beside] = sides.directions;
        self.directions = [normal.into(), tangent.into(), beside.into()];
        self.roots = [sides.one.root.into(), sides.other.root.into()];
        self.normals(simd, &sides, limits);
        self.tangents(simd, &sides);
        let mut motion = self.motion(simd, velocities);
        self.bounce(simd, &motion);
        let corrects = self.corrects(simd);
        self.push_all(simd, &mut motion);
        self.store(simd, velocities, &motion);
        corrects
    }

    #[inline(always)]
    fn sides<S: Simd>(&self, simd: S, bodies: &[Placed]) -> Sides<S> {
        let one = Body::of(simd, bodies, &self.bodies[0]);
        let other = Body::of(simd, bodies, &self.bodies[1]);
        let (normal, tangent) = (self.normal.load(simd), self.tangent.load(simd));
        let in_first = [normal, tangent, normal.cross(tangent)];
        let (normal, tangent) = (one.axes.times(normal), one.axes.times(tangent));
        let directions = [normal, tangent, normal.cross(tangent)];
        let axes = other.axes;
        let in_second = [
            axes.transposed_times(directions[0]),
            axes.transposed_times(directions[1]),
            axes.transposed_times(directions[2]),
        ];
        let linear = one.root * one.root + other.root * other.root;
        Sides { one, other, linear, idle: self.idle.load(simd), directions, in_first, in_second }
    }

    #[inline(always)]
    fn normals<S: Simd>(&mut self, simd: S, sides: &Sides<S>, limits: Limits) {
        let Sides { one, other, linear, idle, .. } = sides;
        let (zero, unit) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
        let gap = (other.at - one.at).dot(sides.directions[0]);
        let in_second = sides.in_second[0];
        for k in 0..POINTS {
            let [first, second] = [self.points[0][k].load(simd), self.points[1][k].load(simd)];
            let distance = gap + in_second.dot(second) - self.offsets[k].load(simd);
            let torques =
                [first.cross(sides.in_first[0]).times(one.roots), second.cross(in_second).times(other.roots)];
            let yields = *linear + *idle + torques[0].square() + torques[1].square();
            // Apart: no closer than touching at the end of the step. Overlapping: pushed out.
            let apart = larger(distance, zero) * limits.per_step;
            let out = smaller(distance + SLOP, zero) * limits.corrected;
            let out = larger(out, Lanes::splat(simd, -PUSH));
            self.torques[k] = [torques[0].into(), torques[1].into()];
            (self.yields[k], self.inverses[k]) = (yields.into(), (unit / yields).into());
            (self.bias[k], self.relaxed[k]) = ((apart + out).into(), apart.into());
        }
        for (pair, (i, j)) in PAIRS.into_iter().enumerate() {
            let one = vector::load_all(simd, &self.torques[i]);
            let other = vector::load_all(simd, &self.torques[j]);
            let coupling = *linear + one[0].dot(other[0]) + one[1].dot(other[1]);
            let product = self.yields[i].load(simd) * self.yields[j].load(simd);
            let determinant = product - coupling * coupling;
            let is_sound = determinant.simd_gt(product * 1e-10);
            let inverse = unit / is_sound.select(determinant, unit);
            self.couplings[pair] = coupling.into();
            self.determinants[pair] = is_sound.select(inverse, zero).into();
        }
    }

    #[inline(always)]
    fn tangents<S: Simd>(&mut self, simd: S, sides: &Sides<S>) {
        let Sides { one, other, linear, idle, in_first, in_second, .. } = sides;
        let middles = vector::load_all(simd, &self.middles);
        let unit = Lanes::splat(simd, 1.0);
        let t = [
            middles[0].cross(in_first[1]).times(one.roots),
            middles[1].cross(in_second[1]).times(other.roots),
        ];
        let u = [
            middles[0].cross(in_first[2]).times(one.roots),
            middles[1].cross(in_second[2]).times(other.roots),
        ];
        let n = [in_first[0].times(one.roots), in_second[0].times(other.roots)];
        for (row, torques) in (POINTS..).zip([t, u, n]) {
            self.torques[row] = [torques[0].into(), torques[1].into()];
        }
        let tt = *linear + *idle + t[0].square() + t[1].square();
        let uu = *linear + *idle + u[0].square() + u[1].square();
        let tu = t[0].dot(u[0]) + t[1].dot(u[1]);
        let twist = n[0].square() + n[1].square() + *idle;
        let inverse = unit / (tt * uu - tu * tu);
        self.tangents = [(uu * inverse).into(), (tt * inverse).into(), (-(tu * inverse)).into()];
        self.sliding = (unit / (larger(tt, uu) + larger(tu, -tu))).into();
        (self.twist, self.turning) = (twist.into(), (unit / twist).into());
    }

    /// Points that hit leave with a share of their speed.
    #[inline(always)]
    fn bounce<S: Simd>(&mut self, simd: S, motion: &Motion<S>) {
        let zero = Lanes::splat(simd, 0.0);
        let (restitution, threshold) = (self.restitution.load(simd), self.threshold.load(simd));
        let may_bounce = restitution.simd_gt(zero);
        if !may_bounce.any_true() {
            return;
        }
        for k in 0..POINTS {
            let (bias, relaxed) = (self.bias[k].load(simd), self.relaxed[k].load(simd));
            let speed = self.speed(simd, motion, 0, k);
            let hits = (speed + relaxed).simd_lt(zero) & may_bounce & (-speed).simd_ge(threshold);
            let bounce = hits.select(restitution * speed - relaxed, zero);
            (self.bias[k], self.relaxed[k]) = ((bias + bounce).into(), (relaxed + bounce).into());
        }
    }

    #[inline(always)]
    fn corrects<S: Simd>(&self, simd: S) -> bool {
        let mut most = Lanes::splat(simd, 0.0);
        for k in 0..POINTS {
            most = larger(self.relaxed[k].load(simd) - self.bias[k].load(simd), most);
        }
        most.simd_gt(1e-5).any_true()
    }
}

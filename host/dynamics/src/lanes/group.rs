//! Four touches, one in each lane.

use fearless_simd::prelude::*;

use super::body::Velocity;
use super::vector::{self, Vec3};
use crate::collider::Surface;
use crate::contacts::spread;
use crate::four::{Four, Lanes, larger, load_all, smaller};
use crate::narrow::POINTS;
use crate::pair::Touch;
use crate::solver::go_on;

/// The distance of a slot without a point: far apart.
const NOWHERE: f64 = -1e3;

/// One vector for each body.
pub(super) type Sides = [Vec3<Four>; 2];

/// A group of touches. Points 0 and 2, and 1 and 3, are opposite to each other.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) count: usize,
    /// The pair and the number of each touch.
    pub(super) touches: [[usize; 2]; 4],
    /// One more than the indices of the bodies; zero in lanes without a touch.
    pub(super) bodies: [[usize; 4]; 2],
    // From the touches, in the frames of the bodies.
    pub(super) normal: Vec3<Four>,
    pub(super) tangent: Vec3<Four>,
    pub(super) points: [[Vec3<Four>; POINTS]; 2],
    pub(super) middles: Sides,
    pub(super) levers: [Four; POINTS],
    /// The points of the first body along the normal, less what is allowed of the overlap.
    pub(super) offsets: [Four; POINTS],
    pub(super) friction: Four,
    pub(super) restitution: Four,
    pub(super) threshold: Four,
    /// One in lanes without a touch.
    pub(super) idle: Four,
    /// Along the normals, along both tangents and about the normal.
    pub(super) impulses: [Four; ROWS],
    // Rows.
    /// The normal and both tangents, world.
    pub(super) directions: [Vec3<Four>; 3],
    /// The inverse roots of the masses.
    pub(super) roots: [Four; 2],
    /// The torques of each row times the inverse roots of the moments.
    pub(super) torques: [Sides; ROWS],
    pub(super) yields: [Four; POINTS],
    pub(super) inverses: [Four; POINTS],
    pub(super) couplings: [Four; 2],
    pub(super) determinants: [Four; 2],
    /// The inverse of the matrix of both tangents: its diagonal, and beside it.
    pub(super) tangents: [Four; 3],
    /// One over what both yield at most.
    pub(super) sliding: Four,
    /// What yields about the normal, and one over it.
    pub(super) twist: Four,
    pub(super) turning: Four,
    pub(super) bias: [Four; POINTS],
    pub(super) relaxed: [Four; POINTS],
}

impl Default for Group {
    fn default() -> Self {
        let (zero, none) = (Four::ZERO, Vec3::default());
        let one = Four::splat(1.0);
        Self {
            count: 0,
            touches: [[0; 2]; 4],
            bodies: [[0; 4]; 2],
            normal: Vec3::new(zero, zero, one),
            tangent: Vec3::new(one, zero, zero),
            points: [[none; POINTS]; 2],
            middles: [none; 2],
            levers: [zero; POINTS],
            offsets: [Four::splat(NOWHERE); POINTS],
            friction: zero,
            restitution: zero,
            threshold: zero,
            idle: one,
            impulses: [zero; ROWS],
            directions: [none; 3],
            roots: [zero; 2],
            torques: [[none; 2]; ROWS],
            yields: [zero; POINTS],
            inverses: [zero; POINTS],
            couplings: [zero; 2],
            determinants: [zero; 2],
            tangents: [zero; 3],
            sliding: zero,
            twist: one,
            turning: one,
            bias: [zero; POINTS],
            relaxed: [zero; POINTS],
        }
    }
}

/// The place of a point of a touch: two points are one pair.
fn slot(count: usize, point: usize) -> usize {
    if count == 2 { 2 * point } else { point }
}

impl Group {
    /// Puts a touch into a lane.
    pub(super) fn set(
        &mut self,
        lane: usize,
        at: [usize; 2],
        bodies: [usize; 2],
        touch: &Touch,
        surfaces: [&Surface; 2],
        allowed: f64,
    ) {
        let set = |number: &mut Four, value: f64| number.set(lane, value);
        let (manifold, count) = (&touch.manifold, touch.manifold.count);
        self.count = lane + 1;
        self.touches[lane] = at;
        (self.bodies[0][lane], self.bodies[1][lane]) = (bodies[0] + 1, bodies[1] + 1);
        set(&mut self.idle, 0.0);
        self.normal.set_lane(lane, manifold.normal);
        self.tangent.set_lane(lane, manifold.tangent());
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let share = 1.0 / count as f64;
        let (mut first, mut second) = (glam::DVec3::ZERO, glam::DVec3::ZERO);
        for point in manifold.points() {
            (first, second) = (first + point.first * share, second + point.second * share);
        }
        self.middles[0].set_lane(lane, first);
        self.middles[1].set_lane(lane, second);
        for (index, point) in manifold.points().iter().enumerate() {
            let slot = slot(count, index);
            self.points[0][slot].set_lane(lane, point.first);
            self.points[1][slot].set_lane(lane, point.second);
            set(&mut self.offsets[slot], manifold.normal.dot(point.first) - allowed);
            set(&mut self.levers[slot], (point.first - first).length());
            set(&mut self.impulses[slot], touch.normal[index]);
        }
        for (index, impulse) in touch.friction[0].iter().enumerate() {
            set(&mut self.impulses[POINTS + index], *impulse);
        }
        let [one, other] = surfaces;
        set(&mut self.friction, one.friction.min(other.friction));
        set(&mut self.restitution, one.restitution.min(other.restitution));
        set(&mut self.threshold, one.bounce_threshold.min(other.bounce_threshold));
    }

    /// The motion of both bodies.
    #[inline(always)]
    pub(super) fn motion<S: Simd>(&self, simd: S, velocities: &[Four]) -> Motion<S> {
        let a = Velocity::load(simd, velocities, &self.bodies[0]);
        let b = Velocity::load(simd, velocities, &self.bodies[1]);
        let [root_a, root_b] = load_all(simd, &self.roots);
        let zero = Lanes::splat(simd, 0.0);
        Motion {
            linear: b.linear * root_b - a.linear * root_a,
            angular: [a.angular, b.angular],
            momentum: Vec3::new(zero, zero, zero),
            before: [a.linear, b.linear],
            yields: root_a * root_a + root_b * root_b,
        }
    }

    #[inline(always)]
    pub(super) fn store<S: Simd>(&self, simd: S, velocities: &mut [Four], motion: &Motion<S>) {
        let [root_a, root_b] = load_all(simd, &self.roots);
        let [angular_a, angular_b] = motion.angular;
        let linear = motion.before[0] - motion.momentum * root_a;
        Velocity { linear, angular: angular_a }.store(velocities, &self.bodies[0]);
        let linear = motion.before[1] + motion.momentum * root_b;
        Velocity { linear, angular: angular_b }.store(velocities, &self.bodies[1]);
    }

    /// The velocity along a row: that of a direction with a torque.
    #[inline(always)]
    pub(super) fn speed<S: Simd>(
        &self,
        simd: S,
        motion: &Motion<S>,
        direction: usize,
        torque: usize,
    ) -> Lanes<S> {
        self.directions[direction].load(simd).dot(motion.linear) + self.turn(simd, motion, torque)
    }

    /// The part of the torque.
    #[inline(always)]
    fn turn<S: Simd>(&self, simd: S, motion: &Motion<S>, torque: usize) -> Lanes<S> {
        let [one, other] = vector::load_all(simd, &self.torques[torque]);
        other.dot(motion.angular[1]) - one.dot(motion.angular[0])
    }

    /// Applies an impulse along a direction.
    #[inline(always)]
    fn push<S: Simd>(&self, simd: S, motion: &mut Motion<S>, direction: usize, impulse: Lanes<S>) {
        let momentum = self.directions[direction].load(simd) * impulse;
        motion.momentum = motion.momentum + momentum;
        motion.linear = motion.linear + momentum * motion.yields;
    }

    /// Applies an impulse about a torque.
    #[inline(always)]
    fn twist<S: Simd>(&self, simd: S, motion: &mut Motion<S>, torque: usize, impulse: Lanes<S>) {
        let [one, other] = vector::load_all(simd, &self.torques[torque]);
        motion.angular[0] = motion.angular[0] - one * impulse;
        motion.angular[1] = motion.angular[1] + other * impulse;
    }

    /// Applies impulses along all rows.
    #[inline(always)]
    pub(super) fn push_all<S: Simd>(&self, simd: S, motion: &mut Motion<S>) {
        let impulses = load_all(simd, &self.impulses);
        let normal = impulses[0] + impulses[1] + impulses[2] + impulses[3];
        self.push(simd, motion, 0, normal);
        self.push(simd, motion, 1, impulses[4]);
        self.push(simd, motion, 2, impulses[5]);
        for (torque, impulse) in impulses.iter().enumerate() {
            self.twist(simd, motion, torque, *impulse);
        }
    }

    /// Solves friction, and then the normals, which have the last word.
    #[inline(always)]
    pub(super) fn solve<S: Simd, const RELAX: bool>(
        &mut self,
        simd: S,
        velocities: &mut [Four],
    ) -> Change<S> {
        let mut motion = self.motion(simd, velocities);
        let mut change = self.solve_friction(simd, &mut motion);
        for pair in 0..PAIRS.len() {
            change = change.and(self.solve_pair::<S, RELAX>(simd, &mut motion, pair));
        }
        self.store(simd, velocities, &motion);
        change
    }

    #[inline(always)]
    fn solve_friction<S: Simd>(&mut self, simd: S, motion: &mut Motion<S>) -> Change<S> {
        let [t, u] = [self.speed(simd, motion, 1, 4), self.speed(simd, motion, 2, 5)];
        let w = self.turn(simd, motion, 6);
        let [n0, n1, n2, n3, old_t, old_u, old_w] = load_all(simd, &self.impulses);
        let [l0, l1, l2, l3] = load_all(simd, &self.levers);
        let friction = self.friction.load(simd);
        let most = friction * (n0 + n1 + n2 + n3);
        let lever = friction * (n0 * l0 + n1 * l1 + n2 * l2 + n3 * l3);
        let [tt, uu, tu] = load_all(simd, &self.tangents);
        let (new_t, new_u) = (old_t - (tt * t + tu * u), old_u - (tu * t + uu * u));
        let square = new_t * new_t + new_u * new_u;
        // What slides is slowed down against its way: with the same step along both tangents.
        let is_over = square.simd_gt(most * most);
        let sliding = self.sliding.load(simd);
        let (way_t, way_u) = (old_t - sliding * t, old_u - sliding * u);
        let length = larger(way_t * way_t + way_u * way_u, most * most) + f64::MIN_POSITIVE;
        let scale = most / length.sqrt();
        let new_t = is_over.select(way_t * scale, new_t);
        let new_u = is_over.select(way_u * scale, new_u);
        let new_w = smaller(larger(old_w - self.turning.load(simd) * w, -lever), lever);
        let (t, u, w) = (new_t - old_t, new_u - old_u, new_w - old_w);
        (self.impulses[4], self.impulses[5], self.impulses[6]) = (new_t.into(), new_u.into(), new_w.into());
        self.push(simd, motion, 1, t);
        self.push(simd, motion, 2, u);
        for (torque, impulse) in [(4, t), (5, u), (6, w)] {
            self.twist(simd, motion, torque, impulse);
        }
        let weight = self.yields[0].load(simd);
        let energy = (t * t + u * u) * weight;
        Change { largest: energy * weight, square: energy + w * w * self.twist.load(simd) }
    }

    #[inline(always)]
    fn solve_pair<S: Simd, const RELAX: bool>(
        &mut self,
        simd: S,
        motion: &mut Motion<S>,
        pair: usize,
    ) -> Change<S> {
        let zero = Lanes::splat(simd, 0.0);
        let (i, j) = PAIRS[pair];
        let bias = if RELAX { &self.relaxed } else { &self.bias };
        let (coupling, determinant) = (self.couplings[pair].load(simd), self.determinants[pair].load(simd));
        let (k_i, k_j) = (self.yields[i].load(simd), self.yields[j].load(simd));
        let (inverse_i, inverse_j) = (self.inverses[i].load(simd), self.inverses[j].load(simd));
        let (old_i, old_j) = (self.impulses[i].load(simd), self.impulses[j].load(simd));
        // What remains of the velocities without these two impulses.
        let along = self.directions[0].load(simd).dot(motion.linear);
        let (speed_i, speed_j) = (along + self.turn(simd, motion, i), along + self.turn(simd, motion, j));
        let free_i = speed_i + bias[i].load(simd) - k_i * old_i - coupling * old_j;
        let free_j = speed_j + bias[j].load(simd) - coupling * old_i - k_j * old_j;
        let both_i = (coupling * free_j - k_j * free_i) * determinant;
        let both_j = (coupling * free_i - k_i * free_j) * determinant;
        let both = both_i.simd_ge(zero) & both_j.simd_ge(zero) & determinant.simd_gt(zero);
        let alone_i = larger(-(free_i * inverse_i), zero);
        let alone_j = larger(-(free_j * inverse_j), zero);
        let only_i = (coupling * alone_i + free_j).simd_ge(zero);
        let only_j = (coupling * alone_j + free_i).simd_ge(zero);
        // If nothing fits, because the rows are parallel, one after the other.
        let after_i = larger(-((free_j + coupling * alone_i) * inverse_j), zero);
        let new_i = both.select(both_i, only_i.select(alone_i, only_j.select(zero, alone_i)));
        let new_j = both.select(both_j, only_i.select(zero, only_j.select(alone_j, after_i)));
        let (change_i, change_j) = (new_i - old_i, new_j - old_j);
        (self.impulses[i], self.impulses[j]) = (new_i.into(), new_j.into());
        self.push(simd, motion, 0, change_i + change_j);
        self.twist(simd, motion, i, change_i);
        self.twist(simd, motion, j, change_j);
        let (one, other) = (change_i * k_i, change_j * k_j);
        Change { largest: larger(one * one, other * other), square: one * change_i + other * change_j }
    }

    /// Keeps the impulses of a lane.
    pub(super) fn keep(&self, lane: usize, touch: &mut Touch) {
        let count = touch.manifold.count;
        let of = |slot: usize| self.impulses[slot][lane];
        touch.normal = [0.0; POINTS];
        for point in 0..count {
            touch.normal[point] = of(slot(count, point));
        }
        if count == POINTS {
            let at = [0, 1, 2, 3].map(|point| touch.manifold.points[point].first);
            spread(touch.manifold.normal, &at, &mut touch.normal);
        }
        touch.friction = [[0.0; 3]; POINTS];
        touch.friction[0] = [of(4), of(5), of(6)];
        let [_, tangent, beside] = self.directions.map(|direction| direction.lane(lane));
        touch.drag = tangent * of(4) + beside * of(5);
    }
}

/// How the two bodies of each lane move while their rows are solved.
pub(super) struct Motion<S: Simd> {
    /// The velocity of the second body relative to the first one, m/s, world.
    linear: Vec3<Lanes<S>>,
    /// Scaled and in principal axes, as the rows are.
    angular: [Vec3<Lanes<S>>; 2],
    /// The sum of the impulses on the second body, N s.
    momentum: Vec3<Lanes<S>>,
    /// The scaled linear velocities without them.
    before: [Vec3<Lanes<S>>; 2],
    /// The change of the relative velocity by an impulse.
    yields: Lanes<S>,
}

/// How a sweep changes a group.
#[derive(Clone, Copy)]
pub(super) struct Change<S: Simd> {
    /// The square of the largest change of a velocity in each lane.
    pub(super) largest: Lanes<S>,
    /// The square of the change as an energy.
    pub(super) square: Lanes<S>,
}

impl<S: Simd> Change<S> {
    #[inline(always)]
    pub(super) fn none(simd: S) -> Self {
        let zero = Lanes::splat(simd, 0.0);
        Self { largest: zero, square: zero }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self { largest: larger(self.largest, other.largest), square: self.square + other.square }
    }
}

/// The impulses of a group before a sweep, and the direction in which they go on.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    before: [Four; ROWS],
    direction: [Four; ROWS],
}

impl Direction {
    pub(super) fn of(group: &Group) -> Self {
        Self { before: group.impulses, direction: [Four::ZERO; ROWS] }
    }

    #[inline(always)]
    pub(super) fn go_on(&mut self, impulses: &mut [Four; ROWS], share: Option<Four>) {
        for (row, impulse) in impulses.iter_mut().enumerate() {
            go_on(impulse, &mut self.before[row], &mut self.direction[row], share);
        }
    }
}

/// The rows of a touch: four normals, two tangents, and about the normal.
pub(super) const ROWS: usize = POINTS + 3;

/// Opposite points.
pub(super) const PAIRS: [(usize, usize); 2] = [(0, 2), (1, 3)];

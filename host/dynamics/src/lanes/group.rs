//! Four touches, one in each lane.

use wide::f64x4;

use super::body::Velocity;
use super::vector::Vec3x4;
use crate::collider::Surface;
use crate::contacts::spread;
use crate::math::{larger, smaller};
use crate::narrow::POINTS;
use crate::pair::Touch;

/// The distance of a slot without a point: far apart.
const NOWHERE: f64 = -1e3;

/// One side of a row: the force times the inverse root of the mass, or the torque times those of the moments.
pub(super) type Sides = [Vec3x4; 2];

/// A group of touches. Points 0 and 2, and 1 and 3, are opposite to each other.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) count: usize,
    /// The pair and the number of each touch.
    pub(super) touches: [[usize; 2]; 4],
    /// One more than the indices of the bodies; zero in lanes without a touch.
    pub(super) bodies: [[usize; 4]; 2],
    // From the touches, in the frames of the bodies.
    pub(super) normal: Vec3x4,
    pub(super) tangent: Vec3x4,
    pub(super) points: [[Vec3x4; POINTS]; 2],
    pub(super) middles: Sides,
    pub(super) levers: [f64x4; POINTS],
    /// The points of the first body along the normal, less what is allowed of the overlap.
    pub(super) offsets: [f64x4; POINTS],
    pub(super) friction: f64x4,
    pub(super) restitution: f64x4,
    pub(super) threshold: f64x4,
    /// One in lanes without a touch.
    pub(super) idle: f64x4,
    /// Along the normals, along both tangents and about the normal.
    pub(super) impulses: [f64x4; 7],
    // The method of conjugate gradients.
    pub(super) before: [f64x4; 7],
    pub(super) direction: [f64x4; 7],
    // Rows.
    pub(super) forces: [Sides; 3],
    pub(super) torques: [Sides; 7],
    pub(super) yields: [f64x4; POINTS],
    pub(super) inverses: [f64x4; POINTS],
    pub(super) couplings: [f64x4; 2],
    pub(super) determinants: [f64x4; 2],
    /// The inverse of the matrix of both tangents: its diagonal, and beside it.
    pub(super) tangents: [f64x4; 3],
    /// One over what both yield at most.
    pub(super) sliding: f64x4,
    pub(super) turning: f64x4,
    pub(super) bias: [f64x4; POINTS],
    pub(super) relaxed: [f64x4; POINTS],
}

impl Default for Group {
    fn default() -> Self {
        let (zero, none) = (f64x4::splat(0.0), Vec3x4::default());
        let one = f64x4::splat(1.0);
        Self {
            count: 0,
            touches: [[0; 2]; 4],
            bodies: [[0; 4]; 2],
            normal: Vec3x4::new(zero, zero, one),
            tangent: Vec3x4::new(one, zero, zero),
            points: [[none; POINTS]; 2],
            middles: [none; 2],
            levers: [zero; POINTS],
            offsets: [f64x4::splat(NOWHERE); POINTS],
            friction: zero,
            restitution: zero,
            threshold: zero,
            idle: one,
            impulses: [zero; 7],
            before: [zero; 7],
            direction: [zero; 7],
            forces: [[none; 2]; 3],
            torques: [[none; 2]; 7],
            yields: [zero; POINTS],
            inverses: [zero; POINTS],
            couplings: [zero; 2],
            determinants: [zero; 2],
            tangents: [zero; 3],
            sliding: zero,
            turning: zero,
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
        let set = |number: &mut f64x4, value: f64| number.as_mut_array()[lane] = value;
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

    /// The velocities of both sides.
    #[inline(always)]
    pub(super) fn velocities(&self, velocities: &[f64x4]) -> (Velocity, Velocity) {
        let [one, other] = &self.bodies;
        (Velocity::load(velocities, one), Velocity::load(velocities, other))
    }

    #[inline(always)]
    pub(super) fn store(&self, velocities: &mut [f64x4], a: Velocity, b: Velocity) {
        let [one, other] = &self.bodies;
        a.store(velocities, one);
        b.store(velocities, other);
    }

    /// The velocity along a row: that of a force with a torque.
    #[inline(always)]
    pub(super) fn speed(&self, a: Velocity, b: Velocity, force: usize, torque: usize) -> f64x4 {
        let ([f1, f2], [t1, t2]) = (self.forces[force], self.torques[torque]);
        f2.dot(b.linear) + t2.dot(b.angular) - f1.dot(a.linear) - t1.dot(a.angular)
    }

    /// Applies impulses along all rows.
    #[inline(always)]
    pub(super) fn push(&self, a: &mut Velocity, b: &mut Velocity, impulses: &[f64x4; 7]) {
        let normal = impulses[0] + impulses[1] + impulses[2] + impulses[3];
        for (force, impulse) in self.forces.iter().zip([normal, impulses[4], impulses[5]]) {
            a.linear = a.linear - force[0] * impulse;
            b.linear = b.linear + force[1] * impulse;
        }
        for (torque, impulse) in self.torques.iter().zip(impulses) {
            a.angular = a.angular - torque[0] * *impulse;
            b.angular = b.angular + torque[1] * *impulse;
        }
    }

    /// Solves friction, and then the normals, which have the last word. Returns the square of the largest change of a
    /// velocity in each lane.
    #[inline(always)]
    pub(super) fn solve<const RELAX: bool>(&mut self, velocities: &mut [f64x4]) -> f64x4 {
        let (mut a, mut b) = self.velocities(velocities);
        let mut largest = self.solve_friction(&mut a, &mut b);
        for pair in 0..PAIRS.len() {
            largest = larger(largest, self.solve_pair::<RELAX>(&mut a, &mut b, pair));
        }
        self.store(velocities, a, b);
        largest
    }

    #[inline(always)]
    fn solve_friction(&mut self, a: &mut Velocity, b: &mut Velocity) -> f64x4 {
        let [t, u, w] = [self.speed(*a, *b, 1, 4), self.speed(*a, *b, 2, 5), self.turn(*a, *b)];
        let [n0, n1, n2, n3, old_t, old_u, old_w] = self.impulses;
        let most = self.friction * (n0 + n1 + n2 + n3);
        let lever = self.friction
            * (n0 * self.levers[0] + n1 * self.levers[1] + n2 * self.levers[2] + n3 * self.levers[3]);
        let [tt, uu, tu] = self.tangents;
        let (new_t, new_u) = (old_t - (tt * t + tu * u), old_u - (tu * t + uu * u));
        let square = new_t * new_t + new_u * new_u;
        // What slides is slowed down against its way: with the same step along both tangents.
        let is_over = square.simd_gt(most * most);
        let (way_t, way_u) = (old_t - self.sliding * t, old_u - self.sliding * u);
        let length = larger(way_t * way_t + way_u * way_u, most * most) + f64x4::splat(f64::MIN_POSITIVE);
        let scale = most / length.sqrt();
        let new_t = is_over.bitselect(way_t * scale, new_t);
        let new_u = is_over.bitselect(way_u * scale, new_u);
        let new_w = smaller(larger(old_w - self.turning * w, -lever), lever);
        let (t, u, w) = (new_t - old_t, new_u - old_u, new_w - old_w);
        (self.impulses[4], self.impulses[5], self.impulses[6]) = (new_t, new_u, new_w);
        let [[t1, t2], [u1, u2]] = [self.forces[1], self.forces[2]];
        a.linear = a.linear - t1 * t - u1 * u;
        b.linear = b.linear + t2 * t + u2 * u;
        let [[t1, t2], [u1, u2], [w1, w2]] = [self.torques[4], self.torques[5], self.torques[6]];
        a.angular = a.angular - t1 * t - u1 * u - w1 * w;
        b.angular = b.angular + t2 * t + u2 * u + w2 * w;
        (t * t + u * u) * (self.yields[0] * self.yields[0])
    }

    /// The velocity about the normal.
    #[inline(always)]
    fn turn(&self, a: Velocity, b: Velocity) -> f64x4 {
        let [one, other] = self.torques[6];
        other.dot(b.angular) - one.dot(a.angular)
    }

    #[inline(always)]
    fn solve_pair<const RELAX: bool>(&mut self, a: &mut Velocity, b: &mut Velocity, pair: usize) -> f64x4 {
        let zero = f64x4::splat(0.0);
        let (i, j) = PAIRS[pair];
        let bias = if RELAX { &self.relaxed } else { &self.bias };
        let (coupling, determinant) = (self.couplings[pair], self.determinants[pair]);
        let (k_i, k_j) = (self.yields[i], self.yields[j]);
        let (old_i, old_j) = (self.impulses[i], self.impulses[j]);
        // What remains of the velocities without these two impulses.
        let free_i = self.speed(*a, *b, 0, i) + bias[i] - k_i * old_i - coupling * old_j;
        let free_j = self.speed(*a, *b, 0, j) + bias[j] - coupling * old_i - k_j * old_j;
        let both_i = (coupling * free_j - k_j * free_i) * determinant;
        let both_j = (coupling * free_i - k_i * free_j) * determinant;
        let both = both_i.simd_ge(zero) & both_j.simd_ge(zero) & determinant.simd_gt(zero);
        let alone_i = larger(-(free_i * self.inverses[i]), zero);
        let alone_j = larger(-(free_j * self.inverses[j]), zero);
        let only_i = (coupling * alone_i + free_j).simd_ge(zero);
        let only_j = (coupling * alone_j + free_i).simd_ge(zero);
        // If nothing fits, because the rows are parallel, one after the other.
        let after_i = larger(-((free_j + coupling * alone_i) * self.inverses[j]), zero);
        let new_i = both.bitselect(both_i, only_i.bitselect(alone_i, only_j.bitselect(zero, alone_i)));
        let new_j = both.bitselect(both_j, only_i.bitselect(zero, only_j.bitselect(alone_j, after_i)));
        let (change_i, change_j) = (new_i - old_i, new_j - old_j);
        (self.impulses[i], self.impulses[j]) = (new_i, new_j);
        let (sum, force) = (change_i + change_j, self.forces[0]);
        a.linear = a.linear - force[0] * sum;
        b.linear = b.linear + force[1] * sum;
        let ([i1, i2], [j1, j2]) = (self.torques[i], self.torques[j]);
        a.angular = a.angular - i1 * change_i - j1 * change_j;
        b.angular = b.angular + i2 * change_i + j2 * change_j;
        let (one, other) = (change_i * k_i, change_j * k_j);
        larger(one * one, other * other)
    }

    pub(super) fn start(&mut self) {
        self.before = self.impulses;
        self.direction = [f64x4::splat(0.0); 7];
    }

    /// The square of the change of the last sweep, as an energy.
    #[inline(always)]
    pub(super) fn square(&self) -> f64x4 {
        let mut sum = f64x4::splat(0.0);
        for k in 0..7 {
            let change = self.impulses[k] - self.before[k];
            sum += change * change * self.weight(k);
        }
        sum
    }

    #[inline(always)]
    fn weight(&self, row: usize) -> f64x4 {
        match row {
            0..POINTS => self.yields[row],
            6 => f64x4::splat(1.0) / self.turning,
            _ => self.yields[0],
        }
    }

    /// Goes on in the direction of the sweeps before by a share of them; `None` begins again.
    #[inline(always)]
    pub(super) fn go_on(&mut self, velocities: &mut [f64x4], share: Option<f64>) {
        let Some(share) = share else {
            self.direction = [f64x4::splat(0.0); 7];
            self.before = self.impulses;
            return;
        };
        if share == 0.0 {
            for k in 0..7 {
                self.direction[k] = self.impulses[k] - self.before[k];
            }
            self.before = self.impulses;
            return;
        }
        let share = f64x4::splat(share);
        let mut way = [f64x4::splat(0.0); 7];
        for (k, way) in way.iter_mut().enumerate() {
            *way = self.direction[k] * share;
            self.direction[k] = *way + (self.impulses[k] - self.before[k]);
            self.impulses[k] += *way;
        }
        self.before = self.impulses;
        let (mut a, mut b) = self.velocities(velocities);
        self.push(&mut a, &mut b, &way);
        self.store(velocities, a, b);
    }

    /// Keeps the impulses of a lane.
    pub(super) fn keep(&self, lane: usize, touch: &mut Touch) {
        let count = touch.manifold.count;
        let of = |slot: usize| self.impulses[slot].as_array()[lane];
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
        let root = |side: usize, force: usize| self.forces[force][side].lane(lane);
        // The directions of friction in the world, from the side that moves.
        let direction = |force: usize| {
            let (one, other) = (root(0, force), root(1, force));
            if one.length_squared() > other.length_squared() { one } else { other }.normalize_or_zero()
        };
        touch.drag = direction(1) * of(4) + direction(2) * of(5);
    }
}

/// The rows of a touch: four normals, two tangents, and about the normal.
pub(super) const ROWS: usize = POINTS + 3;

/// Opposite points.
pub(super) const PAIRS: [(usize, usize); 2] = [(0, 2), (1, 3)];

//! Rows: scalar constraints on the velocities of bodies and trees, and how one of them is solved.
//!
//! A row has a side for each stretch of velocities that it depends on: a single body or a tree. A side has the row's
//! coefficients, and the change of the velocities by an impulse of one. Velocities of single bodies are scaled by the
//! roots of mass and moments and are in principal axes, so that both are the same numbers.

mod condense;
mod respond;

use bytemuck::cast_slice_mut;
use fearless_simd::prelude::*;
use glam::DVec3;

use crate::body::Owner;
use crate::four::{Four, Instructions, Lanes};
use crate::tree::NONE;
use crate::world::World;
use condense::Condensed;

/// A stretch of velocities with the numbers of a row, in groups of four.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The tree whose stretch it is, or [`NONE`].
    tree: usize,
    /// The beginning and the length of the stretch.
    from: usize,
    length: usize,
    /// Where the coefficients and the responses begin.
    row: usize,
    response: usize,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    sides: [usize; 2],
    /// The place of its velocity among the velocities if its tree is condensed, or [`NONE`].
    place: usize,
    /// The change of the velocity by an impulse, softness included, and one over it; zero if nothing yields.
    pub(crate) yields: f64,
    inverse: f64,
    softness: f64,
    /// Added to the velocity, with corrections of positions and without.
    bias: [f64; 2],
    pub(crate) range: [f64; 2],
    /// True if `range` is of the velocity instead of the impulse.
    pub(crate) is_speed_limit: bool,
    pub(crate) impulse: f64,
}

/// What a row is made of beside its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSpec {
    pub(crate) bias: [f64; 2],
    pub(crate) softness: f64,
    pub(crate) range: [f64; 2],
    pub(crate) impulse: f64,
}

/// A pass of the solver: with corrections of positions, or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Correct = 0,
    Relax = 1,
}

/// The rows of a step with the velocities that they act on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) instructions: Instructions,
    pub(crate) rows: Vec<Row>,
    sides: Vec<Side>,
    numbers: Vec<Four>,
    /// Velocities: two groups of four for nothing and for each body, then those of the trees that have rows.
    pub(crate) velocities: Vec<Four>,
    /// The first group of velocities that may change.
    pub(crate) moving: usize,
    /// The beginning of the velocities of each tree, or [`NONE`] if it has no rows.
    pub(crate) trees: Vec<usize>,
    /// The first side of the row that is being made.
    open: usize,
    /// The sides and rows whose responses are known.
    responded: usize,
    answered: usize,
    // Room for computing them.
    pending: Vec<(usize, usize)>,
    yields: Vec<f64>,
    lanes: Vec<Four>,
    condensed: Condensed,
}

/// The first group of a body's velocities. The first stretch belongs to nothing, and stays zero.
#[inline]
pub(crate) const fn stretch_of_body(body: usize) -> usize {
    2 * body + 2
}

impl Rows {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.sides.clear();
        self.numbers.clear();
        (self.open, self.responded, self.answered) = (0, 0, 0);
    }

    /// The side of a tree in the row that is being made.
    fn tree_side(&mut self, world: &World, index: usize) -> usize {
        let tree = &world.trees[index];
        if self.trees[index] == NONE {
            self.trees[index] = self.velocities.len();
            let groups = tree.velocities.chunks_exact(4).map(|v| Four::new([v[0], v[1], v[2], v[3]]));
            self.velocities.extend(groups);
        }
        self.side(index, self.trees[index], tree.skeleton.stride() / 4)
    }

    /// The coefficients of a side of the row that is being made.
    fn side(&mut self, tree: usize, from: usize, length: usize) -> usize {
        if let Some(place) = self.sides[self.open..].iter().position(|side| side.from == from) {
            return self.open + place;
        }
        let row = self.numbers.len();
        self.numbers.resize(row + length, Four::ZERO);
        self.sides.push(Side { tree, from, length, row, response: row });
        self.sides.len() - 1
    }

    /// Adds to the row that is being made a force and a torque on a body at a point of the world, times `sign`.
    pub(crate) fn add_wrench(
        &mut self,
        world: &World,
        body: usize,
        point: DVec3,
        wrench: [DVec3; 2],
        sign: f64,
    ) {
        let one = &world.bodies[body];
        if !one.is_awake() {
            return;
        }
        match one.owner {
            Owner::Caller => {}
            Owner::Forces => {
                let side = self.side(NONE, stretch_of_body(body), 2);
                let (root, roots) = one.roots;
                let axes = one.axes;
                let [force, torque] = wrench;
                let force_row = force * (root * sign);
                let torque = axes.transpose() * ((point - one.pose.translation).cross(force) + torque);
                let torque_row = torque * roots * sign;
                let row = self.sides[side].row;
                self.numbers[row] += Four::new([force_row.x, force_row.y, force_row.z, 0.0]);
                self.numbers[row + 1] += Four::new([torque_row.x, torque_row.y, torque_row.z, 0.0]);
            }
            Owner::Tree { tree, link } => {
                let of = &world.trees[tree];
                if of.skeleton.last_freedom(link) == NONE {
                    return;
                }
                let side = self.tree_side(world, tree);
                let Side { row, length, .. } = self.sides[side];
                let numbers = cast_slice_mut(&mut self.numbers[row..row + length]);
                of.add_wrench_row(link, point, wrench, sign, numbers);
            }
        }
    }

    /// Adds to the row that is being made the motion of the second body relative to the first one at a point, times `factor`.
    /// Returns the part of it that the caller prescribes.
    pub(crate) fn add_relative(
        &mut self,
        world: &World,
        bodies: [usize; 2],
        at: DVec3,
        wrench: [DVec3; 2],
        factor: f64,
    ) -> f64 {
        let mut prescribed = 0.0;
        for (body, sign) in bodies.into_iter().zip([-factor, factor]) {
            self.add_wrench(world, body, at, wrench, sign);
            let body = &world.bodies[body];
            if body.owner == Owner::Caller {
                prescribed += sign * (body.velocity_at(at).dot(wrench[0]) + body.velocity[1].dot(wrench[1]));
            }
        }
        prescribed
    }

    /// Adds a degree of freedom of a tree to the row that is being made.
    pub(crate) fn add_freedom(&mut self, world: &World, tree: usize, freedom: usize, factor: f64) {
        let side = self.tree_side(world, tree);
        let Side { row, length, .. } = self.sides[side];
        let numbers: &mut [f64] = cast_slice_mut(&mut self.numbers[row..row + length]);
        numbers[freedom] += factor;
    }

    /// Ends the row that is being made. Returns its index. It can be solved after [`Self::respond`].
    pub(crate) fn finish(&mut self, spec: RowSpec) -> usize {
        let sides = [self.open, self.sides.len()];
        self.open = self.sides.len();
        let RowSpec { bias, softness, range, impulse } = spec;
        let place = NONE;
        self.rows.push(Row {
            sides,
            place,
            yields: 0.0,
            inverse: 0.0,
            softness,
            bias,
            range,
            is_speed_limit: false,
            impulse,
        });
        self.rows.len() - 1
    }

    /// True if nothing yields to a row.
    pub(crate) fn is_rigid(&self, index: usize) -> bool {
        self.rows[index].inverse == 0.0
    }

    /// The velocity along a row.
    #[inline(always)]
    pub(crate) fn speed<S: Simd>(&self, simd: S, row: &Row) -> f64 {
        if row.place != NONE {
            return self.velocities[row.place / 4][row.place % 4];
        }
        let mut sum = Lanes::splat(simd, 0.0);
        for side in &self.sides[row.sides[0]..row.sides[1]] {
            let numbers = &self.numbers[side.row..side.row + side.length];
            let velocities = &self.velocities[side.from..side.from + side.length];
            for (number, velocity) in numbers.iter().zip(velocities) {
                sum += number.load(simd) * velocity.load(simd);
            }
        }
        Four::from(sum).sum()
    }

    /// Applies an impulse along a row.
    #[inline(always)]
    pub(crate) fn apply<S: Simd>(&mut self, simd: S, index: usize, impulse: f64) {
        let row = &self.rows[index];
        for side in &self.sides[row.sides[0]..row.sides[1]] {
            let numbers = &self.numbers[side.response..side.response + side.length];
            let velocities = &mut self.velocities[side.from..side.from + side.length];
            for (number, velocity) in numbers.iter().zip(velocities) {
                *velocity = (velocity.load(simd) + number.load(simd) * impulse).into();
            }
        }
    }

    /// The velocity along a row with its bias and softness, which a solved row has made zero.
    #[inline(always)]
    pub(crate) fn rest<S: Simd>(&self, simd: S, index: usize, pass: Pass) -> f64 {
        let row = &self.rows[index];
        self.speed(simd, row) + row.bias[pass as usize] + row.softness * row.impulse
    }

    /// Solves a row; returns the change of its velocity.
    #[inline(always)]
    pub(crate) fn solve<S: Simd>(&mut self, simd: S, index: usize, pass: Pass) -> f64 {
        let row = &self.rows[index];
        if row.inverse == 0.0 {
            return 0.0;
        }
        let rest = self.rest(simd, index, pass);
        let wanted = if row.is_speed_limit {
            // Only what exceeds the range is taken away.
            let free = rest - row.impulse / row.inverse;
            (free.clamp(row.range[0], row.range[1]) - free) * row.inverse
        } else {
            (row.impulse - row.inverse * rest).max(row.range[0]).min(row.range[1])
        };
        self.set_impulse(simd, index, wanted)
    }

    /// Solves two rows that only push, exactly; `coupling` is the change of the velocity of one by the other. Returns the
    /// largest change of a velocity.
    #[inline(always)]
    pub(crate) fn solve_pair<S: Simd>(
        &mut self,
        simd: S,
        [i, j]: [usize; 2],
        coupling: f64,
        pass: Pass,
    ) -> f64 {
        if self.is_rigid(i) || self.is_rigid(j) {
            return self.solve(simd, i, pass).abs().max(self.solve(simd, j, pass).abs());
        }
        let (old_i, old_j) = (self.rows[i].impulse, self.rows[j].impulse);
        let (k_i, k_j) = (1.0 / self.rows[i].inverse, 1.0 / self.rows[j].inverse);
        // What remains of the velocities without these two impulses.
        let free_i = self.rest(simd, i, pass) - k_i * old_i - coupling * old_j;
        let free_j = self.rest(simd, j, pass) - k_j * old_j - coupling * old_i;
        let determinant = k_i * k_j - coupling * coupling;
        let alone_i = (-free_i / k_i).max(0.0);
        let alone_j = (-free_j / k_j).max(0.0);
        let mut wanted = [alone_i, (-(free_j + coupling * alone_i) / k_j).max(0.0)];
        if determinant > 1e-10 * k_i * k_j {
            let both = [coupling * free_j - k_j * free_i, coupling * free_i - k_i * free_j];
            if both[0] >= 0.0 && both[1] >= 0.0 {
                wanted = [both[0] / determinant, both[1] / determinant];
            } else if coupling * alone_i + free_j >= 0.0 {
                wanted = [alone_i, 0.0];
            } else if coupling * alone_j + free_i >= 0.0 {
                wanted = [0.0, alone_j];
            }
        }
        let change = self.set_impulse(simd, i, wanted[0]).abs();
        change.max(self.set_impulse(simd, j, wanted[1]).abs())
    }

    /// Gives a row an impulse; returns the change of its velocity.
    #[inline(always)]
    pub(crate) fn set_impulse<S: Simd>(&mut self, simd: S, index: usize, wanted: f64) -> f64 {
        let row = &mut self.rows[index];
        let change = wanted - row.impulse;
        let inverse = row.inverse;
        if change == 0.0 {
            return 0.0;
        }
        row.impulse = wanted;
        self.apply(simd, index, change);
        change / inverse
    }

    /// One over the change of a row's velocity by an impulse.
    pub(crate) fn inverse(&self, index: usize) -> f64 {
        self.rows[index].inverse
    }

    /// Makes a row give way to its impulse.
    pub(crate) fn soften(&mut self, index: usize, softness: f64) {
        self.rows[index].softness += softness;
    }

    pub(crate) fn softness(&self, index: usize) -> f64 {
        self.rows[index].softness
    }

    /// The change of the velocity along one row by an impulse along another.
    pub(crate) fn coupling(&self, one: usize, other: usize) -> f64 {
        let (one, other) = (&self.rows[one], &self.rows[other]);
        let mut sum = Four::ZERO;
        for side in &self.sides[one.sides[0]..one.sides[1]] {
            for matching in &self.sides[other.sides[0]..other.sides[1]] {
                if side.from == matching.from {
                    let rows = &self.numbers[side.row..side.row + side.length];
                    let responses = &self.numbers[matching.response..matching.response + matching.length];
                    for (number, response) in rows.iter().zip(responses) {
                        sum += *number * *response;
                    }
                }
            }
        }
        sum.sum()
    }

    /// Adds to both biases of a row.
    pub(crate) fn add_bias(&mut self, index: usize, bias: f64) {
        self.rows[index].bias.iter_mut().for_each(|one| *one += bias);
    }
}

//! The responses of rows: how an impulse along each changes the velocities.

use fearless_simd::dispatch;
use fearless_simd::prelude::*;

use super::{Rows, Side};
use crate::four::Four;
use crate::tree::NONE;
use crate::world::World;

/// What yields less to an impulse does not yield at all, m/s for each N s: it is rounding.
const RIGID: f64 = 1e-20;

impl Rows {
    /// Computes the responses of all rows that were made since the last call, those of one tree four at a time.
    pub(crate) fn respond(&mut self, world: &World) {
        dispatch!(self.instructions.0, simd => self.respond_in(simd, world));
    }

    #[inline(always)]
    fn respond_in<S: Simd>(&mut self, simd: S, world: &World) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        self.yields.clear();
        self.yields.resize(self.sides.len() - self.responded, 0.0);
        for index in self.responded..self.sides.len() {
            let Side { tree, length, row, .. } = self.sides[index];
            if tree == NONE {
                let square = (row..row + length).map(|place| self.numbers[place] * self.numbers[place]);
                let square = square.fold(Four::ZERO, |sum, one| sum + one);
                self.yields[index - self.responded] = square.sum();
            } else {
                pending.push((tree, index));
            }
        }
        // The order within a tree stays that of the rows.
        pending.sort_unstable();
        for of_tree in pending.chunk_by(|one, other| one.0 == other.0) {
            for four in of_tree.chunks(4) {
                self.respond_of_tree(simd, world, four);
            }
        }
        self.pending = pending;
        for index in self.answered..self.rows.len() {
            let row = &self.rows[index];
            let sides = row.sides[0] - self.responded..row.sides[1] - self.responded;
            let yields: f64 = self.yields[sides].iter().sum();
            let row = &mut self.rows[index];
            if yields > RIGID {
                row.yields = yields + row.softness;
                row.inverse = 1.0 / row.yields;
            } else {
                row.impulse = 0.0;
            }
        }
        (self.responded, self.answered) = (self.sides.len(), self.rows.len());
    }

    /// Computes the responses of up to four sides of one tree.
    #[inline(always)]
    fn respond_of_tree<S: Simd>(&mut self, simd: S, world: &World, sides: &[(usize, usize)]) {
        let Some(&(tree, first)) = sides.first() else { return };
        let length = self.sides[first].length;
        let mut lanes = std::mem::take(&mut self.lanes);
        lanes.clear();
        lanes.resize(4 * length, Four::ZERO);
        let response = self.numbers.len();
        self.numbers.resize(response + sides.len() * length, Four::ZERO);
        for group in 0..length {
            let mut rows = [Four::ZERO; 4];
            for (row, (_, side)) in rows.iter_mut().zip(sides) {
                *row = self.numbers[self.sides[*side].row + group];
            }
            lanes[4 * group..4 * group + 4].copy_from_slice(&Four::transpose(rows));
        }
        world.trees[tree].solve_four(simd, &mut lanes);
        for group in 0..length {
            let first = 4 * group;
            let solved = [lanes[first], lanes[first + 1], lanes[first + 2], lanes[first + 3]];
            let solved = Four::transpose(solved);
            for (lane, (_, side)) in sides.iter().enumerate() {
                self.numbers[response + lane * length + group] = solved[lane];
                let product = self.numbers[self.sides[*side].row + group] * solved[lane];
                self.yields[side - self.responded] += product.sum();
            }
        }
        for (lane, (_, side)) in sides.iter().enumerate() {
            self.sides[*side].response = response + lane * length;
        }
        self.lanes = lanes;
    }
}

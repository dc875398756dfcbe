//! Trees of which every row depends on nothing else, such as those of a robot on the ground.
//!
//! For these, the velocities along the rows take the place of the velocities of the tree: an impulse along one row changes
//! those along the others by a column of J M⁻¹ Jᵀ. A sweep then reads one number for each row, and no sum waits for
//! another. The velocities of the tree follow from all impulses at the end.

use bytemuck::{cast_slice, cast_slice_mut};
use fearless_simd::prelude::*;

use super::{Rows, Side};
use crate::four::{Four, Lanes};
use crate::tree::NONE;

/// With fewer rows it does not pay. Nor does it if they are more than the degrees of freedom: the columns would be longer
/// than what they replace.
const MIN: usize = 4;

/// The number of rows of a tree if one of them depends on something else as well.
const SHARED: usize = usize::MAX;

/// Which trees are condensed in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Condensed {
    /// The number of rows of each tree, or [`SHARED`].
    counts: Vec<usize>,
    /// The tree, the row, and its side before.
    members: Vec<(usize, usize, Side)>,
    // Room for computing.
    transposed: Vec<Four>,
    column: Vec<Four>,
}

impl Rows {
    /// Condenses the trees for which it pays. All rows have been made, and none was applied.
    #[inline(always)]
    pub(crate) fn condense<S: Simd>(&mut self, simd: S) {
        let mut condensed = std::mem::take(&mut self.condensed);
        condensed.find(self);
        for members in condensed.members.chunk_by(|one, other| one.0 == other.0) {
            let (transposed, column) = (&mut condensed.transposed, &mut condensed.column);
            let width = members.len().div_ceil(4);
            self.transpose(members, width, transposed);
            let Side { from, length, .. } = members[0].2;
            let place = self.velocities.len();
            column.clear();
            column.extend_from_slice(&self.velocities[from..from + length]);
            multiply(simd, transposed, width, column, &mut self.velocities);
            for (index, (tree, row, side)) in members.iter().enumerate() {
                column.clear();
                column.extend_from_slice(&self.numbers[side.response..side.response + length]);
                let response = self.numbers.len();
                multiply(simd, transposed, width, column, &mut self.numbers);
                let row = &mut self.rows[*row];
                row.sides = [self.sides.len(), self.sides.len() + 1];
                row.place = 4 * place + index;
                self.sides.push(Side { tree: *tree, from: place, length: width, row: response, response });
            }
        }
        self.condensed = condensed;
    }

    /// The coefficients of some rows of a tree: for each degree of freedom those of all rows.
    fn transpose(&self, members: &[(usize, usize, Side)], width: usize, transposed: &mut Vec<Four>) {
        transposed.clear();
        transposed.resize(4 * members[0].2.length * width, Four::ZERO);
        let numbers: &mut [f64] = cast_slice_mut(transposed);
        for (index, (_, _, side)) in members.iter().enumerate() {
            let row: &[f64] = cast_slice(&self.numbers[side.row..side.row + side.length]);
            for (freedom, number) in row.iter().enumerate() {
                numbers[4 * freedom * width + index] = *number;
            }
        }
    }

    /// Copies the solved velocities of a tree that has rows.
    pub(crate) fn read_tree(&self, tree: usize, velocities: &mut [f64]) {
        let from = self.trees[tree];
        velocities.copy_from_slice(cast_slice(&self.velocities[from..from + velocities.len() / 4]));
        let members = &self.condensed.members;
        let first = members.partition_point(|member| member.0 < tree);
        for (_, row, side) in members[first..].iter().take_while(|member| member.0 == tree) {
            let impulse = self.rows[*row].impulse;
            let response: &[f64] = cast_slice(&self.numbers[side.response..side.response + side.length]);
            for (velocity, response) in velocities.iter_mut().zip(response) {
                *velocity += impulse * response;
            }
        }
    }
}

impl Condensed {
    /// Finds the rows of trees that are condensed, tree by tree.
    fn find(&mut self, rows: &Rows) {
        self.counts.clear();
        self.counts.resize(rows.trees.len(), 0);
        self.members.clear();
        for (index, row) in rows.rows.iter().enumerate() {
            let sides = &rows.sides[row.sides[0]..row.sides[1]];
            for side in sides.iter().filter(|side| side.tree != NONE) {
                let count = &mut self.counts[side.tree];
                *count = if sides.len() == 1 && *count != SHARED { *count + 1 } else { SHARED };
                self.members.push((side.tree, index, *side));
            }
        }
        let counts = &self.counts;
        self.members.retain(|(tree, _, side)| (MIN..=4 * side.length).contains(&counts[*tree]));
        self.members.sort_unstable_by_key(|(tree, row, _)| (*tree, *row));
    }
}

/// Appends the product of the transposed matrix of some rows with a vector.
#[inline(always)]
fn multiply<S: Simd>(simd: S, transposed: &[Four], width: usize, vector: &[Four], out: &mut Vec<Four>) {
    let vector: &[f64] = cast_slice(vector);
    for group in 0..width {
        let mut sum = Lanes::splat(simd, 0.0);
        for (number, coefficients) in vector.iter().zip(transposed.chunks_exact(width)) {
            sum += coefficients[group].load(simd) * *number;
        }
        out.push(sum.into());
    }
}

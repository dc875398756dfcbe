//! Rows that hold exactly, such as those of a joint that closes a loop, solved together.

use fearless_simd::Simd;

use crate::rows::{Pass, Rows};

/// Rows without a range that depend on each other, with the factors of their matrix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    rows: Vec<usize>,
    /// The lower triangle L of LDLᵀ, row by row, with the inverse of D on its diagonal.
    factors: Vec<f64>,
}

/// What is added to the diagonal, relative to it, so that rows which say the same, as in a planar loop, share the load.
const SOFT: f64 = 1e-7;

impl Block {
    /// Factors the matrix of rows that were made.
    pub(crate) fn new(rows: &mut Rows, indices: Vec<usize>) -> Self {
        let n = indices.len();
        let mut factors = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                factors[i * n + j] = rows.coupling(indices[i], indices[j]);
            }
            rows.soften(indices[i], SOFT * factors[i * n + i]);
            factors[i * n + i] += rows.softness(indices[i]);
        }
        for i in 0..n {
            for j in 0..i {
                let mut sum = factors[i * n + j];
                for k in 0..j {
                    sum -= factors[i * n + k] * factors[j * n + k];
                }
                factors[i * n + j] = sum;
            }
            let mut diagonal = factors[i * n + i];
            let least = diagonal * 1e-12;
            for j in 0..i {
                let scaled = factors[i * n + j] * factors[j * n + j];
                diagonal -= scaled * factors[i * n + j];
                factors[i * n + j] = scaled;
            }
            factors[i * n + i] = 1.0 / diagonal.max(least);
        }
        Self { rows: indices, factors }
    }

    /// Solves all rows at once; returns the largest change of a velocity.
    #[inline(always)]
    pub(crate) fn solve<S: Simd>(&self, simd: S, rows: &mut Rows, pass: Pass, scratch: &mut Vec<f64>) -> f64 {
        let n = self.rows.len();
        scratch.clear();
        let mut largest: f64 = 0.0;
        for &row in &self.rows {
            let rest = rows.rest(simd, row, pass);
            largest = largest.max(rest.abs());
            scratch.push(-rest);
        }
        for i in 0..n {
            for j in 0..i {
                scratch[i] -= self.factors[i * n + j] * scratch[j];
            }
        }
        for i in (0..n).rev() {
            scratch[i] *= self.factors[i * n + i];
            for j in i + 1..n {
                scratch[i] -= self.factors[j * n + i] * scratch[j];
            }
        }
        for (place, &row) in self.rows.iter().enumerate() {
            let impulse = rows.rows[row].impulse + scratch[place];
            rows.set_impulse(simd, row, impulse);
        }
        largest
    }
}

//! Factors the mass matrix of a tree as LᵀDL, which keeps the zeros of its branches, and solves with it.
//!
//! The six degrees of freedom of a free root are below all others, so that they are a block of fixed size.

use std::ops::{Mul, Sub};

use super::{NONE, Tree};
use crate::four::Four;

/// The degrees of freedom of a free root.
const ROOT: usize = 6;

/// The least share of a diagonal element that is left when the links beyond it are free to move. A smaller one is lost in the
/// last digits: a light link that carries one of 10¹⁵ times its mass.
const LEAST: f64 = 1e-14;

impl Tree {
    /// Factors the mass matrix in place.
    pub(super) fn factor(&mut self) {
        let (up, stride) = (&self.skeleton.up, self.skeleton.stride());
        let first = self.first_joint_freedom();
        let (matrix, inverses) = (&mut self.work.matrix, &mut self.work.inverse);
        for (k, least) in inverses.iter_mut().enumerate() {
            *least = LEAST * matrix[k * stride + k];
        }
        for k in (first..self.skeleton.freedoms).rev() {
            let (above, row) = matrix.split_at_mut(k * stride);
            let inverse = 1.0 / row[k].max(inverses[k]);
            inverses[k] = inverse;
            let mut i = up[k];
            while i != NONE && i >= first {
                let factor = row[i] * inverse;
                let other = &mut above[i * stride..(i + 1) * stride];
                let mut j = i;
                while j != NONE && j >= first {
                    other[j] -= factor * row[j];
                    j = up[j];
                }
                if first == ROOT {
                    for (one, own) in other[..ROOT].iter_mut().zip(&row[..ROOT]) {
                        *one -= factor * own;
                    }
                }
                row[i] = factor;
                i = up[i];
            }
            if first == ROOT {
                for i in 0..ROOT {
                    let factor = row[i] * inverse;
                    let other = &mut above[i * stride..i * stride + ROOT];
                    for (one, own) in other[..=i].iter_mut().zip(&row[..=i]) {
                        *one -= factor * own;
                    }
                }
                row[..ROOT].iter_mut().for_each(|one| *one *= inverse);
            }
        }
        for k in (0..first).rev() {
            let (above, row) = matrix.split_at_mut(k * stride);
            let inverse = 1.0 / row[k].max(inverses[k]);
            inverses[k] = inverse;
            for i in 0..k {
                let factor = row[i] * inverse;
                for (one, own) in above[i * stride..=i * stride + i].iter_mut().zip(&row[..=i]) {
                    *one -= factor * own;
                }
            }
            row[..k].iter_mut().for_each(|one| *one *= inverse);
        }
    }

    /// Turns generalised forces into accelerations: of one kind, or of four kinds at once.
    pub(crate) fn solve<N: Number>(&self, x: &mut [N]) {
        let (up, stride) = (&self.skeleton.up, self.skeleton.stride());
        let first = self.first_joint_freedom();
        let (matrix, inverses) = (&self.work.matrix, &self.work.inverse);
        for k in (first..self.skeleton.freedoms).rev() {
            let value = x[k];
            if value.is_zero() {
                continue;
            }
            let row = &matrix[k * stride..(k + 1) * stride];
            let mut i = up[k];
            while i != NONE && i >= first {
                x[i] = x[i] - value * N::of(row[i]);
                i = up[i];
            }
            if first == ROOT {
                for (one, factor) in x[..ROOT].iter_mut().zip(&row[..ROOT]) {
                    *one = *one - value * N::of(*factor);
                }
            }
        }
        self.solve_root(x);
        for k in first..self.skeleton.freedoms {
            let row = &matrix[k * stride..(k + 1) * stride];
            let mut value = x[k] * N::of(inverses[k]);
            if first == ROOT {
                for (one, factor) in x[..ROOT].iter().zip(&row[..ROOT]) {
                    value = value - *one * N::of(*factor);
                }
            }
            let mut i = up[k];
            while i != NONE && i >= first {
                value = value - x[i] * N::of(row[i]);
                i = up[i];
            }
            x[k] = value;
        }
    }

    /// The part of a free root.
    #[inline]
    fn solve_root<N: Number>(&self, x: &mut [N]) {
        if !self.skeleton.is_free {
            return;
        }
        let (matrix, stride) = (&self.work.matrix, self.skeleton.stride());
        let x = &mut x[..ROOT];
        for k in (0..ROOT).rev() {
            let row = &matrix[k * stride..k * stride + ROOT];
            for i in 0..k {
                x[i] = x[i] - x[k] * N::of(row[i]);
            }
        }
        for k in 0..ROOT {
            let row = &matrix[k * stride..k * stride + ROOT];
            let mut value = x[k] * N::of(self.work.inverse[k]);
            for i in 0..k {
                value = value - x[i] * N::of(row[i]);
            }
            x[k] = value;
        }
    }
}

/// A number, or one in each of four lanes.
pub(crate) trait Number: Copy + Sub<Output = Self> + Mul<Output = Self> {
    /// The number in all lanes.
    fn of(number: f64) -> Self;
    /// True if it is zero in all lanes.
    fn is_zero(self) -> bool;
}

impl Number for f64 {
    #[inline(always)]
    fn of(number: f64) -> Self {
        number
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0.0
    }
}

impl Number for Four {
    #[inline(always)]
    fn of(number: f64) -> Self {
        Self::splat(number)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.to_array() == [0.0; 4]
    }
}

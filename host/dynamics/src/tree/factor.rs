//! Factors the mass matrix of a tree as LᵀDL, which keeps the zeros of its branches, and solves with it.
//!
//! The six degrees of freedom of a free root are below all others, so that they are a block of fixed size.

use fearless_simd::Simd;

use super::{NONE, Tree};
use crate::four::Four;

/// The degrees of freedom of a free root.
const ROOT: usize = 6;

/// The least share of a diagonal element that is left when the links beyond it are free to move. A smaller one is lost in the
/// last digits: a light link that carries one of 10¹⁵ times its mass.
const MIN: f64 = 1e-14;

impl Tree {
    /// Factors the mass matrix in place.
    pub(super) fn factor(&mut self) {
        let (up, stride) = (&self.skeleton.up, self.skeleton.stride());
        let first = self.first_joint_freedom();
        let (matrix, inverses) = (&mut self.work.matrix, &mut self.work.inverse);
        for (k, least) in inverses.iter_mut().enumerate() {
            *least = MIN * matrix[k * stride + k];
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

    /// Turns generalised forces into accelerations.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        self.solve_kind(One, x);
    }

    /// Turns generalised forces of four kinds into accelerations.
    #[inline(always)]
    pub(crate) fn solve_four<S: Simd>(&self, simd: S, x: &mut [Four]) {
        self.solve_kind(InLanes(simd), x);
    }

    #[inline(always)]
    fn solve_kind<K: Kind>(&self, kind: K, x: &mut [K::Number]) {
        let (up, stride) = (&self.skeleton.up, self.skeleton.stride());
        let first = self.first_joint_freedom();
        let (matrix, inverses) = (&self.work.matrix, &self.work.inverse);
        for k in (first..self.skeleton.freedoms).rev() {
            let value = x[k];
            if kind.is_zero(value) {
                continue;
            }
            let row = &matrix[k * stride..(k + 1) * stride];
            let mut i = up[k];
            while i != NONE && i >= first {
                x[i] = kind.less(x[i], value, row[i]);
                i = up[i];
            }
            if first == ROOT {
                for (one, factor) in x[..ROOT].iter_mut().zip(&row[..ROOT]) {
                    *one = kind.less(*one, value, *factor);
                }
            }
        }
        self.solve_root(kind, x);
        for k in first..self.skeleton.freedoms {
            let row = &matrix[k * stride..(k + 1) * stride];
            let mut value = kind.times(x[k], inverses[k]);
            if first == ROOT {
                for (one, factor) in x[..ROOT].iter().zip(&row[..ROOT]) {
                    value = kind.less(value, *one, *factor);
                }
            }
            let mut i = up[k];
            while i != NONE && i >= first {
                value = kind.less(value, x[i], row[i]);
                i = up[i];
            }
            x[k] = value;
        }
    }

    /// The part of a free root.
    #[inline(always)]
    fn solve_root<K: Kind>(&self, kind: K, x: &mut [K::Number]) {
        if !self.skeleton.is_free {
            return;
        }
        let (matrix, stride) = (&self.work.matrix, self.skeleton.stride());
        let x = &mut x[..ROOT];
        for k in (0..ROOT).rev() {
            let row = &matrix[k * stride..k * stride + ROOT];
            for i in 0..k {
                x[i] = kind.less(x[i], x[k], row[i]);
            }
        }
        for k in 0..ROOT {
            let row = &matrix[k * stride..k * stride + ROOT];
            let mut value = kind.times(x[k], self.work.inverse[k]);
            for i in 0..k {
                value = kind.less(value, x[i], row[i]);
            }
            x[k] = value;
        }
    }
}

/// How numbers are solved: one at a time, or four.
trait Kind: Copy {
    type Number: Copy;

    fn times(self, number: Self::Number, factor: f64) -> Self::Number;
    /// The number less another one times a factor.
    fn less(self, number: Self::Number, other: Self::Number, factor: f64) -> Self::Number;
    fn is_zero(self, number: Self::Number) -> bool;
}

#[derive(Clone, Copy)]
struct One;

impl Kind for One {
    type Number = f64;

    #[inline(always)]
    fn times(self, number: f64, factor: f64) -> f64 {
        number * factor
    }

    #[inline(always)]
    fn less(self, number: f64, other: f64, factor: f64) -> f64 {
        number - other * factor
    }

    #[inline(always)]
    fn is_zero(self, number: f64) -> bool {
        number == 0.0
    }
}

#[derive(Clone, Copy)]
struct InLanes<S>(S);

impl<S: Simd> Kind for InLanes<S> {
    type Number = Four;

    #[inline(always)]
    fn times(self, number: Four, factor: f64) -> Four {
        (number.load(self.0) * factor).into()
    }

    #[inline(always)]
    fn less(self, number: Four, other: Four, factor: f64) -> Four {
        (number.load(self.0) - other.load(self.0) * factor).into()
    }

    #[inline(always)]
    fn is_zero(self, number: Four) -> bool {
        number == Four::ZERO
    }
}

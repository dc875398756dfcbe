//! Four numbers at once: in memory, and in the registers of the processor that runs.
//!
//! [`Four`] is what is kept. Loops that matter compute with [`Lanes`] of an instruction set, for which they are compiled
//! once each; [`Instructions`] chooses when the world is made. Only operations whose result is exact or
//! correctly rounded are used, none that multiplies and adds at once, so that all instruction sets give the same bits.

use std::ops::{Add, AddAssign, Index, Mul, Sub};

use bytemuck::{Pod, Zeroable};
use fearless_simd::Level;
use fearless_simd::prelude::*;

/// The instruction set that loops are compiled for and that is used: the best one of the processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instructions(pub(crate) Level);

impl Default for Instructions {
    fn default() -> Self {
        Self(Level::new())
    }
}

/// Four numbers in registers.
pub(crate) type Lanes<S> = fearless_simd::f64x4<S>;

/// Four numbers in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Four([f64; 4]);

impl Four {
    pub(crate) const ZERO: Self = Self([0.0; 4]);

    #[inline(always)]
    pub(crate) const fn new(numbers: [f64; 4]) -> Self {
        Self(numbers)
    }

    #[inline(always)]
    pub(crate) const fn splat(number: f64) -> Self {
        Self([number; 4])
    }

    #[inline(always)]
    pub(crate) const fn to_array(self) -> [f64; 4] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, number: f64) {
        self.0[lane] = number;
    }

    #[inline(always)]
    pub(crate) fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }

    #[inline(always)]
    pub(crate) fn load<S: Simd>(&self, simd: S) -> Lanes<S> {
        Lanes::load_array_ref(simd, &self.0)
    }

    #[inline(always)]
    pub(crate) fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let column = |k: usize| Self([a.0[k], b.0[k], c.0[k], d.0[k]]);
        [column(0), column(1), column(2), column(3)]
    }
}

impl<S: Simd> From<Lanes<S>> for Four {
    #[inline(always)]
    fn from(lanes: Lanes<S>) -> Self {
        Self(lanes.into())
    }
}

impl Index<usize> for Four {
    type Output = f64;
    #[inline(always)]
    fn index(&self, lane: usize) -> &f64 {
        &self.0[lane]
    }
}

impl Add for Four {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a + e, b + f, c + g, d + h])
    }
}

impl AddAssign for Four {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Four {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a - e, b - f, c - g, d - h])
    }
}

impl Mul for Four {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a * e, b * f, c * g, d * h])
    }
}

/// Takes several from memory. No closures: they would not be compiled for the instruction set.
#[inline(always)]
pub(crate) fn load_all<S: Simd, const N: usize>(simd: S, from: &[Four; N]) -> [Lanes<S>; N] {
    let mut all = [Lanes::splat(simd, 0.0); N];
    for (lanes, four) in all.iter_mut().zip(from) {
        *lanes = four.load(simd);
    }
    all
}

/// The larger number of each lane, or the second one if they are equal or not numbers.
#[inline(always)]
pub(crate) fn larger<S: Simd>(one: Lanes<S>, other: Lanes<S>) -> Lanes<S> {
    one.simd_gt(other).select(one, other)
}

/// The smaller number of each lane, or the second one if they are equal or not numbers.
#[inline(always)]
pub(crate) fn smaller<S: Simd>(one: Lanes<S>, other: Lanes<S>) -> Lanes<S> {
    one.simd_lt(other).select(one, other)
}

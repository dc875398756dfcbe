//! Vectors and matrices in four lanes.

use std::ops::{Add, Mul, Neg, Sub};

use fearless_simd::prelude::*;
use glam::DVec3;

use crate::four::{Four, Lanes};

/// A vector in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vec3<N> {
    pub(super) x: N,
    pub(super) y: N,
    pub(super) z: N,
}

impl Vec3<Four> {
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S) -> Vec3<Lanes<S>> {
        Vec3::new(self.x.load(simd), self.y.load(simd), self.z.load(simd))
    }

    pub(super) fn lane(self, lane: usize) -> DVec3 {
        DVec3::new(self.x[lane], self.y[lane], self.z[lane])
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, vector: DVec3) {
        self.x.set(lane, vector.x);
        self.y.set(lane, vector.y);
        self.z.set(lane, vector.z);
    }
}

/// Takes several from memory.
#[inline(always)]
pub(super) fn load_all<S: Simd, const N: usize>(simd: S, from: &[Vec3<Four>; N]) -> [Vec3<Lanes<S>>; N] {
    let zero = Lanes::splat(simd, 0.0);
    let mut all = [Vec3::new(zero, zero, zero); N];
    for (lanes, vector) in all.iter_mut().zip(from) {
        *lanes = vector.load(simd);
    }
    all
}

impl<S: Simd> From<Vec3<Lanes<S>>> for Vec3<Four> {
    #[inline(always)]
    fn from(vector: Vec3<Lanes<S>>) -> Self {
        Self::new(vector.x.into(), vector.y.into(), vector.z.into())
    }
}

impl<N> Vec3<N> {
    #[inline(always)]
    pub(super) const fn new(x: N, y: N, z: N) -> Self {
        Self { x, y, z }
    }
}

impl<S: Simd> Vec3<Lanes<S>> {
    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> Lanes<S> {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Component by component.
    #[inline(always)]
    pub(super) fn times(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    #[inline(always)]
    pub(super) fn square(self) -> Lanes<S> {
        self.dot(self)
    }
}

impl<S: Simd> Add for Vec3<Lanes<S>> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<S: Simd> Sub for Vec3<Lanes<S>> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<S: Simd> Neg for Vec3<Lanes<S>> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<S: Simd> Mul<Lanes<S>> for Vec3<Lanes<S>> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: Lanes<S>) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

/// A matrix in each lane, by columns.
#[derive(Clone, Copy)]
pub(super) struct Mat3<S: Simd> {
    pub(super) columns: [Vec3<Lanes<S>>; 3],
}

impl<S: Simd> Mat3<S> {
    #[inline(always)]
    pub(super) fn times(&self, v: Vec3<Lanes<S>>) -> Vec3<Lanes<S>> {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }

    #[inline(always)]
    pub(super) fn transposed_times(&self, v: Vec3<Lanes<S>>) -> Vec3<Lanes<S>> {
        Vec3::new(self.columns[0].dot(v), self.columns[1].dot(v), self.columns[2].dot(v))
    }
}

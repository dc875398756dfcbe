//! Vectors and matrices in four lanes.

use std::ops::{Add, Mul, Neg, Sub};

use glam::DVec3;
use wide::f64x4;

/// A vector in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vec3x4 {
    pub(super) x: f64x4,
    pub(super) y: f64x4,
    pub(super) z: f64x4,
}

impl Vec3x4 {
    #[inline(always)]
    pub(super) fn new(x: f64x4, y: f64x4, z: f64x4) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> f64x4 {
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
    pub(super) fn square(self) -> f64x4 {
        self.dot(self)
    }

    pub(super) fn lane(self, lane: usize) -> DVec3 {
        DVec3::new(self.x.as_array()[lane], self.y.as_array()[lane], self.z.as_array()[lane])
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, vector: DVec3) {
        self.x.as_mut_array()[lane] = vector.x;
        self.y.as_mut_array()[lane] = vector.y;
        self.z.as_mut_array()[lane] = vector.z;
    }
}

impl Add for Vec3x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Vec3x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64x4> for Vec3x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64x4) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

/// A matrix in each lane, by columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mat3x4 {
    pub(super) columns: [Vec3x4; 3],
}

impl Mat3x4 {
    #[inline(always)]
    pub(super) fn times(&self, v: Vec3x4) -> Vec3x4 {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }

    #[inline(always)]
    pub(super) fn transposed_times(&self, v: Vec3x4) -> Vec3x4 {
        Vec3x4::new(self.columns[0].dot(v), self.columns[1].dot(v), self.columns[2].dot(v))
    }
}

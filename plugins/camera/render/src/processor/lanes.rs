//! Four neighbouring pixels.

use glam::Vec3;
use wide::f32x4;

use super::functions::Bounded as _;

/// Pixels that are worked on at once.
pub(super) const LANES: usize = 4;

/// 0 to 3.
pub(super) const STEPS: f32x4 = f32x4::new([0.0, 1.0, 2.0, 3.0]);

/// A vector for each pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vectors {
    pub(super) x: f32x4,
    pub(super) y: f32x4,
    pub(super) z: f32x4,
}

impl Vectors {
    pub(super) fn splat(vector: Vec3) -> Self {
        Vectors { x: f32x4::splat(vector.x), y: f32x4::splat(vector.y), z: f32x4::splat(vector.z) }
    }

    pub(super) fn of(values: [f32x4; 3]) -> Self {
        let [x, y, z] = values;
        Vectors { x, y, z }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Vectors) -> f32x4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn scale(self, factor: f32x4) -> Self {
        Vectors { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Vectors) -> Self {
        Vectors { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Vectors) -> Self {
        Vectors { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    #[inline(always)]
    pub(super) fn times(self, other: Vectors) -> Self {
        Vectors { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    /// Returns the components limited to 0 and 1.
    #[inline(always)]
    pub(super) fn limited(self) -> Self {
        let limited = |value: f32x4| value.at_least(f32x4::ZERO).at_most(f32x4::ONE);
        Vectors { x: limited(self.x), y: limited(self.y), z: limited(self.z) }
    }

    #[inline(always)]
    pub(super) fn length(self) -> f32x4 {
        self.dot(self).sqrt()
    }

    #[inline(always)]
    pub(super) fn normalize(self) -> Self {
        self.scale(f32x4::ONE / self.length().at_least(f32x4::splat(1e-30)))
    }

    /// Returns `self` where the mask is set, and `other` elsewhere.
    #[inline(always)]
    pub(super) fn select(self, mask: f32x4, other: Vectors) -> Self {
        Vectors {
            x: mask.bitselect(self.x, other.x),
            y: mask.bitselect(self.y, other.y),
            z: mask.bitselect(self.z, other.z),
        }
    }
}

/// Returns the mask of the first `count` pixels.
#[inline(always)]
pub(super) fn first(count: usize) -> f32x4 {
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let count = count.min(LANES) as f32;
    STEPS.simd_lt(f32x4::splat(count))
}

#[inline(always)]
pub(super) fn load(from: &[f32]) -> f32x4 {
    from.first_chunk::<LANES>().map_or(f32x4::ZERO, |values| f32x4::new(*values))
}

#[inline(always)]
pub(super) fn store(into: &mut [f32], values: f32x4) {
    if let Some(place) = into.first_chunk_mut::<LANES>() {
        *place = values.to_array();
    }
}

//! Axis-aligned boxes in f64, the bounds from which the trees are built.
//!
//! The tree rounds them to the narrower numbers of its nodes. Plain values, any thread.

use bridgehead_pose::{DVec3, Pose};

/// An axis-aligned box; empty if a lower bound exceeds its upper bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Aabb {
    pub(super) min: DVec3,
    pub(super) max: DVec3,
}

impl Aabb {
    /// Contains nothing; the neutral element of [`Aabb::union`].
    pub(super) const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The box around the origin with these half sizes.
    pub(super) fn centred(half: DVec3) -> Self {
        Self { min: -half, max: half }
    }

    pub(super) fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with_point)
    }

    fn with_point(self, point: DVec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(super) fn center(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    /// Surface area in square metres; zero if empty.
    pub(super) fn area(&self) -> f64 {
        let size = (self.max - self.min).max(DVec3::ZERO);
        2.0 * (size.x * size.y + size.y * size.z + size.z * size.x)
    }

    /// Returns true if no bound is infinite or NaN; other boxes cannot be sorted into a tree.
    pub(super) fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// The smallest box around this one after it was moved by `pose`.
    pub(super) fn transformed(&self, pose: &Pose) -> Self {
        let half = (self.max - self.min) * 0.5;
        let center = pose.transform_point(self.center());
        let spread = pose.rotate(DVec3::X).abs() * half.x
            + pose.rotate(DVec3::Y).abs() * half.y
            + pose.rotate(DVec3::Z).abs() * half.z;
        Self { min: center - spread, max: center + spread }
    }
}

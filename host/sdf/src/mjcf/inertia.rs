//! Mass, centre of mass and moments of a body, and of several together.

use crate::mjcf::rotation::rotated;
use bridgehead_pose::{DMat3, DVec3, Pose};

/// The inertia of a rigid body in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Inertia {
    /// kg, above 0.
    pub(crate) mass: f64,
    /// Centre of mass, metres.
    pub(crate) center: DVec3,
    /// Moments about the centre of mass, along the axes of the body, kg·m².
    pub(crate) moments: DMat3,
}

impl Inertia {
    /// The inertia of something at a pose, with moments about its origin, which is its centre of mass.
    pub(crate) fn at(pose: &Pose, mass: f64, moments: DMat3) -> Self {
        Self { mass, center: pose.position, moments: rotated(moments, pose.rotation) }
    }

    /// Returns false for numbers that overflowed.
    pub(crate) fn is_finite(&self) -> bool {
        self.mass.is_finite() && self.center.is_finite() && self.moments.is_finite()
    }

    /// The same in the frame in which the frame of this one has a pose.
    pub(crate) fn moved(&self, pose: &Pose) -> Self {
        Self {
            mass: self.mass,
            center: pose.transform_point(self.center),
            moments: rotated(self.moments, pose.rotation),
        }
    }

    /// All of them as one body; `None` without mass.
    pub(crate) fn sum(parts: &[Self]) -> Option<Self> {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if !(mass > 0.0 && mass.is_finite()) {
            return None;
        }
        let center = parts.iter().map(|part| part.center * part.mass).sum::<DVec3>() / mass;
        let moments = parts.iter().fold(DMat3::ZERO, |sum, part| {
            let arm = part.center - center;
            let steiner = (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer(arm)) * part.mass;
            sum + part.moments + steiner
        });
        Some(Self { mass, center, moments })
    }

    /// A share of the body at the same place.
    pub(crate) fn share(&self, share: f64) -> Self {
        Self { mass: self.mass * share, center: self.center, moments: self.moments * share }
    }

    /// A body of steel of 10 grams, for one that has no mass.
    pub(crate) fn small() -> Self {
        Self { mass: 0.01, center: DVec3::ZERO, moments: DMat3::from_diagonal(DVec3::splat(1e-6)) }
    }

    /// Raises mass and moments to bounds, and replaces moments that no body can have by their mean, if asked for.
    pub(crate) fn bounded(&self, bounds: Bounds) -> Self {
        let mass = self.mass.max(bounds.mass);
        let mut moments = self.moments;
        let diagonal = DVec3::new(moments.x_axis.x, moments.y_axis.y, moments.z_axis.z);
        let half = diagonal.element_sum() / 2.0;
        if bounds.balance && diagonal.max_element() > half {
            moments = DMat3::from_diagonal(DVec3::splat(half * 2.0 / 3.0));
        }
        let raised = (DVec3::splat(bounds.inertia) - diagonal).max(DVec3::ZERO);
        Self { mass, center: self.center, moments: moments + DMat3::from_diagonal(raised) }
    }
}

/// Bounds of `<compiler>`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    /// kg.
    pub(crate) mass: f64,
    /// kg·m².
    pub(crate) inertia: f64,
    /// True if moments that no body can have are replaced.
    pub(crate) balance: bool,
}

fn outer(vector: DVec3) -> DMat3 {
    DMat3::from_cols(vector * vector.x, vector * vector.y, vector * vector.z)
}

/// The matrix of ixx, iyy, izz, ixy, ixz, iyz, the order of `fullinertia`.
pub(crate) fn full([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> DMat3 {
    DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
}

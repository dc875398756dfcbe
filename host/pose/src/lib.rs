//! Poses in SDF's convention: a position in metres and a rotation, child frame into parent frame; and the vectors that they
//! are made of. Only arithmetic on plain values: the reader of SDF parses `<pose>` and resolves names of frames.

use serde::{Deserialize, Serialize};

pub use glam::{DMat3, DQuat, DVec2, DVec3};

/// A rigid transform: the pose of a child frame in its parent frame.
///
/// A point `p` given in the child frame is at `position + rotation * p` in the parent frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Origin of the child frame in the parent frame, metres.
    pub position: DVec3,
    /// Rotation from the child frame to the parent frame, a unit quaternion.
    pub rotation: DQuat,
}

impl Pose {
    /// The pose of a frame that coincides with its parent.
    pub const IDENTITY: Self = Self { position: DVec3::ZERO, rotation: DQuat::IDENTITY };

    /// A pose from position and rotation; the quaternion must have unit length.
    #[must_use]
    pub const fn new(position: DVec3, rotation: DQuat) -> Self {
        Self { position, rotation }
    }

    /// A pose without rotation.
    #[must_use]
    pub const fn from_position(position: DVec3) -> Self {
        Self { position, rotation: DQuat::IDENTITY }
    }

    /// A pose from a position and roll, pitch, yaw in radians.
    ///
    /// SDF rotates about the fixed axes: x by roll, then y by pitch, then z by yaw, so R = Rz · Ry · Rx.
    #[must_use]
    pub fn from_rpy(position: DVec3, roll: f64, pitch: f64, yaw: f64) -> Self {
        Self { position, rotation: rotation_from_rpy(roll, pitch, yaw) }
    }

    /// This pose followed by `child`: `a.compose(b)` is the pose in a's parent of a frame that is at `b` in
    /// a.
    #[must_use]
    pub fn compose(&self, child: &Self) -> Self {
        Self {
            position: self.position + self.rotation * child.position,
            rotation: (self.rotation * child.rotation).normalize(),
        }
    }

    /// The pose of the parent frame in the child frame.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { position: -(rotation * self.position), rotation }
    }

    /// This pose as seen from `frame`; both are given in the same parent frame.
    #[must_use]
    pub fn relative_to(&self, frame: &Self) -> Self {
        frame.inverse().compose(self)
    }

    /// A point of the child frame, in the parent frame.
    #[must_use]
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.position + self.rotation * point
    }

    /// A direction of the child frame, in the parent frame.
    #[must_use]
    pub fn rotate(&self, direction: DVec3) -> DVec3 {
        self.rotation * direction
    }

    /// Roll, pitch and yaw in radians, the inverse of [`Pose::from_rpy`].
    ///
    /// At a pitch of ±90° only the sum of roll and yaw is defined; yaw is then 0.
    #[must_use]
    pub fn rpy(&self) -> [f64; 3] {
        rpy_from_rotation(self.rotation)
    }

    /// Interpolates between this pose (share 0) and another (share 1): straight, and by the shorter rotation.
    #[must_use]
    pub fn interpolate(&self, other: &Self, share: f64) -> Self {
        Self {
            position: self.position.lerp(other.position, share),
            rotation: self.rotation.slerp(other.rotation, share).normalize(),
        }
    }

    /// Returns true if this pose is within a distance and an angle of another, in metres and radians.
    #[must_use]
    pub fn is_within(&self, other: &Self, distance: f64, angle: f64) -> bool {
        // An arc cosine of the scalar part cannot tell angles below 1e-8 from 0. q and -q are one rotation.
        let turn = self.rotation.conjugate() * other.rotation;
        let turned = 2.0 * libm::atan2(turn.xyz().length(), turn.w.abs());
        self.position.distance(other.position) <= distance && turned <= angle
    }

    /// Returns true if every number of the pose is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl std::ops::Mul for Pose {
    type Output = Self;

    fn mul(self, child: Self) -> Self {
        self.compose(&child)
    }
}

/// The half-angle product for fixed-axis roll, pitch, yaw.
fn rotation_from_rpy(roll: f64, pitch: f64, yaw: f64) -> DQuat {
    let (sin_r, cos_r) = libm::sincos(roll / 2.0);
    let (sin_p, cos_p) = libm::sincos(pitch / 2.0);
    let (sin_y, cos_y) = libm::sincos(yaw / 2.0);
    DQuat::from_xyzw(
        sin_r * cos_p * cos_y - cos_r * sin_p * sin_y,
        cos_r * sin_p * cos_y + sin_r * cos_p * sin_y,
        cos_r * cos_p * sin_y - sin_r * sin_p * cos_y,
        cos_r * cos_p * cos_y + sin_r * sin_p * sin_y,
    )
    .normalize()
}

/// Cosine of a pitch so close to ±90° that roll and yaw cannot be distinguished in f64.
const GIMBAL_LOCK_COSINE: f64 = 1e-12;

fn rpy_from_rotation(q: DQuat) -> [f64; 3] {
    let matrix = DMat3::from_quat(q);
    let (sin_pitch, cos_pitch) = (-matrix.x_axis.z, libm::hypot(matrix.x_axis.x, matrix.x_axis.y));
    if cos_pitch <= GIMBAL_LOCK_COSINE {
        let roll = 2.0 * libm::atan2(q.x, q.w);
        return [roll, std::f64::consts::FRAC_PI_2.copysign(sin_pitch), 0.0];
    }
    let roll = libm::atan2(matrix.y_axis.z, matrix.z_axis.z);
    // Near ±90° the roll is inexact. A yaw that fits this roll keeps the rotation exact: without the roll, the y axis
    // is turned by the yaw alone. An arc sine would lose half of the digits of the pitch there.
    let (sin_roll, cos_roll) = libm::sincos(roll);
    let y_axis = matrix.y_axis * cos_roll - matrix.z_axis * sin_roll;
    [roll, libm::atan2(sin_pitch, cos_pitch), libm::atan2(-y_axis.x, y_axis.y)]
}

#[cfg(test)]
mod tests;

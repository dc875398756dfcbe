//! Poses: conversion between the host's messages and CLOiSim's, and composition.

use std::ops::Mul;

use bridgehead_plugin_api::messages::geometry_msgs;

use crate::msgs;

/// A pose: metres, and a unit quaternion as x, y, z, w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub(crate) position: [f64; 3],
    pub(crate) orientation: [f64; 4],
}

impl Pose {
    pub(crate) const IDENTITY: Pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] };

    /// Converts a message of the host; missing values are zero, and a zero quaternion is the identity.
    pub(crate) fn from_ros(pose: Option<&geometry_msgs::Pose>) -> Self {
        let Some(pose) = pose else { return Pose::IDENTITY };
        let position = pose.position.as_ref().map_or([0.0; 3], |at| [at.x, at.y, at.z]);
        Pose { position, orientation: quaternion(pose.orientation.as_ref()) }
    }

    /// Converts to CLOiSim's message, with a name.
    pub(crate) fn to_msg(self, name: &str) -> msgs::Pose {
        let [x, y, z, w] = self.orientation;
        msgs::Pose {
            name: name.to_owned(),
            position: Some(vector(self.position)),
            orientation: Some(msgs::Quaternion { header: None, x, y, z, w }),
            ..msgs::Pose::default()
        }
    }

    /// Returns the inverse pose.
    pub(crate) fn inverse(self) -> Self {
        let [x, y, z, w] = self.orientation;
        let orientation = [-x, -y, -z, w];
        let [x, y, z] = rotate(orientation, self.position);
        Pose { position: [-x, -y, -z], orientation }
    }

    /// Returns roll, pitch and yaw in radians: rotations about the fixed axes x, y and z in this order.
    pub(crate) fn euler(self) -> [f64; 3] {
        let [x, y, z, w] = self.orientation;
        let roll = libm::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
        let pitch = libm::asin((2.0 * (w * y - z * x)).clamp(-1.0, 1.0));
        let yaw = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
        [roll, pitch, yaw]
    }

    /// The inverse of [`Pose::euler`].
    pub(crate) fn from_euler(position: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let (sr, cr) = libm::sincos(roll / 2.0);
        let (sp, cp) = libm::sincos(pitch / 2.0);
        let (sy, cy) = libm::sincos(yaw / 2.0);
        let orientation = [
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ];
        Pose { position, orientation }
    }

    /// Converts to a message of the host.
    pub(crate) fn to_ros(self) -> geometry_msgs::Pose {
        let ([x, y, z], [qx, qy, qz, qw]) = (self.position, self.orientation);
        geometry_msgs::Pose {
            position: Some(geometry_msgs::Point { x, y, z }),
            orientation: Some(geometry_msgs::Quaternion { x: qx, y: qy, z: qz, w: qw }),
        }
    }
}

impl Mul for Pose {
    type Output = Pose;

    /// Composes two poses: `inner` is relative to `self`.
    fn mul(self, inner: Pose) -> Pose {
        let [x, y, z] = rotate(self.orientation, inner.position);
        let [ax, ay, az, aw] = self.orientation;
        let [bx, by, bz, bw] = inner.orientation;
        Pose {
            position: [self.position[0] + x, self.position[1] + y, self.position[2] + z],
            orientation: [
                aw * bx + ax * bw + ay * bz - az * by,
                aw * by - ax * bz + ay * bw + az * bx,
                aw * bz + ax * by - ay * bx + az * bw,
                aw * bw - ax * bx - ay * by - az * bz,
            ],
        }
    }
}

/// Rotates a vector by a unit quaternion.
pub(crate) fn rotate([x, y, z, w]: [f64; 4], [vx, vy, vz]: [f64; 3]) -> [f64; 3] {
    let (tx, ty, tz) = (2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx));
    [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx]
}

/// Reads a rotation of the host's messages; zeros are the identity.
pub(crate) fn quaternion(from: Option<&geometry_msgs::Quaternion>) -> [f64; 4] {
    let found = from.map_or([0.0; 4], |turn| [turn.x, turn.y, turn.z, turn.w]);
    if found == [0.0; 4] { [0.0, 0.0, 0.0, 1.0] } else { found }
}

/// Makes a vector of CLOiSim.
pub(crate) fn vector([x, y, z]: [f64; 3]) -> msgs::Vector3d {
    msgs::Vector3d { header: None, x, y, z }
}

/// Converts a vector of the host to CLOiSim's.
pub(crate) fn from_vector(from: Option<&geometry_msgs::Vector3>) -> msgs::Vector3d {
    vector(from.map_or([0.0; 3], |vector| [vector.x, vector.y, vector.z]))
}

/// Converts a vector of CLOiSim to the host's.
pub(crate) fn to_vector(from: Option<&msgs::Vector3d>) -> geometry_msgs::Vector3 {
    from.map_or_else(Default::default, |vector| geometry_msgs::Vector3 {
        x: vector.x,
        y: vector.y,
        z: vector.z,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_near(left: [f64; 3], right: [f64; 3]) {
        let is_near = left.iter().zip(right).all(|(left, right)| (left - right).abs() < 1e-12);
        assert!(is_near, "{left:?} {right:?}");
    }

    #[test]
    fn a_pose_and_its_inverse_cancel() {
        let pose = Pose::from_euler([1.0, 2.0, 3.0], [0.1, -0.2, 2.5]);
        assert_near(pose.euler(), [0.1, -0.2, 2.5]);
        let nothing = pose.inverse() * pose;
        assert_near(nothing.position, [0.0; 3]);
        assert_near(nothing.euler(), [0.0; 3]);
    }

    #[test]
    fn a_pose_relative_to_a_rotated_one_is_rotated_with_it() {
        let outer = Pose::from_euler([1.0, 0.0, 0.0], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
        let inner = Pose { position: [2.0, 0.0, 0.0], ..Pose::IDENTITY };
        assert_near((outer * inner).position, [1.0, 2.0, 0.0]);
    }

    #[test]
    fn a_message_without_rotation_is_the_identity() {
        assert_eq!(Pose::from_ros(Some(&geometry_msgs::Pose::default())), Pose::IDENTITY);
        assert_eq!(Pose::from_ros(None), Pose::IDENTITY);
    }
}

//! Vectors, poses, motions and forces.

use bridgehead_plugin_api::messages::{geometry_msgs, nav_msgs, tf2_msgs};

use crate::msgs as gz;

/// Numbers of a covariance of a pose or a motion.
const COVARIANCE: usize = 36;

macro_rules! vectors {
    ($($ours:ty),*) => {$(
        impl From<$ours> for gz::Vector3d {
            fn from(vector: $ours) -> Self {
                gz::Vector3d { x: vector.x, y: vector.y, z: vector.z, header: None }
            }
        }

        impl From<gz::Vector3d> for $ours {
            fn from(vector: gz::Vector3d) -> Self {
                Self { x: vector.x, y: vector.y, z: vector.z }
            }
        }
    )*};
}

vectors! { geometry_msgs::Vector3, geometry_msgs::Point }

impl From<geometry_msgs::Quaternion> for gz::Quaternion {
    fn from(rotation: geometry_msgs::Quaternion) -> Self {
        let geometry_msgs::Quaternion { x, y, z, w } = rotation;
        gz::Quaternion { x, y, z, w, header: None }
    }
}

impl From<gz::Quaternion> for geometry_msgs::Quaternion {
    fn from(rotation: gz::Quaternion) -> Self {
        let gz::Quaternion { x, y, z, w, .. } = rotation;
        geometry_msgs::Quaternion { x, y, z, w }
    }
}

impl From<geometry_msgs::Pose> for gz::Pose {
    fn from(pose: geometry_msgs::Pose) -> Self {
        gz::Pose {
            position: pose.position.map(Into::into),
            orientation: pose.orientation.map(Into::into),
            ..gz::Pose::default()
        }
    }
}

impl From<gz::Pose> for geometry_msgs::Pose {
    fn from(pose: gz::Pose) -> Self {
        geometry_msgs::Pose {
            position: pose.position.map(Into::into),
            // A pose without a rotation is not rotated.
            orientation: Some(pose.orientation.map_or_else(unrotated, Into::into)),
        }
    }
}

fn unrotated() -> geometry_msgs::Quaternion {
    geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }
}

impl From<geometry_msgs::PoseStamped> for gz::Pose {
    fn from(message: geometry_msgs::PoseStamped) -> Self {
        gz::Pose { header: message.header.map(Into::into), ..message.pose.unwrap_or_default().into() }
    }
}

impl From<gz::Pose> for geometry_msgs::PoseStamped {
    fn from(mut message: gz::Pose) -> Self {
        let header = message.header.take().map(Into::into);
        geometry_msgs::PoseStamped { header, pose: Some(message.into()) }
    }
}

impl From<geometry_msgs::TransformStamped> for gz::Pose {
    fn from(message: geometry_msgs::TransformStamped) -> Self {
        let header: gz::Header = message.header.unwrap_or_default().into();
        let transform = message.transform.unwrap_or_default();
        gz::Pose {
            name: message.child_frame_id.clone(),
            header: Some(header.with_child_frame(message.child_frame_id)),
            position: transform.translation.map(Into::into),
            orientation: transform.rotation.map(Into::into),
            id: 0,
        }
    }
}

impl From<gz::Pose> for geometry_msgs::TransformStamped {
    fn from(message: gz::Pose) -> Self {
        let header = message.header.unwrap_or_default();
        let child = header.child_frame();
        geometry_msgs::TransformStamped {
            child_frame_id: if child.is_empty() { message.name } else { child },
            header: Some(header.into()),
            transform: Some(geometry_msgs::Transform {
                translation: message.position.map(Into::into),
                rotation: Some(message.orientation.map_or_else(unrotated, Into::into)),
            }),
        }
    }
}

impl From<geometry_msgs::PoseArray> for gz::PoseV {
    fn from(message: geometry_msgs::PoseArray) -> Self {
        gz::PoseV {
            header: message.header.map(Into::into),
            pose: message.poses.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<gz::PoseV> for geometry_msgs::PoseArray {
    fn from(message: gz::PoseV) -> Self {
        geometry_msgs::PoseArray {
            header: message.header.map(Into::into),
            poses: message.pose.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<tf2_msgs::TfMessage> for gz::PoseV {
    fn from(message: tf2_msgs::TfMessage) -> Self {
        let pose: Vec<gz::Pose> = message.transforms.into_iter().map(Into::into).collect();
        let stamp = pose.first().and_then(|pose| pose.header.as_ref()?.stamp);
        gz::PoseV { header: Some(gz::Header { stamp, data: Vec::new() }), pose }
    }
}

impl From<gz::PoseV> for tf2_msgs::TfMessage {
    fn from(message: gz::PoseV) -> Self {
        tf2_msgs::TfMessage { transforms: message.pose.into_iter().map(Into::into).collect() }
    }
}

impl From<geometry_msgs::Twist> for gz::Twist {
    fn from(twist: geometry_msgs::Twist) -> Self {
        gz::Twist {
            header: None,
            linear: twist.linear.map(Into::into),
            angular: twist.angular.map(Into::into),
        }
    }
}

impl From<gz::Twist> for geometry_msgs::Twist {
    fn from(twist: gz::Twist) -> Self {
        geometry_msgs::Twist { linear: twist.linear.map(Into::into), angular: twist.angular.map(Into::into) }
    }
}

impl From<geometry_msgs::TwistStamped> for gz::Twist {
    fn from(message: geometry_msgs::TwistStamped) -> Self {
        gz::Twist { header: message.header.map(Into::into), ..message.twist.unwrap_or_default().into() }
    }
}

impl From<gz::Twist> for geometry_msgs::TwistStamped {
    fn from(mut message: gz::Twist) -> Self {
        let header = message.header.take().map(Into::into);
        geometry_msgs::TwistStamped { header, twist: Some(message.into()) }
    }
}

impl From<geometry_msgs::Wrench> for gz::Wrench {
    fn from(wrench: geometry_msgs::Wrench) -> Self {
        gz::Wrench {
            header: None,
            force: wrench.force.map(Into::into),
            torque: wrench.torque.map(Into::into),
        }
    }
}

impl From<gz::Wrench> for geometry_msgs::Wrench {
    fn from(wrench: gz::Wrench) -> Self {
        geometry_msgs::Wrench { force: wrench.force.map(Into::into), torque: wrench.torque.map(Into::into) }
    }
}

impl From<geometry_msgs::WrenchStamped> for gz::Wrench {
    fn from(message: geometry_msgs::WrenchStamped) -> Self {
        gz::Wrench { header: message.header.map(Into::into), ..message.wrench.unwrap_or_default().into() }
    }
}

impl From<gz::Wrench> for geometry_msgs::WrenchStamped {
    fn from(mut message: gz::Wrench) -> Self {
        let header = message.header.take().map(Into::into);
        geometry_msgs::WrenchStamped { header, wrench: Some(message.into()) }
    }
}

/// Returns the header of an odometry, which names both frames.
fn odometry_header(message: &mut nav_msgs::Odometry) -> gz::Header {
    let header: gz::Header = message.header.take().unwrap_or_default().into();
    header.with_child_frame(std::mem::take(&mut message.child_frame_id))
}

impl From<nav_msgs::Odometry> for gz::Odometry {
    fn from(mut message: nav_msgs::Odometry) -> Self {
        gz::Odometry {
            header: Some(odometry_header(&mut message)),
            pose: message.pose.and_then(|pose| pose.pose).map(Into::into),
            twist: message.twist.and_then(|twist| twist.twist).map(Into::into),
        }
    }
}

impl From<gz::Odometry> for nav_msgs::Odometry {
    fn from(message: gz::Odometry) -> Self {
        let header = message.header.unwrap_or_default();
        nav_msgs::Odometry {
            child_frame_id: header.child_frame(),
            header: Some(header.into()),
            pose: Some(geometry_msgs::PoseWithCovariance {
                pose: Some(message.pose.unwrap_or_default().into()),
                covariance: vec![0.0; COVARIANCE],
            }),
            twist: Some(geometry_msgs::TwistWithCovariance {
                twist: Some(message.twist.unwrap_or_default().into()),
                covariance: vec![0.0; COVARIANCE],
            }),
        }
    }
}

impl From<nav_msgs::Odometry> for gz::OdometryWithCovariance {
    fn from(mut message: nav_msgs::Odometry) -> Self {
        let header = Some(odometry_header(&mut message));
        let (pose, twist) = (message.pose.unwrap_or_default(), message.twist.unwrap_or_default());
        gz::OdometryWithCovariance {
            header,
            pose_with_covariance: Some(gz::PoseWithCovariance {
                pose: Some(pose.pose.unwrap_or_default().into()),
                covariance: Some(covariance_to_gz(&pose.covariance, COVARIANCE)),
            }),
            twist_with_covariance: Some(gz::TwistWithCovariance {
                twist: Some(twist.twist.unwrap_or_default().into()),
                covariance: Some(covariance_to_gz(&twist.covariance, COVARIANCE)),
            }),
        }
    }
}

impl From<gz::OdometryWithCovariance> for nav_msgs::Odometry {
    fn from(message: gz::OdometryWithCovariance) -> Self {
        let header = message.header.unwrap_or_default();
        let pose = message.pose_with_covariance.unwrap_or_default();
        let twist = message.twist_with_covariance.unwrap_or_default();
        nav_msgs::Odometry {
            child_frame_id: header.child_frame(),
            header: Some(header.into()),
            pose: Some(geometry_msgs::PoseWithCovariance {
                pose: Some(pose.pose.unwrap_or_default().into()),
                covariance: covariance_from_gz(pose.covariance, COVARIANCE),
            }),
            twist: Some(geometry_msgs::TwistWithCovariance {
                twist: Some(twist.twist.unwrap_or_default().into()),
                covariance: covariance_from_gz(twist.covariance, COVARIANCE),
            }),
        }
    }
}

/// Returns a covariance of exactly `length` numbers: readers of Gazebo's messages do not ask how many there are.
#[expect(clippy::cast_possible_truncation, reason = "Gazebo's covariances are of single precision")]
pub(super) fn covariance_to_gz(covariance: &[f64], length: usize) -> gz::FloatV {
    let mut data: Vec<f32> = covariance.iter().map(|value| *value as f32).collect();
    data.resize(length, 0.0);
    gz::FloatV { header: None, data }
}

/// Returns a covariance of exactly `length` numbers, zeros if it is unknown.
pub(super) fn covariance_from_gz(covariance: Option<gz::FloatV>, length: usize) -> Vec<f64> {
    let mut data: Vec<f64> = covariance.unwrap_or_default().data.into_iter().map(f64::from).collect();
    data.resize(length, 0.0);
    data
}

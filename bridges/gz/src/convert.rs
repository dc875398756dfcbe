//! Messages of the run as messages of Gazebo, and back: [`Counterpart`] is one row of the table [`COUNTERPARTS`].
//!
//! A type without a row is exchanged unchanged, under its own name: plugins of others have such.

mod basic;
mod geometry;
mod robots;
mod sensors;

use bridgehead_plugin_api::messages::prost::DecodeError;
use bridgehead_plugin_api::messages::{
    Message, actuator_msgs, geometry_msgs, nav_msgs, ros_gz_interfaces, rosgraph_msgs, sensor_msgs, std_msgs,
    tf2_msgs, trajectory_msgs,
};

use crate::connection::Generation;
use crate::msgs as gz;

/// Converts an encoded message.
type Convert = fn(&[u8]) -> Result<Vec<u8>, DecodeError>;

/// A type of the run, and its counterpart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counterpart {
    /// Full name of the type of the run.
    pub(crate) ours: &'static str,
    /// Name of the type of Gazebo, without its package.
    pub(crate) gz: &'static str,
    /// To Gazebo.
    pub(crate) outgoing: Convert,
    /// From Gazebo.
    pub(crate) incoming: Convert,
    when: When,
}

/// Where a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// On topics whose last part is this.
    Topic(&'static str),
    /// For programs of this generation.
    Generation(Generation),
}

impl Counterpart {
    const fn of<Ours, Gz>(gz: &'static str) -> Self
    where
        Ours: Message + Default + From<Gz>,
        Gz: prost::Message + Default + From<Ours>,
    {
        Counterpart {
            ours: Ours::FULL_NAME,
            gz,
            outgoing: |bytes| Ok(Gz::from(Ours::decode(bytes)?).encode_to_vec()),
            incoming: |bytes| Ok(Ours::from(Gz::decode(bytes)?).encode_to_vec()),
            when: When::Always,
        }
    }

    const fn when(self, when: When) -> Self {
        Counterpart { when, ..self }
    }

    /// Returns the row of a type on a topic.
    pub(crate) fn find(ours: &str, topic: &str, generation: Generation) -> Option<&'static Self> {
        COUNTERPARTS.iter().find(|row| {
            row.ours == ours
                && match row.when {
                    When::Always => true,
                    When::Topic(last) => topic.rsplit('/').next() == Some(last),
                    When::Generation(of) => of == generation,
                }
        })
    }
}

/// The rows; of those of one type the first that holds.
pub(crate) static COUNTERPARTS: &[Counterpart] = &[
    Counterpart::of::<rosgraph_msgs::Clock, gz::Clock>("Clock"),
    Counterpart::of::<std_msgs::Empty, gz::Empty>("Empty"),
    Counterpart::of::<std_msgs::Bool, gz::Boolean>("Boolean"),
    Counterpart::of::<std_msgs::String, gz::StringMsg>("StringMsg"),
    Counterpart::of::<std_msgs::Float64, gz::Double>("Double"),
    Counterpart::of::<std_msgs::Float32, gz::Float>("Float"),
    Counterpart::of::<std_msgs::Int32, gz::Int32>("Int32"),
    Counterpart::of::<std_msgs::Float64MultiArray, gz::DoubleV>("Double_V"),
    Counterpart::of::<std_msgs::ColorRgba, gz::Color>("Color"),
    Counterpart::of::<geometry_msgs::Vector3, gz::Vector3d>("Vector3d"),
    Counterpart::of::<geometry_msgs::Point, gz::Vector3d>("Vector3d"),
    Counterpart::of::<geometry_msgs::Quaternion, gz::Quaternion>("Quaternion"),
    Counterpart::of::<geometry_msgs::Pose, gz::Pose>("Pose"),
    Counterpart::of::<geometry_msgs::PoseStamped, gz::Pose>("Pose"),
    Counterpart::of::<geometry_msgs::TransformStamped, gz::Pose>("Pose"),
    Counterpart::of::<geometry_msgs::PoseArray, gz::PoseV>("Pose_V"),
    Counterpart::of::<tf2_msgs::TfMessage, gz::PoseV>("Pose_V"),
    Counterpart::of::<geometry_msgs::Twist, gz::Twist>("Twist"),
    Counterpart::of::<geometry_msgs::TwistStamped, gz::Twist>("Twist"),
    Counterpart::of::<geometry_msgs::Wrench, gz::Wrench>("Wrench"),
    Counterpart::of::<geometry_msgs::WrenchStamped, gz::Wrench>("Wrench"),
    Counterpart::of::<nav_msgs::Odometry, gz::OdometryWithCovariance>("OdometryWithCovariance")
        .when(When::Topic("odometry_with_covariance")),
    Counterpart::of::<nav_msgs::Odometry, gz::Odometry>("Odometry"),
    Counterpart::of::<sensor_msgs::Imu, gz::ImuOld>("IMU").when(When::Generation(Generation::Ignition)),
    Counterpart::of::<sensor_msgs::Imu, gz::Imu>("IMU"),
    Counterpart::of::<sensor_msgs::LaserScan, gz::LaserScan>("LaserScan"),
    Counterpart::of::<sensor_msgs::PointCloud2, gz::PointCloudPacked>("PointCloudPacked"),
    Counterpart::of::<sensor_msgs::Image, gz::Image>("Image"),
    Counterpart::of::<sensor_msgs::CameraInfo, gz::CameraInfo>("CameraInfo"),
    Counterpart::of::<sensor_msgs::NavSatFix, gz::NavSat>("NavSat"),
    Counterpart::of::<sensor_msgs::MagneticField, gz::Magnetometer>("Magnetometer"),
    Counterpart::of::<sensor_msgs::FluidPressure, gz::FluidPressure>("FluidPressure"),
    Counterpart::of::<sensor_msgs::BatteryState, gz::BatteryState>("BatteryState"),
    Counterpart::of::<sensor_msgs::JointState, gz::Model>("Model"),
    Counterpart::of::<ros_gz_interfaces::Altimeter, gz::Altimeter>("Altimeter"),
    Counterpart::of::<ros_gz_interfaces::LogicalCameraImage, gz::LogicalCameraImage>("LogicalCameraImage"),
    Counterpart::of::<ros_gz_interfaces::EntityWrench, gz::EntityWrench>("EntityWrench"),
    Counterpart::of::<ros_gz_interfaces::Dataframe, gz::Dataframe>("Dataframe"),
    Counterpart::of::<actuator_msgs::Actuators, gz::Actuators>("Actuators"),
    Counterpart::of::<trajectory_msgs::JointTrajectory, gz::JointTrajectory>("JointTrajectory"),
];

#[cfg(test)]
mod tests;

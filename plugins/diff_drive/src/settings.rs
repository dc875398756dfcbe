//! The checked parameters of a drive. Read once in `awake`; names and defaults are those of Gazebo's differential
//! drive where it has them.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::{Limits, above_zero, command_timeout, turning_joints};
use bridgehead_plugin_api::host::{HostHandle, JointId};

/// The parameters.
pub(crate) struct Settings {
    pub(crate) left: Vec<JointId>,
    pub(crate) right: Vec<JointId>,
    /// Distance between the wheels, metres.
    pub(crate) wheel_separation: f64,
    /// Wheel radius, metres.
    pub(crate) wheel_radius: f64,
    /// Torque limit, N·m per wheel; infinity for the joint's own limit.
    pub(crate) max_wheel_torque: f64,
    /// m/s and m/s².
    pub(crate) linear_limits: Limits,
    /// rad/s and rad/s².
    pub(crate) angular_limits: Limits,
    pub(crate) topic: String,
    /// Nanoseconds; `None` if commands do not expire.
    pub(crate) command_timeout: Option<i64>,
    /// Topic of an imu; `None` to use the heading of the wheels.
    pub(crate) imu_topic: Option<String>,
}

impl Settings {
    pub(crate) fn read(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        Ok(Settings {
            left: turning_joints(params, model, "left_joint")?,
            right: turning_joints(params, model, "right_joint")?,
            wheel_separation: above_zero(params, "wheel_separation", 1.0)?,
            wheel_radius: above_zero(params, "wheel_radius", 0.2)?,
            max_wheel_torque: above_zero(params, "max_wheel_torque", f64::INFINITY)?,
            linear_limits: Limits::read(params, "linear")?,
            angular_limits: Limits::read(params, "angular")?,
            topic: params.get_or("topic", "cmd_vel".to_owned())?,
            command_timeout: command_timeout(params)?,
            imu_topic: params.text("imu_topic").filter(|topic| !topic.is_empty()),
        })
    }
}

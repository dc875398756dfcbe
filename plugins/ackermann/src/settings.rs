//! The checked parameters of a car. Read once in `awake`; names and defaults are those of Gazebo's Ackermann steering
//! where it has them.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::{Limits, above_zero, command_timeout, turning_joints};
use bridgehead_plugin_api::host::{HostHandle, JointId, Params};

use crate::geometry::Geometry;

/// What a Twist command controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Speed and turn rate.
    Drive,
    /// The steering angle only; another plugin drives the wheels.
    SteeringOnly,
}

/// The parameters.
pub(crate) struct Settings {
    pub(crate) geometry: Geometry,
    pub(crate) driven: [Vec<JointId>; 2],
    pub(crate) steered: [Vec<JointId>; 2],
    /// 1/s.
    pub(crate) steering_gain: f64,
    pub(crate) mode: Mode,
    /// m/s and m/s².
    pub(crate) linear_limits: Limits,
    /// rad/s and rad/s².
    pub(crate) angular_limits: Limits,
    pub(crate) control_topic: String,
    /// Nanoseconds; `None` if commands do not expire.
    pub(crate) command_timeout: Option<i64>,
}

impl Settings {
    pub(crate) fn read(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let joints = |path: &str| turning_joints(params, model, path);
        let mode = if params.get_or("steering_only", false)? { Mode::SteeringOnly } else { Mode::Drive };
        let driven = match mode {
            Mode::Drive => [joints("left_joint")?, joints("right_joint")?],
            Mode::SteeringOnly => [Vec::new(), Vec::new()],
        };
        Ok(Settings {
            geometry: geometry(params)?,
            driven,
            steered: [joints("left_steering_joint")?, joints("right_steering_joint")?],
            steering_gain: above_zero(params, "steer_p_gain", 1.0)?,
            mode,
            linear_limits: Limits::read(params, "linear")?,
            angular_limits: Limits::read(params, "angular")?,
            control_topic: params.get_or("control_topic", "vehicle_control".to_owned())?,
            command_timeout: command_timeout(params)?,
        })
    }
}

fn geometry(params: Params) -> Result<Geometry> {
    Ok(Geometry {
        wheel_base: above_zero(params, "wheel_base", 1.0)?,
        wheel_separation: above_zero(params, "wheel_separation", 1.0)?,
        kingpin_width: above_zero(params, "kingpin_width", 0.8)?,
        wheel_radius: above_zero(params, "wheel_radius", 0.2)?,
        steering_limit: above_zero(params, "steering_limit", 0.5)?,
    })
}

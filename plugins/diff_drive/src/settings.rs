//! The parameters of a drive, checked. Read once in `awake`; names and defaults are those of Gazebo's
//! differential drive where it has them.

use bridgehead_plugin_api::host::{HostHandle, JointId, JointKind, Model, Params};
use bridgehead_plugin_api::schedule::Schedule;
use bridgehead_plugin_api::{Error, Result};

use crate::limiter::Limits;

/// Seconds that a command holds without a `command_timeout`: a vehicle whose peer is gone comes to a stop.
const COMMAND_TIMEOUT: f64 = 0.5;

/// Reports per second without an `odom_publish_frequency`.
const ODOMETRY_RATE: f64 = 50.0;

/// What the parameters say.
pub(crate) struct Settings {
    pub(crate) left: Vec<JointId>,
    pub(crate) right: Vec<JointId>,
    /// Metres.
    pub(crate) wheel_separation: f64,
    /// Metres.
    pub(crate) wheel_radius: f64,
    /// N·m per wheel; infinity for the joint's own limit.
    pub(crate) max_wheel_torque: f64,
    /// m/s and m/s².
    pub(crate) linear_limits: Limits,
    /// rad/s and rad/s².
    pub(crate) angular_limits: Limits,
    pub(crate) topic: String,
    /// Nanoseconds; `None` for commands that hold until the next one.
    pub(crate) command_timeout: Option<i64>,
    pub(crate) odom_topic: String,
    /// `None` where no transforms are wanted.
    pub(crate) tf_topic: Option<String>,
    pub(crate) odometry_schedule: Schedule,
    pub(crate) frame_id: String,
    pub(crate) child_frame_id: String,
}

impl Settings {
    pub(crate) fn read(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let text = |path: &str, default: &str| params.get_or(path, default.to_owned());
        Ok(Settings {
            left: read_joints(params, model, "left_joint")?,
            right: read_joints(params, model, "right_joint")?,
            wheel_separation: above_zero(params, "wheel_separation", 1.0)?,
            wheel_radius: above_zero(params, "wheel_radius", 0.2)?,
            max_wheel_torque: above_zero(params, "max_wheel_torque", f64::INFINITY)?,
            linear_limits: read_limits(params, "linear")?,
            angular_limits: read_limits(params, "angular")?,
            topic: text("topic", "cmd_vel")?,
            command_timeout: read_timeout(params)?,
            odom_topic: text("odom_topic", "odom")?,
            tf_topic: if params.get_or("publish_tf", true)? { Some(text("tf_topic", "/tf")?) } else { None },
            odometry_schedule: read_schedule(params)?,
            frame_id: text("frame_id", &format!("{}/odom", model.attachment()?.vehicle))?,
            child_frame_id: text("child_frame_id", &base_frame(model)?)?,
        })
    }
}

/// The joints that `path` names, once or several times.
fn read_joints(params: Params, model: Model, path: &str) -> Result<Vec<JointId>> {
    if params.count(path) == 0 {
        let name: String = params.require(path)?;
        return Ok(vec![wheel_joint(params, model, path, &name)?]);
    }
    let read = |index| {
        let path = format!("{path}[{index}]");
        wheel_joint(params, model, &path, &params.require::<String>(&path)?)
    };
    (0..params.count(path)).map(read).collect()
}

fn wheel_joint(params: Params, model: Model, path: &str, name: &str) -> Result<JointId> {
    let joint = model.joint(name).map_err(|error| error.context(format_args!("parameter `{path}`")))?;
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous => Ok(joint.id),
        JointKind::Fixed | JointKind::Prismatic | JointKind::Other => {
            Err(params.refuse(path, name, "a joint that turns about one axis (revolute or continuous)"))
        }
    }
}

fn above_zero(params: Params, path: &str, default: f64) -> Result<f64> {
    let value = params.get_or(path, default)?;
    if value > 0.0 { Ok(value) } else { Err(params.refuse(path, &value.to_string(), "a number above 0")) }
}

/// Limits for `linear` or `angular` motion: `max_linear_velocity` before `max_velocity`, which holds for both
/// kinds; a missing lower limit is the upper one backwards.
fn read_limits(params: Params, kind: &str) -> Result<Limits> {
    let range = |quantity: &str| -> Result<(f64, f64)> {
        let max = read_limit(params, &[format!("max_{kind}_{quantity}"), format!("max_{quantity}")], 1.0)?;
        let min = read_limit(params, &[format!("min_{kind}_{quantity}"), format!("min_{quantity}")], -1.0)?;
        let max = max.unwrap_or(f64::INFINITY);
        Ok((min.unwrap_or(-max), max))
    };
    let (min_velocity, max_velocity) = range("velocity")?;
    let (min_acceleration, max_acceleration) = range("acceleration")?;
    Ok(Limits { min_velocity, max_velocity, min_acceleration, max_acceleration })
}

/// The first of `paths` that is there; it must not have the other sign than `sign`.
fn read_limit(params: Params, paths: &[String], sign: f64) -> Result<Option<f64>> {
    for path in paths {
        if let Some(value) = params.get::<f64>(path)? {
            if value * sign < 0.0 {
                let expected = if sign > 0.0 { "0 or more" } else { "0 or less" };
                return Err(params.refuse(path, &value.to_string(), expected));
            }
            return Ok(Some(value));
        }
    }
    Ok(None)
}

fn read_timeout(params: Params) -> Result<Option<i64>> {
    const PATH: &str = "command_timeout";
    let seconds = params.get_or(PATH, COMMAND_TIMEOUT)?;
    if seconds < 0.0 {
        return Err(params.refuse(
            PATH,
            &seconds.to_string(),
            "seconds, or 0 for commands that never expire",
        ));
    }
    #[expect(clippy::cast_possible_truncation, reason = "beyond i64 it becomes its bound: never")]
    Ok((seconds > 0.0).then_some((seconds * 1e9) as i64))
}

fn read_schedule(params: Params) -> Result<Schedule> {
    const PATH: &str = "odom_publish_frequency";
    let rate = params.get_or(PATH, ODOMETRY_RATE)?;
    Schedule::with_rate(rate)
        .map_err(|_| params.refuse(PATH, &rate.to_string(), "reports per second, or 0 for one in every step"))
}

/// Frame of the link `base_link`, or else of the first link, which carries the model frame unless told otherwise.
fn base_frame(model: Model) -> Result<String> {
    let links = model.links();
    let base = links.iter().find(|link| link.name == "base_link").or(links.first());
    let base = base.ok_or_else(|| Error::invalid("a model without links cannot be driven"))?;
    Ok(base.frame_id.clone())
}

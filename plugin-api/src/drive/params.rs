//! Parameters that every drive has. Read once in `awake`.

use crate::error::Result;
use crate::host::{JointId, JointKind, Model, Params};

/// Seconds that a command holds without a `command_timeout`: a vehicle whose peer is gone comes to a stop.
const COMMAND_TIMEOUT: f64 = 0.5;

/// The joints that `path` names, once or several times; each must turn about one axis.
///
/// # Errors
/// Returns an error if there is none, the model has no joint of that name, or it does not turn.
pub fn turning_joints(params: Params, model: Model, path: &str) -> Result<Vec<JointId>> {
    if params.count(path) == 0 {
        let name: String = params.require(path)?;
        return Ok(vec![turning_joint(params, model, path, &name)?]);
    }
    let read = |index| {
        let path = format!("{path}[{index}]");
        turning_joint(params, model, &path, &params.require::<String>(&path)?)
    };
    (0..params.count(path)).map(read).collect()
}

fn turning_joint(params: Params, model: Model, path: &str, name: &str) -> Result<JointId> {
    let joint = model.joint(name).map_err(|error| error.context(format_args!("parameter `{path}`")))?;
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous => Ok(joint.id),
        JointKind::Fixed | JointKind::Prismatic | JointKind::Other => {
            Err(params.refuse(path, name, "a joint that turns about one axis (revolute or continuous)"))
        }
    }
}

/// A number above 0.
///
/// # Errors
/// Returns an error if it is something else.
pub fn above_zero(params: Params, path: &str, default: f64) -> Result<f64> {
    let value = params.get_or(path, default)?;
    if value > 0.0 { Ok(value) } else { Err(params.refuse(path, &value.to_string(), "a number above 0")) }
}

/// `command_timeout` in nanoseconds; `None` for commands that hold until the next one, which is written as 0.
///
/// # Errors
/// Returns an error if it is below 0.
pub fn command_timeout(params: Params) -> Result<Option<i64>> {
    const PATH: &str = "command_timeout";
    let seconds = params.get_or(PATH, COMMAND_TIMEOUT)?;
    if seconds < 0.0 {
        let expected = "seconds, or 0 for commands that never expire";
        return Err(params.refuse(PATH, &seconds.to_string(), expected));
    }
    #[expect(clippy::cast_possible_truncation, reason = "beyond i64 it becomes its bound: never")]
    Ok((seconds > 0.0).then_some((seconds * 1e9) as i64))
}

//! Converts commands of clients to messages of the host.
//!
//! A command to a board does not name its type, so its fields decide. A Joystick looks like a Twist except for its
//! fourth field, so that field is checked first.

use bridgehead_plugin_api::messages::prost::encoding::{DecodeContext, WireType, decode_key, skip_field};
use bridgehead_plugin_api::messages::prost::{DecodeError, Message as _};
use bridgehead_plugin_api::messages::{geometry_msgs, sensor_msgs};

use crate::msgs;
use crate::pose::to_vector;

/// A command to a board.
#[derive(Debug, PartialEq)]
pub(crate) enum BoardCommand {
    /// Move.
    Move(geometry_msgs::Twist),
    /// Set parameters, which only mowers have.
    Set(Vec<String>),
}

/// Decodes a command to a board.
///
/// # Errors
/// Returns an error if it is none of the three messages.
pub(crate) fn board(payload: &[u8]) -> Result<BoardCommand, DecodeError> {
    if has_field(payload, 4)? {
        let stick = msgs::Joystick::decode(payload)?;
        return Ok(movement(stick.translation.as_ref(), stick.rotation.as_ref()));
    }
    match msgs::Twist::decode(payload) {
        Ok(twist) => Ok(movement(twist.linear.as_ref(), twist.angular.as_ref())),
        Err(_) => {
            let names = msgs::Param::decode(payload)?.params.into_keys();
            Ok(BoardCommand::Set(names.collect()))
        }
    }
}

fn movement(linear: Option<&msgs::Vector3d>, angular: Option<&msgs::Vector3d>) -> BoardCommand {
    let (linear, angular) = (Some(to_vector(linear)), Some(to_vector(angular)));
    BoardCommand::Move(geometry_msgs::Twist { linear, angular })
}

/// Returns true if a message has a field of that number.
fn has_field(mut payload: &[u8], wanted: u32) -> Result<bool, DecodeError> {
    let mut has_it = false;
    while !payload.is_empty() {
        let (number, wire): (u32, WireType) = decode_key(&mut payload)?;
        has_it |= number == wanted;
        skip_field(wire, number, &mut payload, DecodeContext::default())?;
    }
    Ok(has_it)
}

/// Decodes a joint command. Its time is ignored, since clients fill it wrongly.
///
/// If only some joints have a position (or velocity, or effort), it is NaN for the others.
///
/// # Errors
/// Returns an error if it is not such a message.
pub(crate) fn joints(payload: &[u8]) -> Result<sensor_msgs::JointState, DecodeError> {
    let commands = msgs::JointCmdV::decode(payload)?.joint_cmd;
    let target = |pid: &Option<msgs::Pid>| {
        pid.as_ref().and_then(|pid| pid.target_optional.as_ref()).map(|target| target.data)
    };
    let position = commands.iter().map(|command| target(&command.position)).collect();
    let velocity = commands.iter().map(|command| target(&command.velocity)).collect();
    let effort = commands.iter().map(|command| command.force_optional.as_ref().map(|force| force.data));
    Ok(sensor_msgs::JointState {
        header: None,
        position: column(position),
        velocity: column(velocity),
        effort: column(effort.collect()),
        name: commands.into_iter().map(|command| command.name).collect(),
    })
}

/// Returns one value per joint, or an empty list if no joint has a value.
fn column(values: Vec<Option<f64>>) -> Vec<f64> {
    if values.iter().all(Option::is_none) {
        return Vec::new();
    }
    values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}

//! The scene of the run as viewers display it.
//!
//! - [`drawing`] keeps what viewers have, and makes the messages that change it. [`entities`] turns visuals into entities,
//!   with [`shapes`] for those without a primitive, and [`models`] for meshes, which get their materials in [`glb`].
//! - [`frames`] knows where the frames of links and sensors are; [`tf`] is what plugins publish about frames.
//! - [`color`] converts colours; [`messages`] are the messages, generated from `proto/foxglove/scene.proto`.
//!
//! Plain values without a clock or a socket.

mod color;
pub(crate) mod drawing;
mod entities;
pub(crate) mod frames;
mod glb;
pub(crate) mod messages;
mod models;
mod optics;
mod shapes;
pub(crate) mod tf;

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::geometry_msgs;

use self::messages as fox;

/// The frame of the world.
pub(crate) const WORLD: &str = "world";

/// Returns the time stamp of simulated nanoseconds.
pub(crate) fn timestamp(time_ns: i64) -> prost_types::Timestamp {
    let nanos = i32::try_from(time_ns.rem_euclid(1_000_000_000)).unwrap_or(0);
    prost_types::Timestamp { seconds: time_ns.div_euclid(1_000_000_000), nanos }
}

/// Reads a pose; missing parts are zero, and a zero quaternion is the identity.
pub(crate) fn pose(from: Option<&geometry_msgs::Pose>) -> Pose {
    let Some(from) = from else { return Pose::IDENTITY };
    let position = from.position.as_ref().map_or([0.0; 3], |at| [at.x, at.y, at.z]);
    Pose { position, orientation: orientation(from.orientation.as_ref()) }
}

/// Reads a transform in the same way.
pub(crate) fn transform(from: Option<&geometry_msgs::Transform>) -> Pose {
    let Some(from) = from else { return Pose::IDENTITY };
    let position = from.translation.as_ref().map_or([0.0; 3], |by| [by.x, by.y, by.z]);
    Pose { position, orientation: orientation(from.rotation.as_ref()) }
}

fn orientation(from: Option<&geometry_msgs::Quaternion>) -> [f64; 4] {
    let found = from.map_or([0.0; 4], |turn| [turn.x, turn.y, turn.z, turn.w]);
    if found == [0.0; 4] { Pose::IDENTITY.orientation } else { found }
}

/// Returns the pose of the parent frame in the child frame.
fn inverse(pose: Pose) -> Pose {
    let [x, y, z, w] = pose.orientation;
    let position = pose.rotate_inverse(pose.position.map(|value| -value));
    Pose { position, orientation: [-x, -y, -z, w] }
}

fn pose_message(of: Pose) -> fox::Pose {
    fox::Pose { position: vector(of.position), orientation: quaternion(of.orientation) }
}

fn vector([x, y, z]: [f64; 3]) -> Option<fox::Vector3> {
    Some(fox::Vector3 { x, y, z })
}

fn quaternion([x, y, z, w]: [f64; 4]) -> Option<fox::Quaternion> {
    Some(fox::Quaternion { x, y, z, w })
}

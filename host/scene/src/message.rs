//! Poses and vectors as messages, and back.

use bridgehead_messages::geometry_msgs::{Point, Pose as PoseMessage, Quaternion, Vector3};
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

/// Returns a pose as a message.
#[must_use]
pub fn pose(pose: &Pose) -> PoseMessage {
    let (at, turn) = (pose.position, pose.rotation);
    PoseMessage {
        position: Some(Point { x: at.x, y: at.y, z: at.z }),
        orientation: Some(Quaternion { x: turn.x, y: turn.y, z: turn.z, w: turn.w }),
    }
}

/// Returns a vector as a message.
#[must_use]
pub fn vector(vector: DVec3) -> Vector3 {
    Vector3 { x: vector.x, y: vector.y, z: vector.z }
}

/// Returns the pose of a message; missing parts are the origin and no rotation.
#[must_use]
pub fn pose_of(pose: &PoseMessage) -> Pose {
    let position = pose.position.as_ref().map_or(DVec3::ZERO, point_of);
    let turn = pose.orientation.as_ref();
    let rotation = turn.map_or(DQuat::IDENTITY, |turn| DQuat::from_xyzw(turn.x, turn.y, turn.z, turn.w));
    Pose { position, rotation }
}

/// Returns the point of a message.
#[must_use]
pub fn point_of(point: &Point) -> DVec3 {
    DVec3::new(point.x, point.y, point.z)
}

/// Returns the vector of a message.
#[must_use]
pub fn vector_of(vector: &Vector3) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_message_has_is_what_was_put_into_it() {
        let given = Pose::new(DVec3::new(1.0, -2.0, 3.0), DQuat::from_rotation_x(0.5));
        assert_eq!(pose_of(&pose(&given)), given);
        assert_eq!(vector_of(&vector(given.position)), given.position);
        assert_eq!(pose_of(&PoseMessage::default()), Pose::IDENTITY);
    }
}

//! The pose and velocity of an entity of a recording.
//!
//! A recording has poses of links. That of a model follows from its canonical link; velocities are differences of poses
//! over the time between two of them.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{Scene, WorldDescription};
use bridgehead_plugin_api::messages::{geometry_msgs, simulation_interfaces as si};
use bridgehead_scene::message::{pose, pose_of, vector};
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use crate::recording::{Poses, Recording};

/// Recorded time over which velocities are measured, nanoseconds: a few messages of poses.
const SPAN: u64 = 100_000_000;

/// Returns the state of a model at a time; `None` if the scene has no such model there.
pub(super) fn state_at(recording: &Recording, entity: &str, time_ns: u64) -> Option<si::EntityState> {
    let (scene, description) = (recording.scene_at(time_ns)?, recording.description_at(time_ns)?);
    let carrier = Carrier::of(entity, &scene, &description)?;
    let now = carrier.model_at(recording, time_ns)?;
    let before_ns = time_ns.saturating_sub(SPAN).max(recording.times().0);
    let before = carrier.model_at(recording, before_ns).unwrap_or(now);
    #[expect(clippy::cast_precision_loss, reason = "a span of at most a tenth of a second")]
    let seconds = (time_ns - before_ns).max(1) as f64 * 1e-9;
    Some(si::EntityState {
        pose: Some(pose(&now)),
        twist: Some(twist_between(before, now, seconds)),
        ..si::EntityState::default()
    })
}

/// The link that carries the frame of a model.
struct Carrier {
    /// Index of its node, and the revision of the scene.
    node: usize,
    revision: u64,
    /// The model in the frame of the link.
    model: Pose,
}

impl Carrier {
    fn of(entity: &str, scene: &Scene, description: &WorldDescription) -> Option<Self> {
        let model = description.models.iter().find(|model| model.name == entity)?;
        let link = description.links.iter().find(|link| link.name == model.canonical_link)?;
        let node = scene.nodes.iter().position(|node| node.name == model.canonical_link)?;
        let [model, link] = [model.pose.as_ref()?, link.pose.as_ref()?].map(pose_of);
        Some(Carrier { node, revision: scene.revision, model: link.inverse() * model })
    }

    fn model_at(&self, recording: &Recording, time_ns: u64) -> Option<Pose> {
        let block = Poses::default().at(recording, time_ns)?;
        let [x, y, z, qx, qy, qz, qw] = block.poses().nth(self.node)?;
        let link = Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw));
        (block.revision == self.revision).then(|| link * self.model)
    }
}

fn twist_between(before: Pose, now: Pose, seconds: f64) -> geometry_msgs::Twist {
    let linear = (now.position - before.position) / seconds;
    let angular = (now.rotation * before.rotation.inverse()).to_scaled_axis() / seconds;
    geometry_msgs::Twist { linear: Some(vector(linear)), angular: Some(vector(angular)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_differences_of_poses() {
        let before = Pose::new(DVec3::new(1.0, 2.0, 3.0), DQuat::from_rotation_z(3.1));
        let now = Pose::new(DVec3::new(1.1, 2.0, 2.8), DQuat::from_rotation_z(3.3));
        let twist = twist_between(before, now, 0.1);
        let linear = twist.linear.expect("linear");
        let angular = twist.angular.expect("angular");
        assert!((linear.x - 1.0).abs() < 1e-9 && linear.y.abs() < 1e-9 && (linear.z + 2.0).abs() < 1e-9);
        assert!((angular.z - 2.0).abs() < 1e-9 && angular.x.abs() < 1e-9, "the short way: {angular:?}");
    }
}

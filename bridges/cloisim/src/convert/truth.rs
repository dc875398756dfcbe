//! Ground truth of objects.

use bridgehead_plugin_api::messages::lgsvl_msgs::{Detection3D, Detection3DArray};
use bridgehead_plugin_api::messages::prost::Message as _;

use super::{ConversionError, Converter, Outputs, data, header, header_now};
use crate::device::{Key, Slot};
use crate::msgs;
use crate::pose::{Pose, from_vector, rotate, vector};

pub(super) struct Truth {
    /// Name, tracking id and class id of each target in the world file.
    pub(super) targets: Vec<(String, i32, i32)>,
}

impl Converter for Truth {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let seen = Detection3DArray::decode(message)?;
        let perception = seen.detections.iter().map(|one| self.perception(one)).collect();
        Ok(data(&msgs::PerceptionV { header: header(seen.header.as_ref()), perception }))
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        msgs::PerceptionV { header: header_now(now), perception: Vec::new() }.encode_to_vec()
    }
}

impl Truth {
    fn perception(&self, seen: &Detection3D) -> msgs::Perception {
        let numbered = self.targets.iter().find(|(name, ..)| *name == seen.label);
        let own = i32::try_from(seen.id & 0x7fff_ffff).unwrap_or(0);
        let (tracking_id, class_id) = numbered.map_or((own, 0), |(_, tracking, class)| (*tracking, *class));
        let bounds = seen.bbox.unwrap_or_default();
        let pose = Pose::from_ros(bounds.position.as_ref());
        let size = from_vector(bounds.size.as_ref());
        let velocity = seen.velocity.as_ref().and_then(|velocity| velocity.linear.as_ref());
        let velocity = from_vector(velocity);
        msgs::Perception {
            header: header(seen.header.as_ref()),
            tracking_id,
            class_id,
            footprint: footprint(pose, &size),
            position: Some(vector(pose.position)),
            velocity: Some(velocity),
            size: Some(size),
        }
    }
}

/// Returns the corners of the box's footprint on the ground, relative to its centre, with its rotation.
fn footprint(pose: Pose, size: &msgs::Vector3d) -> Vec<msgs::Vector3d> {
    let (x, y) = (size.x / 2.0, size.y / 2.0);
    let corners = [[x, y, 0.0], [-x, y, 0.0], [-x, -y, 0.0], [x, -y, 0.0]];
    corners.map(|corner| vector(rotate(pose.orientation, corner))).to_vec()
}

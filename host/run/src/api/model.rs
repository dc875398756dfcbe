//! `bridgehead.model/1`: what an instance is attached to.

use bridgehead_abi::host::{Attachment as RawAttachment, JointInfo, LinkInfo, NO_LINK};
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::hosting::ModelHost;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::context::Context;

/// A pose that a plugin has passed, with a rotation of length one.
pub(super) fn pose_of(raw: &bridgehead_abi::basic::Pose) -> Pose {
    Pose {
        position: DVec3::from_array(raw.position),
        rotation: DQuat::from_array(raw.orientation).normalize(),
    }
}

/// A pose as the ABI passes it.
pub(super) fn raw_pose(pose: &Pose) -> bridgehead_abi::basic::Pose {
    bridgehead_abi::basic::Pose { position: pose.position.to_array(), orientation: pose.rotation.to_array() }
}

impl ModelHost for Context {
    // The texts live as long as the context.
    fn attachment(&self) -> Result<RawAttachment, Status> {
        let at = &self.attachment;
        Ok(RawAttachment {
            struct_size: RawAttachment::SIZE,
            parent_link: at.parent_link.unwrap_or(NO_LINK),
            vehicle: Str::new(&at.vehicle),
            model: Str::new(&at.model),
            element: Str::new(&at.element),
            path: Str::new(&at.path),
            frame_id: Str::new(&at.frame_id),
            topic: Str::new(&at.topic),
            xml: Str::new(&at.xml),
            pose: raw_pose(&at.pose),
            update_period_ns: at.update_period_ns,
            seed: self.shared.seed,
        })
    }

    fn link(&self, index: u32) -> Result<LinkInfo, Status> {
        let link = self.attachment.links.get(index as usize).ok_or(status::NOT_FOUND)?;
        Ok(LinkInfo {
            struct_size: LinkInfo::SIZE,
            link: link.link,
            name: Str::new(&link.name),
            frame_id: Str::new(&link.frame_id),
            pose: raw_pose(&link.pose),
            mass: link.mass,
        })
    }

    fn joint(&self, index: u32) -> Result<JointInfo, Status> {
        let joint = self.attachment.joints.get(index as usize).ok_or(status::NOT_FOUND)?;
        Ok(JointInfo {
            struct_size: JointInfo::SIZE,
            joint: joint.joint,
            kind: joint.kind,
            reserved: 0,
            name: Str::new(&joint.name),
            lower: joint.lower,
            upper: joint.upper,
            effort: joint.effort,
            velocity: joint.velocity,
        })
    }
}

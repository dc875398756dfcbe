//! The transforms that plugins publish, as far as they concern the frames of the scene: frames with a parent there get no
//! second one from us.

use std::collections::BTreeMap;

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

use super::{pose, transform};

/// Frames are few; a plugin that publishes more has run wild.
const MAX_FRAMES: usize = 10_000;

/// A parent frame and the pose in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) parent: String,
    pub(super) pose: Pose,
}

/// What plugins publish, by child frame.
#[derive(Default)]
pub(crate) struct Tf {
    transforms: BTreeMap<String, Placed>,
    odometry: BTreeMap<String, Placed>,
}

impl Tf {
    /// Takes a `TFMessage`. Other bytes change nothing.
    pub(crate) fn take_transforms(&mut self, payload: &[u8]) {
        let Ok(message) = TfMessage::decode(payload) else { return };
        for stamped in message.transforms {
            let parent = stamped.header.map(|header| header.frame_id).unwrap_or_default();
            insert(
                &mut self.transforms,
                stamped.child_frame_id,
                parent,
                transform(stamped.transform.as_ref()),
            );
        }
    }

    /// Takes an `Odometry`. Other bytes change nothing.
    pub(crate) fn take_odometry(&mut self, payload: &[u8]) {
        let Ok(odometry) = Odometry::decode(payload) else { return };
        let parent = odometry.header.map(|header| header.frame_id).unwrap_or_default();
        let at = pose(odometry.pose.and_then(|pose| pose.pose).as_ref());
        insert(&mut self.odometry, odometry.child_frame_id, parent, at);
    }

    /// Returns true if a plugin publishes the parent of this frame.
    pub(super) fn places(&self, child: &str) -> bool {
        self.transforms.contains_key(child)
    }

    /// Returns all children with their places: of transforms, then of odometry.
    pub(super) fn placed(&self) -> impl Iterator<Item = (&str, &Placed)> {
        self.transforms.iter().chain(&self.odometry).map(|(child, placed)| (child.as_str(), placed))
    }
}

fn insert(into: &mut BTreeMap<String, Placed>, child: String, parent: String, pose: Pose) {
    if !child.is_empty() && !parent.is_empty() && (into.len() < MAX_FRAMES || into.contains_key(&child)) {
        into.insert(child, Placed { parent, pose });
    }
}

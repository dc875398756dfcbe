//! Transforms, which all boards of vehicles publish; each is a message of its own.

use std::collections::HashMap;

use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

use super::{ConversionError, Outputs, header};
use crate::device::{Key, names};
use crate::msgs::{self, header::Map};
use crate::pose::{from_vector, quaternion};

/// The stamps of the transforms that were sent, by child frame: several plugins may publish one transform.
#[derive(Debug, Default)]
pub(super) struct Sent(HashMap<String, i64>);

impl Sent {
    /// Returns true if a transform is newer than the one that was sent, and takes it as sent.
    fn take(&mut self, child: &str, transform: &TransformStamped) -> bool {
        let stamp = transform.header.as_ref().and_then(|header| header.stamp).unwrap_or_default();
        let stamp = i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec);
        match self.0.get_mut(child) {
            Some(sent) if *sent >= stamp => false,
            Some(sent) => {
                *sent = stamp;
                true
            }
            None => self.0.insert(child.to_owned(), stamp).is_none(),
        }
    }

    /// Forgets all of them: time goes back in a reset.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Returns the wanted transforms of a vehicle, selected by child and parent frames, each once.
pub(super) fn transforms(
    message: &[u8],
    vehicle: &str,
    is_wanted: impl Fn(&str, &str) -> bool,
    sent: &mut Sent,
) -> Result<Outputs, ConversionError> {
    let message = TfMessage::decode(message)?;
    let poses = message.transforms.iter().filter_map(|transform| {
        let child = names::frame_in(vehicle, &transform.child_frame_id)?;
        let parent = transform.header.as_ref().map_or("", |header| header.frame_id.as_str());
        let parent = names::own_frame(vehicle, parent);
        (is_wanted(&child, &parent) && sent.take(&child, transform)).then(|| pose(transform, child, parent))
    });
    Ok(poses.map(|pose| (Key::Tf, pose.encode_to_vec())).collect())
}

fn pose(from: &TransformStamped, name: String, parent: String) -> msgs::Pose {
    let mut header = header(from.header.as_ref()).unwrap_or_default();
    header.data.push(Map { key: "parent_frame_id".to_owned(), value: vec![parent] });
    let transform = from.transform.unwrap_or_default();
    let [x, y, z, w] = quaternion(transform.rotation.as_ref());
    msgs::Pose {
        header: Some(header),
        name,
        id: 0,
        position: Some(from_vector(transform.translation.as_ref())),
        orientation: Some(msgs::Quaternion { header: None, x, y, z, w }),
    }
}

/// Returns a transform without a name, which clients accept as a keep-alive message.
pub(super) fn nameless(now: i64) -> Vec<u8> {
    msgs::Pose { header: super::header_now(now), ..msgs::Pose::default() }.encode_to_vec()
}

//! Static transforms: plugins publish each once, and a late subscriber receives only the last message, so that message must
//! contain all of them.

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

/// The latest transform of each child frame.
#[derive(Default)]
pub(super) struct Statics(Vec<TransformStamped>);

impl Statics {
    /// Adds a message and returns one with all known transforms; `None` if it is malformed.
    pub(super) fn merge(&mut self, payload: &[u8]) -> Option<Payload> {
        for transform in TfMessage::decode(payload).ok()?.transforms {
            self.0.retain(|known| known.child_frame_id != transform.child_frame_id);
            self.0.push(transform);
        }
        Some(Payload::from_vec(TfMessage { transforms: self.0.clone() }.encode_to_vec()))
    }
}

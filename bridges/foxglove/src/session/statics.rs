//! Static transforms: a new subscriber gets one message with the transforms of all messages so far.

use std::collections::BTreeMap;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

use super::channel::Message;

/// Returns the later message with the transforms of the earlier one whose child frames it does not have. Bytes that are
/// not transforms stay as they are.
pub(super) fn merge(earlier: &Message, later: Message) -> Message {
    let decode = |message: &Message| TfMessage::decode(&*message.payload);
    let (Ok(before), Ok(after)) = (decode(earlier), decode(&later)) else { return later };
    let by_child: BTreeMap<_, _> = before
        .transforms
        .into_iter()
        .chain(after.transforms)
        .map(|transform| (transform.child_frame_id.clone(), transform))
        .collect();
    let merged = TfMessage { transforms: by_child.into_values().collect() };
    Message { payload: Payload::from_vec(merged.encode_to_vec()), stamp_ns: later.stamp_ns }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;

    use super::*;

    fn message(children: &[&str], stamp_ns: i64) -> Message {
        let named = |child: &&str| TransformStamped {
            child_frame_id: (*child).to_owned(),
            ..TransformStamped::default()
        };
        let transforms = TfMessage { transforms: children.iter().map(named).collect() };
        Message { payload: Payload::from_vec(transforms.encode_to_vec()), stamp_ns }
    }

    #[test]
    fn the_merged_message_has_each_child_once() {
        let merged = merge(&message(&["a", "b"], 1), message(&["b", "c"], 2));
        let decoded = TfMessage::decode(&*merged.payload).expect("transforms");
        let children: Vec<_> = decoded.transforms.iter().map(|one| one.child_frame_id.as_str()).collect();
        assert_eq!((children, merged.stamp_ns), (vec!["a", "b", "c"], 2));
    }

    #[test]
    fn other_bytes_replace_what_was_kept() {
        let wrong = Message { payload: Payload::from_vec(vec![0xff]), stamp_ns: 3 };
        assert_eq!(&*merge(&message(&["a"], 1), wrong).payload, &[0xff]);
    }
}

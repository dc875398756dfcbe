//! Transforms that do not change: a late reader gets the last message of `/tf_static`, so each must hold all of them.

use bridgehead_plugin_api::messages::prost::Message as _;

use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;
use bridgehead_plugin_api::messages::prost::DecodeError;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

/// All that were told, one for each child.
#[derive(Default)]
pub(super) struct Statics(Vec<TransformStamped>);

impl Statics {
    /// Takes in an encoded `TFMessage` and gives one with all that are known.
    ///
    /// # Errors
    /// Where it is none.
    pub(super) fn merge(&mut self, payload: &[u8]) -> Result<Vec<u8>, DecodeError> {
        for transform in TfMessage::decode(payload)?.transforms {
            let known = self.0.iter_mut().find(|known| known.child_frame_id == transform.child_frame_id);
            match known {
                Some(known) => *known = transform,
                None => self.0.push(transform),
            }
        }
        Ok(TfMessage { transforms: self.0.clone() }.encode_to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::messages::geometry_msgs::{Transform, Vector3};

    fn message(transforms: &[(&str, f64)]) -> Vec<u8> {
        let transforms = transforms.iter().map(|(child, x)| TransformStamped {
            child_frame_id: (*child).to_owned(),
            transform: Some(Transform {
                translation: Some(Vector3 { x: *x, ..Vector3::default() }),
                ..Transform::default()
            }),
            ..TransformStamped::default()
        });
        TfMessage { transforms: transforms.collect() }.encode_to_vec()
    }

    #[test]
    fn each_message_holds_all_and_the_newest_of_each() {
        let mut statics = Statics::default();
        assert_eq!(
            statics.merge(&message(&[("a", 1.0), ("b", 2.0)])),
            Ok(message(&[("a", 1.0), ("b", 2.0)]))
        );
        let all = message(&[("a", 1.0), ("b", 5.0), ("c", 3.0)]);
        assert_eq!(statics.merge(&message(&[("c", 3.0), ("b", 5.0)])), Ok(all));
    }

    #[test]
    fn what_is_no_message_changes_nothing() {
        let mut statics = Statics::default();
        assert!(statics.merge(&[0xff, 0xff]).is_err());
        assert_eq!(statics.merge(&[]), Ok(Vec::new()));
    }
}

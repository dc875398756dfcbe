//! Static transforms: a late reader gets the last message of `/tf_static` only, so each message must contain all
//! transforms.

use bridgehead_plugin_api::messages::prost::Message as _;

use bridgehead_plugin_api::messages::geometry_msgs::TransformStamped;
use bridgehead_plugin_api::messages::prost::DecodeError;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

/// The latest transform of each child frame.
#[derive(Default)]
pub struct Statics(Vec<TransformStamped>);

impl Statics {
    /// Adds an encoded `TFMessage` and returns one with all known transforms.
    ///
    /// # Errors
    /// Returns an error if it is not a `TFMessage`.
    pub fn merge(&mut self, payload: &[u8]) -> Result<Vec<u8>, DecodeError> {
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
    fn each_message_contains_the_latest_transform_of_each_child() {
        let mut statics = Statics::default();
        assert_eq!(
            statics.merge(&message(&[("a", 1.0), ("b", 2.0)])),
            Ok(message(&[("a", 1.0), ("b", 2.0)]))
        );
        let all = message(&[("a", 1.0), ("b", 5.0), ("c", 3.0)]);
        assert_eq!(statics.merge(&message(&[("c", 3.0), ("b", 5.0)])), Ok(all));
    }

    #[test]
    fn an_invalid_message_changes_nothing() {
        let mut statics = Statics::default();
        assert!(statics.merge(&[0xff, 0xff]).is_err());
        assert_eq!(statics.merge(&[]), Ok(Vec::new()));
    }
}

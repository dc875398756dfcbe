//! The type of a topic, as transports write it.

use bridgehead_plugin_api::messages::ros::{RosElement, TypeHash, type_hash};
use bridgehead_plugin_api::messages::{Arity, Field, MessageType};

/// The type of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicType {
    /// Its name in DDS, such as `sensor_msgs::msg::dds_::LaserScan_`.
    pub dds_name: String,
    /// Its hash; `None` if only the name is known.
    pub hash: Option<TypeHash>,
    /// Whether its messages contain arrays of bytes without a limit, as images do.
    pub has_bytes: bool,
}

impl TopicType {
    /// Returns the type of these messages.
    pub fn of(message: &MessageType) -> Self {
        TopicType {
            dds_name: message.ros_type().dds(),
            hash: Some(type_hash(message)),
            has_bytes: has_bytes(message),
        }
    }
}

fn has_bytes(message: &MessageType) -> bool {
    let is_bytes = |field: &Field| {
        field.arity() == Arity::Sequence
            && matches!(field.ros_element(), RosElement::Uint8 | RosElement::Char)
    };
    let contained = message.dependencies().iter().flat_map(|part| part.fields());
    message.fields().iter().chain(contained).any(is_bytes)
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::{
        Message as _, Schema, sensor_msgs, std_msgs, unique_identifier_msgs, visualization_msgs,
    };

    use super::*;

    #[test]
    fn types_with_bytes_are_recognized_also_in_what_they_contain() {
        let of = |schema: Schema| TopicType::of(&schema.resolve().expect("a type")).has_bytes;
        assert!(of(sensor_msgs::Image::schema()) && of(sensor_msgs::PointCloud2::schema()));
        assert!(of(visualization_msgs::MarkerArray::schema()), "textures of markers");
        assert!(!of(sensor_msgs::LaserScan::schema()) && !of(std_msgs::String::schema()));
        // Of a fixed number.
        assert!(!of(unique_identifier_msgs::Uuid::schema()));
    }
}

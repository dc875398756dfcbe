//! The type of a topic, as transports write it.

use bridgehead_plugin_api::messages::MessageType;
use bridgehead_plugin_api::messages::ros::{TypeHash, type_hash};

/// The type of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicType {
    /// Its name in DDS, such as `sensor_msgs::msg::dds_::LaserScan_`.
    pub dds_name: String,
    /// Its hash; `None` if only the name is known.
    pub hash: Option<TypeHash>,
}

impl TopicType {
    /// Returns the type of these messages.
    pub fn of(message: &MessageType) -> Self {
        TopicType { dds_name: message.ros_type().dds(), hash: Some(type_hash(message)) }
    }
}

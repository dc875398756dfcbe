//! ROS names: type names, field types, the text and the hash derived from a descriptor, and the messages of services and
//! actions.
//!
//! Nothing here communicates with ROS; bridges use these names for their middleware.

use crate::{Field, MessageType, Struct, Wire};

mod constant;
mod element;
mod fault;
mod interface;
#[cfg(test)]
mod tests;
mod type_hash;
mod type_name;

pub(crate) use constant::{check_constant, check_value};
pub use element::RosElement;
pub(crate) use element::parse_field_type;
pub use fault::AnnotationFault;
pub use interface::{ActionTypes, InterfaceError, ServiceTypes};
pub use type_hash::{TypeHash, type_hash};
pub(crate) use type_name::is_lower_name;
pub use type_name::{RosInterface, RosTypeName};

/// Returns the `.msg` definition of the message: constants first, then fields, one per line.
pub fn msg_text(message: &MessageType) -> String {
    struct_text(message, message.root())
}

/// Returns the `.msg` definition followed by those of all contained messages, in the form that rosbag2 and MCAP call
/// `ros2msg`.
pub fn full_msg_text(message: &MessageType) -> String {
    let mut text = msg_text(message);
    for contained in message.dependencies() {
        text += &"=".repeat(80);
        text += &format!("\nMSG: {}\n", contained.ros_type().short());
        text += &struct_text(message, contained);
    }
    text
}

/// Returns the ROS type of a field as in a `.msg` file, for example `float64[9]` or `geometry_msgs/Vector3`.
pub fn field_type(message: &MessageType, field: &Field) -> String {
    let element = match field.wire() {
        Wire::Message(id) => message.dependency(id).map(|contained| contained.ros_type().short()),
        _ => None,
    };
    let element = element.unwrap_or_else(|| field.ros_element().to_string());
    format!("{element}{}", field.arity())
}

fn struct_text(message: &MessageType, of: &Struct) -> String {
    let mut text = String::new();
    for constant in of.constants() {
        text += constant;
        text.push('\n');
    }
    for field in of.fields() {
        text += &format!("{} {}", field_type(message, field), field.name());
        if let Some(default) = field.ros_default() {
            text += &format!(" {default}");
        }
        text.push('\n');
    }
    text
}

//! The keys of topics and services: `DOMAIN/NAME/TYPE/HASH`.

use bridgehead_plugin_api::messages::ros::TypeHash;

/// What Humble writes for every hash: its types have none.
const WITHOUT_HASH: &str = "TypeHashNotSupported";

/// The part of a key, and of a token, that says the type: its name in DDS, such as `std_msgs::msg::dds_::String_`, and its
/// hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypePart {
    pub(crate) name: String,
    pub(crate) hash: String,
}

impl TypePart {
    /// Returns the part for a type; `has_hashes` is false for peers of Humble.
    pub(crate) fn new(name: &str, hash: TypeHash, has_hashes: bool) -> Self {
        let hash = if has_hashes { hash.to_string() } else { WITHOUT_HASH.to_owned() };
        TypePart { name: name.to_owned(), hash }
    }
}

/// Returns the key of a topic or service with an absolute name of ROS.
pub(crate) fn key(domain: u16, name: &str, kind: &TypePart) -> String {
    let TypePart { name: type_name, hash } = kind;
    format!("{domain}/{}/{type_name}/{hash}", name.trim_start_matches('/'))
}

/// Returns the second key of a topic whose messages contain bytes, in Rolling and Lyrical: for subscribers with bytes in
/// memory of the processor.
pub(crate) fn bytes_key(key: &str) -> String {
    format!("{key}/_buf_cpu")
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::ros::type_hash;
    use bridgehead_plugin_api::messages::{Message as _, std_msgs};

    use super::*;

    fn string(has_hashes: bool) -> TypePart {
        let message = std_msgs::String::schema().resolve().expect("a type");
        TypePart::new(&message.ros_type().dds(), type_hash(&message), has_hashes)
    }

    /// The examples of the design document of `rmw_zenoh`.
    #[test]
    fn keys_are_those_of_rmw_zenoh() {
        assert_eq!(
            key(0, "/robot1/chatter", &string(true)),
            "0/robot1/chatter/std_msgs::msg::dds_::String_/\
             RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
        );
        assert_eq!(
            key(2, "/chatter", &string(false)),
            "2/chatter/std_msgs::msg::dds_::String_/TypeHashNotSupported"
        );
    }
}

//! Names of topics and types as rosbridge clients write them.

use bridgehead_plugin_api::messages::ros::RosTypeName;

use crate::connection::Generation;

/// Returns the absolute name of a topic, service or action: clients may leave out the leading slash.
pub(crate) fn absolute(name: &str) -> String {
    if name.starts_with('/') { name.to_owned() } else { format!("/{name}") }
}

/// Returns true if a client means this type: `pkg/Name` and `pkg/msg/Name` are the same.
pub(crate) fn is_type(found: &str, package: &str, name: &str) -> bool {
    parts(found) == Some((package, name))
}

/// Returns true if a client means this message type.
pub(crate) fn is_message(found: &str, of: &RosTypeName) -> bool {
    is_type(found, of.package(), of.name())
}

/// Returns the package and the name of a type.
pub(crate) fn parts(text: &str) -> Option<(&str, &str)> {
    let mut parts = text.trim_matches('/').split('/');
    let package = parts.next().filter(|package| !package.is_empty())?;
    match (parts.next(), parts.next(), parts.next()) {
        (Some("msg" | "srv" | "action"), Some(name), None) | (Some(name), None, None) => {
            Some((package, name))
        }
        _ => None,
    }
}

/// Returns a type name in the form of a generation: `pkg/msg/Name`, or `pkg/Name`.
pub(crate) fn type_name(full: &str, generation: Generation) -> String {
    match (generation, parts(full)) {
        (Generation::One, Some((package, name))) => format!("{package}/{name}"),
        (Generation::One, None) | (Generation::Two, _) => full.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_two_or_three_parts() {
        for found in ["std_msgs/String", "std_msgs/msg/String", "/std_msgs/String"] {
            assert!(is_type(found, "std_msgs", "String"), "{found}");
        }
        for found in ["", "String", "std_msgs", "std_msgs/x/String", "std_msgs/msg/String/x", "std_msgs/msg"]
        {
            assert!(!is_type(found, "std_msgs", "String"), "{found}");
        }
        assert_eq!(type_name("std_srvs/srv/SetBool", Generation::One), "std_srvs/SetBool");
        assert_eq!(type_name("std_srvs/srv/SetBool", Generation::Two), "std_srvs/srv/SetBool");
    }

    #[test]
    fn names_are_absolute() {
        assert_eq!((absolute("rosapi/topics"), absolute("/a")), ("/rosapi/topics".into(), "/a".into()));
    }
}

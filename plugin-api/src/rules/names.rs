//! Names of topics, services and types, and the words in which they are refused.

use std::fmt;

/// Longest full name of a topic or service, bytes, as in DDS.
const MAX_NAME: usize = 255;

use crate::messages::PayloadError;

/// A name that is not that of a topic or service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameFault {
    /// What was given.
    pub name: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.name.chars().take(MAX_NAME).collect();
        write!(f, "[BH-MSG-060] `{shown}` is not a topic name: {}", self.why)
    }
}

impl std::error::Error for NameFault {}

/// `/vehicle/topic`, or the name itself if it is absolute. Scopes (`model::link`) become path parts, and blanks become
/// underscores, so that every middleware accepts the name.
///
/// # Errors
/// Returns an error if the name is empty or too long, has control characters, or an empty part between slashes.
pub fn full_name(vehicle: &str, name: &str) -> Result<String, NameFault> {
    let refuse = |why| Err(NameFault { name: name.to_owned(), why });
    if name.is_empty() || name == "/" {
        return refuse("it is empty");
    }
    if name.chars().any(char::is_control) {
        return refuse("it has control characters");
    }
    if name.contains("//") || name.ends_with('/') {
        return refuse("a part between slashes is empty");
    }
    let full = match (name.strip_prefix('/'), vehicle) {
        (Some(absolute), _) => format!("/{absolute}"),
        (None, "") => format!("/{name}"),
        (None, vehicle) => format!("/{vehicle}/{name}"),
    };
    let full = full.replace("::", "/").replace(' ', "_");
    if full.len() > MAX_NAME { refuse("it has more than 255 bytes") } else { Ok(full) }
}

/// Where a topic that is asked for is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// It is there under this name.
    Known(String),
    /// It is to be made under this name.
    New(String),
    /// The topic of this name carries another type.
    OtherType(String),
}

/// Finds the topic `name` for messages of the type `wanted`. `carried` says what the topic of a name carries.
///
/// A publisher of another type than the topic carries gets a topic of its own: `name_2`, `name_3` and so on. A
/// subscriber is refused.
#[must_use]
pub fn resolve_topic<T: PartialEq>(
    name: &str,
    wanted: &T,
    is_publisher: bool,
    carried: impl Fn(&str) -> Option<T>,
) -> Resolved {
    let mut candidate = name.to_owned();
    let mut suffix = 2;
    while let Some(known) = carried(&candidate) {
        if known == *wanted {
            return Resolved::Known(candidate);
        }
        if !is_publisher {
            return Resolved::OtherType(candidate);
        }
        candidate = format!("{name}_{suffix}");
        suffix += 1;
    }
    Resolved::New(candidate)
}

/// Says that a topic was opened before its type was registered.
#[must_use]
pub fn type_unregistered(type_name: &str, topic: &str) -> String {
    format!("[BH-MSG-062] type `{type_name}` was not registered before `{topic}` was opened")
}

/// Says that a subscriber asked for another type than the topic carries.
#[must_use]
pub fn wrong_type_of_subscriber(topic: &str, has: &str, owner: &str, wants: &str) -> String {
    format!("[BH-MSG-061] topic `{topic}` carries `{has}`, but {owner} subscribed to it as `{wants}`")
}

/// Says that a service was announced before its types were registered.
#[must_use]
pub fn service_type_unregistered(name: &str) -> String {
    format!("[BH-MSG-062] a type of service `{name}` was not registered before")
}

/// Says that the vehicle has a service of that name.
#[must_use]
pub fn service_taken(name: &str) -> String {
    format!("[BH-MSG-063] service `{name}` is taken by another plugin of this vehicle")
}

/// Says that two descriptors have one name.
#[must_use]
pub fn type_conflict(name: &str, owner: &str, first: &str) -> String {
    format!(
        "[BH-MSG-050] type `{name}` of {owner} differs from the one that {first} registered under that name: give one \
         of them another package or version"
    )
}

/// Returns the text for a message that a bridge delivered and that is not of the topic's type.
#[must_use]
pub fn not_of_type(topic: &str, ros_name: &str, error: &PayloadError) -> String {
    format!("[{}] a message for {topic} is not a {ros_name}: {}", error.code(), error.detail())
}

/// Why a call of a service that does not exist fails.
#[must_use]
pub fn no_such_service(name: &str) -> String {
    format!("there is no service `{name}`")
}

/// Why a call of a service with a request of another type fails.
#[must_use]
pub fn wrong_request(name: &str, takes: &str, given: &str) -> String {
    format!("service `{name}` takes a `{takes}`, not a `{given}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publisher_of_another_type_gets_a_name_of_its_own() {
        let carried = |name: &str| match name {
            "/x" => Some(1),
            "/x_2" => Some(2),
            _ => None,
        };
        let resolve = |wanted, is_publisher| resolve_topic("/x", &wanted, is_publisher, carried);
        assert_eq!(
            [1, 2, 3].map(|wanted| resolve(wanted, true)),
            [
                Resolved::Known("/x".to_owned()),
                Resolved::Known("/x_2".to_owned()),
                Resolved::New("/x_3".to_owned()),
            ]
        );
        assert_eq!(resolve(2, false), Resolved::OtherType("/x".to_owned()));
        assert_eq!(resolve_topic("/y", &2, false, carried), Resolved::New("/y".to_owned()));
    }

    #[test]
    fn names_become_paths() {
        let full = |vehicle, name| full_name(vehicle, name).map_err(|fault| fault.why);
        assert_eq!(full("car1", "scan").as_deref(), Ok("/car1/scan"));
        assert_eq!(full("car1", "/tf").as_deref(), Ok("/tf"));
        assert_eq!(full("", "clock").as_deref(), Ok("/clock"));
        assert_eq!(full("car1", "arm::upper/force torque").as_deref(), Ok("/car1/arm/upper/force_torque"));
        assert_eq!(full("car1", "a//b"), Err("a part between slashes is empty"));
        assert_eq!(full("car1", "a/"), Err("a part between slashes is empty"));
        assert_eq!(full("car1", ""), Err("it is empty"));
        assert_eq!(full("car1", "a\nb"), Err("it has control characters"));
        let [fits, too_long] = [254, 255].map(|length| "a".repeat(length));
        assert_eq!(full_name("", &fits).map(|name| name.len()).ok(), Some(255));
        assert_eq!(full_name("", &too_long).err().map(|fault| fault.why), Some("it has more than 255 bytes"));
    }
}

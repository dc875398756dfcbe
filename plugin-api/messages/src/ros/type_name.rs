//! Full ROS type names: how they are written in ROS and in DDS.
//!
//! The parts of services and actions are separate messages (`std_srvs/srv/SetBool_Request`), as on the DDS wire.

use std::fmt;

use super::AnnotationFault;

/// A ROS type name such as `sensor_msgs/msg/LaserScan`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RosTypeName {
    package: String,
    interface: RosInterface,
    name: String,
}

/// The middle part of a ROS type name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RosInterface {
    /// A message.
    Msg,
    /// Half of a service.
    Srv,
    /// Part of an action.
    Action,
}

impl RosInterface {
    fn as_str(self) -> &'static str {
        match self {
            Self::Msg => "msg",
            Self::Srv => "srv",
            Self::Action => "action",
        }
    }

    /// What the name must end in.
    fn suffixes(self) -> &'static [&'static str] {
        match self {
            Self::Msg => &[""],
            Self::Srv => &["_Request", "_Response"],
            Self::Action => &[
                "_Goal",
                "_Result",
                "_Feedback",
                "_SendGoal_Request",
                "_SendGoal_Response",
                "_GetResult_Request",
                "_GetResult_Response",
                "_FeedbackMessage",
            ],
        }
    }
}

impl RosTypeName {
    /// Reads `package/msg/Name`, `package/srv/Name_Request` and their like.
    pub(crate) fn parse(text: &str) -> Result<Self, AnnotationFault> {
        let mut parts = text.split('/');
        let (Some(package), Some(interface), Some(name), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(AnnotationFault::NotTypeName);
        };
        let interface = match interface {
            "msg" => RosInterface::Msg,
            "srv" => RosInterface::Srv,
            "action" => RosInterface::Action,
            other => return Err(AnnotationFault::Interface(other.to_owned())),
        };
        if !is_lower_name(package) {
            return Err(AnnotationFault::Package(package.to_owned()));
        }
        let Some(stem) = interface.suffixes().iter().find_map(|suffix| name.strip_suffix(suffix)) else {
            return Err(AnnotationFault::Suffix {
                name: name.to_owned(),
                expected: interface.suffixes().join(", "),
            });
        };
        if !is_type_name(stem) {
            return Err(AnnotationFault::Name(name.to_owned()));
        }
        Ok(Self { package: package.to_owned(), interface, name: name.to_owned() })
    }

    /// Returns the package, for example `sensor_msgs`.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Returns whether it is a message, a half of a service or a part of an action.
    pub fn interface(&self) -> RosInterface {
        self.interface
    }

    /// Returns the name within the package, for example `LaserScan` or `SetBool_Request`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the form used inside `.msg` files: `sensor_msgs/LaserScan`.
    pub fn short(&self) -> String {
        format!("{}/{}", self.package, self.name)
    }

    /// Returns the name that ROS 2 gives the type in DDS: `sensor_msgs::msg::dds_::LaserScan_`.
    pub fn dds(&self) -> String {
        format!("{}::{}::dds_::{}_", self.package, self.interface.as_str(), self.name)
    }
}

impl fmt::Display for RosTypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.package, self.interface.as_str(), self.name)
    }
}

/// Returns true if a name of a package or field starts with a letter and is lowercase, with single underscores and none at
/// the end.
pub(crate) fn is_lower_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_')
}

fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

//! Full ROS type names: how they are written in ROS and in DDS.
//!
//! The parts of services and actions are messages of their own here (`std_srvs/srv/SetBool_Request`), as they
//! are on the DDS wire.

use std::fmt;

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
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split('/');
        let (Some(package), Some(interface), Some(name), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err("expected `package/msg/Name`".to_owned());
        };
        let interface = match interface {
            "msg" => RosInterface::Msg,
            "srv" => RosInterface::Srv,
            "action" => RosInterface::Action,
            other => return Err(format!("expected `msg`, `srv` or `action` in the middle, found `{other}`")),
        };
        if !is_lower_name(package) {
            return Err(format!(
                "package `{package}` must be lowercase letters, digits and single underscores"
            ));
        }
        let Some(stem) = interface.suffixes().iter().find_map(|suffix| name.strip_suffix(suffix)) else {
            return Err(format!("`{name}` must end in one of {}", interface.suffixes().join(", ")));
        };
        if !is_type_name(stem) {
            return Err(format!("`{name}` must be an uppercase letter followed by letters and digits"));
        }
        Ok(Self { package: package.to_owned(), interface, name: name.to_owned() })
    }

    /// Package, for example `sensor_msgs`.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Message, service half or action part.
    pub fn interface(&self) -> RosInterface {
        self.interface
    }

    /// Name within the package, for example `LaserScan` or `SetBool_Request`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Form used inside `.msg` files: `sensor_msgs/LaserScan`.
    pub fn short(&self) -> String {
        format!("{}/{}", self.package, self.name)
    }

    /// Name that ROS 2 gives the type in DDS: `sensor_msgs::msg::dds_::LaserScan_`.
    pub fn dds(&self) -> String {
        format!("{}::{}::dds_::{}_", self.package, self.interface.as_str(), self.name)
    }
}

impl fmt::Display for RosTypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.package, self.interface.as_str(), self.name)
    }
}

/// Rule for packages and fields: starts with a letter, lowercase, no two underscores in a row, none at the end.
pub(crate) fn is_lower_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !name.contains("__")
        && !name.ends_with('_')
}

fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

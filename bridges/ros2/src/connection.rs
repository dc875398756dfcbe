//! The connection string: `domain=0;namespace=/;interface=lo;distro=jazzy;…`, every part optional.
//!
//! Missing parts are taken from the environment variables of ROS, and otherwise have the defaults of ROS. Only parses the text; [`network`] finds out whether an interface exists.

use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key};
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::environment::{Environment, domain};
use bridgehead_ros2_node::settings::{self, Settings};

use crate::dds::GidSize;
use crate::service::Mapping;
use interfaces::InterfaceChoice;

pub(crate) mod interfaces;
pub(crate) mod network;
#[cfg(test)]
mod tests;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: "BH-ROS-001",
    target: None,
    keys: &[
        &[
            settings::DOMAIN,
            Key::new(
                "interface",
                "all, or names (lo, eth0) or addresses of interfaces, separated by commas",
                "all",
                "Interfaces to use; if it is left out, `lo` with `ROS_LOCALHOST_ONLY=1` or `ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST`.",
            ),
            Key::new(
                "distro",
                "a distribution of ROS 2: foxy, galactic, humble, iron, jazzy, kilted, lyrical or rolling",
                "jazzy",
                "Distribution of the peers; if it is left out, `ROS_DISTRO`. Up to Humble, addresses in `ros_discovery_info` have \
                 24 bytes, and no node is listed otherwise.",
            ),
            Key::new("mapping", "auto, cyclone or fastdds", "auto", "Clients of services that are served."),
        ],
        settings::KEYS,
    ],
    example: "domain=0;interface=lo;remap=/car1/scan:=/scan",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) domain: u16,
    /// Interfaces to use.
    pub(crate) interfaces: InterfaceChoice,
    pub(crate) gid: GidSize,
    /// Which clients of services are served.
    pub(crate) mapping: Mapping,
    /// How the node presents the run.
    pub(crate) settings: Settings,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Connection::parse_in(text, Environment::OF_PROCESS)
    }
}

impl Connection {
    /// Parses a connection string with the environment variables.
    fn parse_in(text: &str, environment: Environment<'_>) -> Result<Self> {
        let options = FORM.read(text)?;
        Ok(Connection {
            domain: options.read("domain", domain)?.map_or_else(|| environment.domain(), Ok)?,
            interfaces: options
                .read("interface", InterfaceChoice::parse)?
                .map_or_else(|| interfaces::of(environment), Ok)?,
            gid: match options.read("distro", gid_of)? {
                Some(gid) => gid,
                // As in Jazzy if the distribution is unknown.
                None => environment.distro().as_deref().and_then(gid_of).unwrap_or_default(),
            },
            mapping: options.read("mapping", Mapping::parse)?.unwrap_or_default(),
            settings: Settings::read(&options)?,
        })
    }
}

/// Returns how a distribution writes addresses in `ros_discovery_info`.
fn gid_of(distro: &str) -> Option<GidSize> {
    match distro {
        "foxy" | "galactic" | "humble" => Some(GidSize::Long),
        "iron" | "jazzy" | "kilted" | "lyrical" | "rolling" => Some(GidSize::Short),
        _ => None,
    }
}

//! The connection string: `domain=0;namespace=/;interface=lo;distro=jazzy;…`, every part optional.
//!
//! Missing parts are taken from the environment variables of ROS ([`environment`]), and otherwise have the defaults
//! of ROS. Only parses the text; [`network`] finds out whether an interface exists.

use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key};
use bridgehead_plugin_api::{Error, Result};

use crate::dds::{GidSize, Node};
use crate::names::{Names, Remap, node_name};
use crate::service::{Generation, Mapping};
use environment::{Environment, InterfaceChoice, domain, gid_of};

pub(crate) mod environment;
pub(crate) mod network;
#[cfg(test)]
mod tests;

/// Default node.
const NODE: &str = "/bridgehead";

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: "BH-ROS-001",
    target: None,
    keys: &[&[
        Key::new("domain", "a number from 0 to 232", "0", "DDS domain; if it is left out, `ROS_DOMAIN_ID`."),
        Key::new(
            "interface",
            "all, or names (lo, eth0) or addresses of interfaces, separated by commas",
            "all",
            "Interfaces to use; if it is left out, `lo` with `ROS_LOCALHOST_ONLY=1` or `ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST`.",
        ),
        Key::new(
            "node",
            "a node name, such as bridgehead or /sim/bridgehead",
            "/bridgehead",
            "Name of the node.",
        ),
        Key::new(
            "namespace",
            "a namespace, such as / or /sim",
            "/",
            "Prefix of the names of topics and services, except `/clock`, `/tf` and `/tf_static`.",
        ),
        Key::new(
            "distro",
            "a distribution of ROS 2: foxy, galactic, humble, iron, jazzy, kilted, lyrical or rolling",
            "jazzy",
            "Distribution of the peers; if it is left out, `ROS_DISTRO`. Up to Humble, addresses in `ros_discovery_info` have 24 \
             bytes, and no node is listed otherwise.",
        ),
        Key::new(
            "remap",
            "rules FROM:=TO, separated by commas, such as /car1/scan:=/scan, or /car1/*:=/* for all names below",
            "none",
            "Other names of topics and services; see below.",
        ),
        Key::new(
            "sensors",
            "best_effort or reliable",
            "best_effort",
            "Reliability of sensor messages; `reliable` for subscribers that require it.",
        ),
        Key::new("mapping", "auto, cyclone or fastdds", "auto", "Clients of services that are served."),
        Key::new("generation", "1 or 2", "2", "Generation of `simulation_interfaces` in responses."),
    ]],
    example: "domain=0;interface=lo;remap=/car1/scan:=/scan",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) domain: u16,
    /// Interfaces to use.
    pub(crate) interfaces: InterfaceChoice,
    pub(crate) node: Node,
    pub(crate) gid: GidSize,
    /// Maps names of topics and services to ROS names.
    pub(crate) names: Names,
    /// Whether sensor samples are reliable.
    pub(crate) has_reliable_sensors: bool,
    /// Which clients of services are served.
    pub(crate) mapping: Mapping,
    /// The generation of `simulation_interfaces` in responses.
    pub(crate) generation: Generation,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Connection::parse_in(text, &Environment::of_process())
    }
}

impl Connection {
    /// Parses a connection string with the environment variables.
    fn parse_in(text: &str, environment: &Environment) -> Result<Self> {
        let options = FORM.read(text)?;
        let node = options.read("node", node_name)?.or_else(|| node_name(NODE));
        let namespace = options.read("namespace", namespace)?.unwrap_or_default();
        let remap = options.read("remap", remap)?.unwrap_or_default();
        Ok(Connection {
            domain: options.read("domain", domain)?.map_or_else(|| environment.domain(), Ok)?,
            interfaces: options
                .read("interface", interfaces)?
                .map_or_else(|| environment.interfaces(), Ok)?,
            node: node.ok_or_else(|| FORM.wrong("no node"))?,
            gid: options.read("distro", gid_of)?.unwrap_or_else(|| environment.gid()),
            names: Names::new(namespace, remap),
            has_reliable_sensors: options.read("sensors", has_reliable_sensors)?.unwrap_or(false),
            mapping: options.read("mapping", Mapping::parse)?.unwrap_or_default(),
            generation: options.read("generation", Generation::parse)?.unwrap_or_default(),
        })
    }
}

fn interfaces(text: &str) -> Option<InterfaceChoice> {
    if text == "all" {
        return Some(InterfaceChoice::All);
    }
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    (!names.iter().any(String::is_empty)).then_some(InterfaceChoice::Interfaces(names))
}

fn namespace(text: &str) -> Option<String> {
    let name = text.trim_end_matches('/');
    if name.is_empty() {
        return Some(String::new());
    }
    let name = if name.starts_with('/') { name.to_owned() } else { format!("/{name}") };
    crate::names::is_absolute(&name).then_some(name)
}

fn remap(text: &str) -> Option<Vec<Remap>> {
    text.split(',').map(str::trim).filter(|rule| !rule.is_empty()).map(Remap::parse).collect()
}

fn has_reliable_sensors(text: &str) -> Option<bool> {
    match text {
        "best_effort" => Some(false),
        "reliable" => Some(true),
        _ => None,
    }
}

//! The parts of a connection string that every transport has: how the node presents the run.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::connection::{Key, Options};

use crate::names::{Names, NodeName, Remap, is_absolute};
use crate::service::generation::Generation;

/// Default node.
const NODE: &str = "/bridgehead";

/// The domain, which [`Environment::domain`](crate::environment::Environment::domain) replaces.
pub const DOMAIN: Key =
    Key::new("domain", "a number from 0 to 232", "0", "Domain of ROS; if it is left out, `ROS_DOMAIN_ID`.");

/// The parts that [`Settings::read`] reads.
pub const KEYS: &[Key] = &[
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
    Key::new("generation", "1 or 2", "2", "Generation of `simulation_interfaces` in responses."),
];

/// How a node presents the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The node.
    pub node: NodeName,
    /// Maps names of topics and services to ROS names.
    pub names: Names,
    /// Whether sensor samples are reliable.
    pub has_reliable_sensors: bool,
    /// The generation of `simulation_interfaces` in responses.
    pub generation: Generation,
}

impl Settings {
    /// Reads the parts of [`KEYS`].
    ///
    /// # Errors
    /// Returns an error that names the part if its value is wrong.
    pub fn read(options: &Options<'_>) -> Result<Self> {
        let node = options.read("node", NodeName::parse)?.or_else(|| NodeName::parse(NODE));
        let namespace = options.read("namespace", namespace)?.unwrap_or_default();
        let remap = options.read("remap", remap)?.unwrap_or_default();
        Ok(Settings {
            node: node.ok_or_else(|| options.wrong("no node"))?,
            names: Names::new(namespace, remap),
            has_reliable_sensors: options.read("sensors", has_reliable_sensors)?.unwrap_or(false),
            generation: options.read("generation", Generation::parse)?.unwrap_or_default(),
        })
    }
}

fn namespace(text: &str) -> Option<String> {
    let name = text.trim_end_matches('/');
    if name.is_empty() {
        return Some(String::new());
    }
    let name = if name.starts_with('/') { name.to_owned() } else { format!("/{name}") };
    is_absolute(&name).then_some(name)
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

//! The connection string: `domain=0;namespace=/;interface=lo;distro=jazzy;…`, every part optional.
//!
//! Missing parts are taken from the environment variables of ROS ([`environment`]), and otherwise have the defaults
//! of ROS. Only parses the text; [`network`] finds out whether an interface exists.

use bridgehead_plugin_api::{Error, Result};

use crate::dds::{GidSize, Node};
use crate::names::{Names, Remap, node_name};
use crate::service::{Generation, Mapping};
use environment::{Environment, InterfaceChoice};

pub(crate) mod environment;
pub(crate) mod network;
#[cfg(test)]
mod tests;

/// Default node.
const NODE: &str = "/bridgehead";
/// Ports of higher domains would exceed 65535.
pub(crate) const LAST_DOMAIN: u16 = 232;

/// Expected form, for every error about a connection string.
const USAGE: &str = "expected parts such as domain=0;namespace=/;node=/bridgehead;interface=lo;distro=jazzy;\
    generation=2;mapping=auto;sensors=best_effort;remap=/car1/scan:=/scan, each of which may be left out";

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

impl Connection {
    /// Parses a connection string.
    ///
    /// # Errors
    /// Returns an error that names the wrong part and shows the expected form.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        Connection::parse_in(text, &Environment::of_process())
    }

    /// The same with the environment variables.
    fn parse_in(text: &str, environment: &Environment) -> Result<Self> {
        let mut read = Read::default();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(wrong(format_args!("`{part}` is not of the form `key=value`")));
            };
            read.set(key.trim(), value.trim())?;
        }
        read.finish(environment)
    }
}

/// The parts of the string.
#[derive(Default)]
struct Read {
    seen: Vec<String>,
    domain: Option<u16>,
    interfaces: Option<InterfaceChoice>,
    node: Option<Node>,
    gid: Option<GidSize>,
    namespace: String,
    remap: Vec<Remap>,
    has_reliable_sensors: bool,
    mapping: Mapping,
    generation: Generation,
}

impl Read {
    fn set(&mut self, key: &str, value: &str) -> Result {
        if self.seen.iter().any(|seen| seen == key) {
            return Err(wrong(format_args!("`{key}=` is given twice")));
        }
        self.seen.push(key.to_owned());
        match key {
            "domain" => self.domain = Some(domain(value).ok_or_else(|| not_a(key, value, DOMAIN))?),
            "interface" => {
                self.interfaces = Some(interfaces(value).ok_or_else(|| not_a(key, value, INTERFACE))?)
            }
            "node" => self.node = Some(node_name(value).ok_or_else(|| not_a(key, value, NODE_NAME))?),
            "namespace" => self.namespace = namespace(value)?,
            "distro" => self.gid = Some(gid_of(value).ok_or_else(|| not_a(key, value, DISTRO))?),
            "remap" => self.remap = remap(value)?,
            "sensors" => self.has_reliable_sensors = sensors(value)?,
            "mapping" => self.mapping = Mapping::parse(value).ok_or_else(|| not_a(key, value, MAPPING))?,
            "generation" => {
                self.generation = Generation::parse(value).ok_or_else(|| not_a(key, value, GENERATION))?;
            }
            _ => return Err(wrong(format_args!("`{key}=` is not a known key"))),
        }
        Ok(())
    }

    fn finish(self, environment: &Environment) -> Result<Connection> {
        let domain = self.domain.map_or_else(|| environment.domain(), Ok)?;
        let interfaces = self.interfaces.map_or_else(|| environment.interfaces(), Ok)?;
        let node = self.node.or_else(|| node_name(NODE));
        Ok(Connection {
            domain,
            interfaces,
            node: node.ok_or_else(|| wrong("no node"))?,
            gid: self.gid.unwrap_or_else(|| environment.gid()),
            names: Names::new(self.namespace, self.remap),
            has_reliable_sensors: self.has_reliable_sensors,
            mapping: self.mapping,
            generation: self.generation,
        })
    }
}

const DOMAIN: &str = "a number from 0 to 232";
const INTERFACE: &str = "all, or names (lo, eth0) or addresses of interfaces, separated by commas";
const NODE_NAME: &str = "a node name, such as bridgehead or /sim/bridgehead";
const DISTRO: &str =
    "a distribution of ROS 2: foxy, galactic, humble, iron, jazzy, kilted, lyrical or rolling";
const MAPPING: &str = "auto, cyclone or fastdds";
const GENERATION: &str = "1 or 2";

pub(crate) fn domain(text: &str) -> Option<u16> {
    text.parse().ok().filter(|domain| *domain <= LAST_DOMAIN)
}

fn interfaces(text: &str) -> Option<InterfaceChoice> {
    if text == "all" {
        return Some(InterfaceChoice::All);
    }
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    (!names.iter().any(String::is_empty)).then_some(InterfaceChoice::Interfaces(names))
}

/// Returns how a distribution writes addresses in `ros_discovery_info`.
pub(crate) fn gid_of(distro: &str) -> Option<GidSize> {
    match distro {
        "foxy" | "galactic" | "humble" => Some(GidSize::Long),
        "iron" | "jazzy" | "kilted" | "lyrical" | "rolling" => Some(GidSize::Short),
        _ => None,
    }
}

fn namespace(text: &str) -> Result<String> {
    let name = text.trim_end_matches('/');
    if name.is_empty() {
        return Ok(String::new());
    }
    let name = if name.starts_with('/') { name.to_owned() } else { format!("/{name}") };
    if crate::names::is_absolute(&name) {
        return Ok(name);
    }
    Err(not_a("namespace", text, "a namespace, such as / or /sim"))
}

fn remap(text: &str) -> Result<Vec<Remap>> {
    let rules = text.split(',').map(str::trim).filter(|rule| !rule.is_empty());
    let read = |rule: &str| {
        Remap::parse(rule).ok_or_else(|| {
            not_a(
                "remap",
                rule,
                "a rule FROM:=TO, such as /car1/scan:=/scan, or /car1/*:=/* for all names below",
            )
        })
    };
    rules.map(read).collect()
}

fn sensors(text: &str) -> Result<bool> {
    match text {
        "best_effort" => Ok(false),
        "reliable" => Ok(true),
        _ => Err(not_a("sensors", text, "best_effort or reliable")),
    }
}

fn not_a(key: &str, value: &str, expected: &str) -> Error {
    wrong(format_args!("{key}=`{value}` is not {expected}"))
}

fn wrong(what: impl std::fmt::Display) -> Error {
    Error::invalid(format!("[BH-ROS-001] connection string: {what}; {USAGE}"))
}

//! The connection string: `mode=peer;connect=tcp/localhost:7447;domain=0;…`, every part optional.
//!
//! Missing parts are taken from the environment variables of ROS, and otherwise have the defaults of `rmw_zenoh`.

use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key};
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::environment::{Environment, domain};
use bridgehead_ros2_node::settings::{self, Settings};

use crate::codes::CONNECTION;
use crate::network::{self, Network};

#[cfg(test)]
mod tests;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: None,
    keys: &[
        network::KEYS,
        &[
            settings::DOMAIN,
            Key::new(
                "distro",
                "a distribution of ROS 2: humble, jazzy, kilted, lyrical or rolling",
                "jazzy",
                "Distribution of the peers; if it is left out, `ROS_DISTRO`. Nodes of Humble do not know the hashes of types, \
                 by which all others find each other; those of Lyrical and Rolling send images at a key of their own.",
            ),
        ],
        settings::KEYS,
    ],
    example: "mode=peer;connect=tcp/localhost:7447;remap=/car1/scan:=/scan",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) network: Network,
    pub(crate) domain: u16,
    pub(crate) distro: Distro,
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
        let distro = options.read("distro", Distro::parse)?;
        Ok(Connection {
            network: Network::read(&options)?,
            domain: options.read("domain", domain)?.map_or_else(|| environment.domain(), Ok)?,
            distro: match distro {
                Some(distro) => distro,
                // As in Jazzy if the distribution is unknown.
                None => environment.distro().as_deref().and_then(Distro::parse).unwrap_or(Distro::JAZZY),
            },
            settings: Settings::read(&options)?,
        })
    }
}

/// What distributions of ROS 2 do differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distro {
    /// Whether peers know the hashes of types.
    pub(crate) has_hashes: bool,
    /// Whether publishers send messages with bytes at a key of their own.
    pub(crate) has_bytes_keys: bool,
}

impl Distro {
    const JAZZY: Self = Distro { has_hashes: true, has_bytes_keys: false };

    fn parse(name: &str) -> Option<Self> {
        match name {
            "humble" => Some(Distro { has_hashes: false, ..Distro::JAZZY }),
            "jazzy" | "kilted" => Some(Distro::JAZZY),
            "lyrical" | "rolling" => Some(Distro { has_bytes_keys: true, ..Distro::JAZZY }),
            _ => None,
        }
    }
}

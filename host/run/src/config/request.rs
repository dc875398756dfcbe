//! Bridges and plugins that a run requests. Plain values.

use std::time::Duration;

use bridgehead_sdf::params::Params;

use super::policy::Reconnect;
use crate::api::StepLimits;
use crate::bus::Limits;

/// Where a request came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// A flag.
    CommandLine,
    /// The configuration file.
    Configuration,
    /// A `<plugin>` element of the world.
    World,
    /// A call during the run.
    Control,
}

impl RequestOrigin {
    /// Returns the word for the parameter `@origin` of bridges.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RequestOrigin::CommandLine => "command_line",
            RequestOrigin::Configuration => "configuration",
            RequestOrigin::World => "world",
            RequestOrigin::Control => "control",
        }
    }
}

/// A bridge to attach.
#[derive(Clone, Debug)]
pub struct BridgeRequest {
    /// `world`, a vehicle's name or glob, or `*` for the world and every vehicle.
    pub attach: String,
    /// Name or id of the bridge plugin.
    pub name: String,
    /// Connection string, byte for byte.
    pub connection: String,
    /// Origin of the request.
    pub origin: RequestOrigin,
    /// `file:line` of the request, if known.
    pub place: Option<String>,
    /// Whether the run requires this bridge.
    pub required: bool,
    /// Longest time to connect.
    pub connect_timeout: Duration,
    /// What happens after a lost or failed connection.
    pub reconnect: Reconnect,
    /// Its queue, if not the default of the plugin.
    pub queue: Option<Limits>,
    /// True if the plugin runs in worker processes.
    pub is_isolated: bool,
    /// How long a step waits for it, if not the default of the plugin.
    pub step_limits: StepLimits,
}

impl BridgeRequest {
    /// Creates a request with defaults for everything else.
    #[must_use]
    pub fn new(attach: &str, name: &str, connection: &str, origin: RequestOrigin) -> Self {
        BridgeRequest {
            attach: attach.to_owned(),
            name: name.to_owned(),
            connection: connection.to_owned(),
            origin,
            place: None,
            required: false,
            connect_timeout: Duration::from_secs(5),
            reconnect: Reconnect::Backoff,
            queue: None,
            is_isolated: false,
            step_limits: StepLimits::default(),
        }
    }
}

/// A model plugin to attach.
#[derive(Clone, Debug)]
pub struct PluginRequest {
    /// `world`, or a vehicle's name or glob.
    pub attach: String,
    /// Name or id of the plugin.
    pub plugin: String,
    /// Name of this instance.
    pub name: String,
    /// Its parameters.
    pub params: Params,
}

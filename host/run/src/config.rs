//! The configuration of a run: typed, complete, and independent of where each value was given.
//!
//! `file` reads the TOML form, `environment` the variables, and the command line gives the flags. Nothing here touches the
//! world, plugins or sockets. Each setting with a key is declared once, as a row under [`section!`](section). Plain values,
//! usable from any thread.

mod attach;
mod code;
mod control;
mod dump;
mod environment;
mod error;
pub mod file;
mod keys;
mod kind;
mod layers;
mod pose;
mod recording;
mod run;
mod section;
mod sensor;
pub mod services;
mod settings;
pub mod value;
mod world_value;

use std::time::Duration;

use bridgehead_sdf::params::Params;

use crate::bus::Limits;

pub use attach::{bridge_argument, check_attach};
pub use code::Code;
pub use control::{
    ControlConfig, DEFAULT_ADDRESS, HttpAddress, HttpConfig, KeyboardConfig, NamesConfig, Secret,
    WatchdogConfig,
};
pub use environment::from_environment;
pub use error::{ConfigError, ConfigErrors};
pub use file::nearest;
pub use keys::{Flag, Form, Key, SECTIONS, keys, keys_of};
pub use layers::{Layers, Source as ValueSource};
pub use pose::PoseRequest;
pub use run::RunConfig;
pub use sensor::{OverrideRequest, SensorRequest};
pub use services::ServiceNames;
pub use settings::Settings;
pub use world_value::{ValueRequest, set_argument};

/// What happens when a plugin fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailurePolicy {
    /// The run continues without it.
    #[default]
    Continue,
    /// The simulation pauses.
    Pause,
    /// The run is aborted.
    Abort,
}

/// What a run ends as whose world is incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LossPolicy {
    /// A failure.
    #[default]
    Fail,
    /// The same as with a complete world.
    Ignore,
}

/// Which images a recording has of a camera that publishes them raw and compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordedImages {
    /// The compressed ones.
    #[default]
    Compressed,
    /// Both.
    All,
}

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
        }
    }
}

/// What happens after a lost or failed connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reconnect {
    /// The bridge tries again, with growing pauses of up to 10 s.
    #[default]
    Backoff,
    /// The bridge does not try again.
    Never,
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

//! What a run is asked to do: typed, complete, and free of where it was asked.
//!
//! `file` reads the TOML form, the command line fills in the rest; nothing here touches the world, plugins or
//! sockets. Plain values, usable from any thread.

mod attach;
mod code;
mod control;
mod dump;
mod environment;
mod error;
pub mod file;
mod keys;
mod layers;
mod pose;
mod sensor;
pub mod services;
mod settings;
pub mod value;

use std::path::PathBuf;
use std::time::Duration;

use bridgehead_lifecycle::StartIn;
use bridgehead_sdf::params::Params;

use crate::bus::Limits;
use crate::clock::Speed;
use crate::plugin::SearchPath;
use crate::resources::Sources;
use crate::trigger::Trigger;
use crate::watchdog::CallLimits;

pub use attach::{bridge_argument, check_attach};
pub use code::Code;
pub use control::{ControlConfig, HttpAddress, HttpConfig, KeyboardConfig, Secret, WatchdogConfig};
pub use environment::from_environment;
pub use error::{ConfigError, ConfigErrors};
pub use file::nearest;
pub use keys::{Form, Key, SECTIONS, keys, keys_of};
pub use layers::{Layers, Source as ValueSource};
pub use pose::PoseRequest;
pub use sensor::{OverrideRequest, SensorRequest};
pub use services::ServiceNames;
pub use settings::Settings;

/// A run.
#[derive(Debug)]
pub struct RunConfig {
    /// The SDF file; without one the host waits in NoWorld.
    pub world: Option<PathBuf>,
    /// Bridges to attach, besides those the world names.
    pub bridges: Vec<BridgeRequest>,
    /// Plugins to attach, besides those the world names.
    pub plugins: Vec<PluginRequest>,
    /// Sensors to add, in order.
    pub sensors: Vec<SensorRequest>,
    /// Changes of what the world has, in order.
    pub overrides: Vec<OverrideRequest>,
    /// Named poses besides those of the world.
    pub poses: Vec<PoseRequest>,
    /// Where plugins are looked for.
    pub search: SearchPath,
    /// Simulated time after which the run stops.
    pub duration: Option<Duration>,
    /// How fast simulated time runs.
    pub speed: Speed,
    /// Seed of all random numbers.
    pub seed: u64,
    /// What a loaded world does first.
    pub start: StartIn,
    /// Folder that files named by world files stay inside.
    pub output: PathBuf,
    /// Where the result is written as JSON.
    pub result: Option<PathBuf>,
    /// Where the world is written as it stands in the end.
    pub save: Option<PathBuf>,
    /// Where a snapshot is written in the end.
    pub snapshot: Option<PathBuf>,
    /// The snapshot that the run goes on from.
    pub restore: Option<PathBuf>,
    /// Where the state hash of each step is written.
    pub hash_log: Option<PathBuf>,
    /// Where received messages are written in a form the replay bridge plays.
    pub record_commands: Option<PathBuf>,
    /// Whether a run that nobody called a success counts as failed.
    pub require_success: bool,
    /// Whether warnings about the world and plugins end the run.
    pub strict: bool,
    /// Name of the world's physics profile to use, where not its default.
    pub physics_profile: Option<String>,
    /// Width of a step, where not the `max_step_size` of that profile.
    pub step_width: Option<Duration>,
    /// Physics steps in a step.
    pub substeps: u32,
    /// How long plugins may take to start.
    pub start_timeout: Duration,
    /// What happens when a plugin fails, by default.
    pub on_failure: FailurePolicy,
    /// What calls into plugins may take.
    pub call_limits: CallLimits,
    /// When a call counts as one that never returns.
    pub call_timeout: Duration,
    /// Whether the process goes on when a run ends.
    pub keep_alive: bool,
    /// What shall be done when something happens, in order.
    pub triggers: Vec<Trigger>,
    /// Whether triggers may run programs.
    pub enable_command_action: bool,
    /// Where the triggers that fired are written as JSON.
    pub trigger_history: Option<PathBuf>,
    /// Where the verdicts of the run and its triggers are written as JUnit XML.
    pub junit: Option<PathBuf>,
    /// Where worlds are found, beside those that are named.
    pub worlds: Sources,
    /// The server for clients.
    pub http: HttpConfig,
    /// Names of services.
    pub services: ServiceNames,
    /// What clients may do.
    pub control: ControlConfig,
    /// Keys of the terminal.
    pub keyboard: KeyboardConfig,
    /// How long a state may last.
    pub watchdog: WatchdogConfig,
}

impl Default for RunConfig {
    fn default() -> Self {
        RunConfig {
            world: None,
            bridges: Vec::new(),
            plugins: Vec::new(),
            sensors: Vec::new(),
            overrides: Vec::new(),
            poses: Vec::new(),
            search: SearchPath::default(),
            duration: None,
            speed: Speed::Factor(1.0),
            seed: 0,
            start: StartIn::Playing,
            output: PathBuf::from("."),
            result: None,
            save: None,
            snapshot: None,
            restore: None,
            hash_log: None,
            record_commands: None,
            require_success: false,
            strict: false,
            physics_profile: None,
            step_width: None,
            substeps: 1,
            start_timeout: Duration::from_secs(30),
            on_failure: FailurePolicy::Continue,
            call_limits: CallLimits::default(),
            call_timeout: Duration::from_secs(10),
            keep_alive: false,
            triggers: Vec::new(),
            enable_command_action: false,
            trigger_history: None,
            junit: None,
            worlds: Sources::default(),
            http: HttpConfig::default(),
            services: ServiceNames::default(),
            control: ControlConfig::default(),
            keyboard: KeyboardConfig::default(),
            watchdog: WatchdogConfig::default(),
        }
    }
}

/// What happens when a plugin fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailurePolicy {
    /// The rest goes on without it.
    #[default]
    Continue,
    /// The simulation pauses.
    Pause,
    /// The run is aborted.
    Abort,
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
    /// A call while the run goes on.
    Control,
}

impl RequestOrigin {
    /// The word bridges get in their parameter `@origin`.
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
    /// Where it was asked for.
    pub origin: RequestOrigin,
    /// `file:line` of the request, where known.
    pub place: Option<String>,
    /// Whether a run without this bridge makes no sense.
    pub required: bool,
    /// How long it may take to connect.
    pub connect_timeout: Duration,
    /// What happens after a lost or failed connection.
    pub reconnect: Reconnect,
    /// Its queue, where not the plugin's default.
    pub queue: Option<Limits>,
}

impl BridgeRequest {
    /// A request with the defaults of everything that was not said.
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
        }
    }
}

/// What happens after a lost or failed connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reconnect {
    /// It is tried again, with growing pauses up to 10 s.
    #[default]
    Backoff,
    /// It stays lost.
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

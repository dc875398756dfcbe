//! Reports of a run: progress while it starts, its state while it runs, and the result at the end.
//! The command line shows them.

use std::time::Duration;

use bridgehead_lifecycle::{Outcome, State};

use crate::bus::{Drops, Moment, TopicReport};
use crate::plugin::KnownPlugin;
use crate::statistics::Figures;
use crate::trigger::History;
use crate::watchdog::Timing;
use crate::world::names::UnsupportedName;

/// Progress of the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartProgress {
    /// Number of started plugins.
    pub started: usize,
    /// Number of plugins.
    pub total: usize,
    /// Labels of plugins that have not started yet.
    pub waiting: Vec<String>,
}

/// The run at one point in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// State of the lifecycle.
    pub state: State,
    /// Simulated time.
    pub time: Duration,
    /// Achieved real-time factor.
    pub real_time_factor: f64,
    /// Messages per wall second.
    pub messages_per_second: f64,
    /// Messages that connected bridges lost.
    pub dropped: u64,
}

/// Receives the reports of a run. Called on the simulation thread: must return at once.
pub trait Watcher {
    /// Plugins are starting.
    fn starting(&mut self, progress: &StartProgress);
    /// Called about once a second.
    fn status(&mut self, status: &Status);
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its outcome.
    pub outcome: Outcome,
    /// Cause of the outcome, as text.
    pub cause: String,
    /// Exit code of the process.
    pub exit_code: u8,
    /// World that was run; empty without one.
    pub world: String,
    /// Seed of the run.
    pub seed: u64,
    /// Steps since the last reset.
    pub steps: u64,
    /// Simulated time since the last reset.
    pub time: Duration,
    /// Steps of this run, over all resets.
    pub total_steps: u64,
    /// Simulated time that passed in this run, over all resets.
    pub simulated: Duration,
    /// Resets.
    pub resets: u32,
    /// Wall time of all steps together.
    pub wall: Duration,
    /// Simulated per wall second over the whole run.
    pub real_time_factor: f64,
    /// State hash after the last step.
    pub state_hash: u64,
    /// Topics, ordered by vehicle and name.
    pub topics: Vec<TopicReport>,
    /// Bridges, in order of attachment.
    pub bridges: Vec<BridgeResult>,
    /// Model plugins, in document order.
    pub plugins: Vec<PluginResult>,
    /// Unsupported names of the world, sensor types first, each kind by name.
    pub unsupported: Vec<UnsupportedName>,
    /// History of triggers.
    pub triggers: History,
    /// Times of steps.
    pub statistics: Statistics,
    /// Versions of the program and its plugins.
    pub versions: Versions,
    /// Errors, in order.
    pub errors: Vec<String>,
}

/// Times of steps, in seconds of real time, and the achievable speed.
///
/// The names are those of Cloe. One cycle of Cloe is one step here; its simulators are physics and sensors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The host itself: requests, bridges, bookkeeping.
    pub engine_time: Figures,
    /// Physics and sensors.
    pub simulator_time: Figures,
    /// Received messages and controllers.
    pub controller_time: Figures,
    /// All of these together.
    pub cycle_time: Figures,
    /// Waiting until a step was due, or for bridges that feed exact steps.
    pub padding_time: Figures,
    /// Number of retries of a step because a bridge that feeds exact steps did not allow it yet. A controller is called
    /// once.
    pub controller_retries: Figures,
    /// Simulated seconds per second that the last step would allow; 0 before the first step.
    pub achievable_factor: f64,
    /// The same as a moving average over about 64 steps.
    pub achievable_factor_average: f64,
    /// Simulated seconds per second, over the last second or so.
    pub effective_factor: f64,
    /// Steps that took longer than the pace allows; 0 without a pace.
    pub overruns: u64,
}

/// Versions of the program and its plugins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Version of the program.
    pub program: String,
    /// Version of the plugin ABI, `major.minor`.
    pub abi: String,
    /// Plugins of the libraries that the run has opened, in search order.
    pub plugins: Vec<PluginVersion>,
}

/// A plugin of an open library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginVersion {
    /// Its id.
    pub id: String,
    /// Its own version.
    pub version: String,
    /// Version of the ABI it was built against, `major.minor`.
    pub abi: String,
}

impl Default for Versions {
    /// Returns the versions of the program, without plugins.
    fn default() -> Self {
        Versions {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            abi: abi_text([bridgehead_abi::ABI_MAJOR, bridgehead_abi::ABI_MINOR]),
            plugins: Vec::new(),
        }
    }
}

impl Versions {
    /// Returns the versions of the program, and of those of these plugins whose libraries are open.
    #[must_use]
    pub fn of(plugins: &[KnownPlugin]) -> Self {
        let version = |plugin: &KnownPlugin| PluginVersion {
            id: plugin.metadata.id.clone(),
            version: plugin.metadata.version.clone(),
            abi: abi_text(plugin.abi),
        };
        let open = plugins.iter().filter(|plugin| plugin.loaded.is_some());
        Versions { plugins: open.map(version).collect(), ..Versions::default() }
    }
}

fn abi_text([major, minor]: [u32; 2]) -> String {
    format!("{major}.{minor}")
}

impl RunResult {
    /// Returns the result of a run that could not be ended: its times and the cause.
    #[must_use]
    pub fn aborted(world: String, seed: u64, now: Moment, cause: String) -> Self {
        let time = Duration::from_nanos(u64::try_from(now.time_ns).unwrap_or(0));
        RunResult {
            steps: now.step,
            time,
            total_steps: now.step,
            simulated: time,
            resets: now.reset_epoch,
            errors: vec![cause.clone()],
            ..RunResult::empty(Outcome::Aborted, world, seed, cause)
        }
    }

    /// Returns the result of a run that could not start.
    #[must_use]
    pub fn not_begun(world: String, seed: u64, errors: Vec<String>) -> Self {
        let cause = errors.first().cloned().unwrap_or_default();
        RunResult { errors, ..RunResult::empty(Outcome::ConfigurationError, world, seed, cause) }
    }

    /// Returns the result of a run of which only the outcome is known.
    fn empty(outcome: Outcome, world: String, seed: u64, cause: String) -> Self {
        RunResult {
            outcome,
            cause,
            exit_code: outcome.exit_code(false),
            world,
            seed,
            steps: 0,
            time: Duration::ZERO,
            total_steps: 0,
            simulated: Duration::ZERO,
            resets: 0,
            wall: Duration::ZERO,
            real_time_factor: 0.0,
            state_hash: 0,
            topics: Vec::new(),
            bridges: Vec::new(),
            plugins: Vec::new(),
            unsupported: Vec::new(),
            triggers: History::default(),
            statistics: Statistics::default(),
            versions: Versions::default(),
            errors: Vec::new(),
        }
    }
}

/// The result of a bridge instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeResult {
    /// `car1/logging`, `world/logging`.
    pub label: String,
    /// Connection string.
    pub connection: String,
    /// Whether it was ever connected.
    pub was_connected: bool,
    /// Number of times that it was connected.
    pub connections: u32,
    /// Messages that the bridge accepted and did not reject.
    pub delivered: u64,
    /// Messages lost in its queue, or rejected.
    pub dropped: u64,
    /// Of the delivered messages, those that the bridge reported as lost, for example on their way to a slow peer.
    pub lost: u64,
    /// Messages published while it was not connected.
    pub missed: u64,
    /// Why messages were dropped; it rejected the other ones.
    pub drops: Drops,
    /// Time for which the simulation waited for it. Measured only if it is long.
    pub polling: Duration,
    /// Last failure; empty without one.
    pub failure: String,
}

/// A bridge instance at one point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeStatus {
    /// Its vehicle; empty for the world.
    pub vehicle: String,
    /// Name of the plugin.
    pub bridge: String,
    /// Status of its connection: one of the `STATUS_` constants of the ABI.
    pub status: u32,
    /// Its result so far.
    pub result: BridgeResult,
    /// Addresses for peers and their purpose, as the bridge reports them.
    pub endpoints: Vec<(String, String)>,
}

/// The result of a model plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginResult {
    /// `car1/chassis/front_lidar`.
    pub label: String,
    /// Name of the plugin.
    pub plugin: String,
    /// Failure; empty without one.
    pub failure: String,
    /// Messages that it could not make.
    pub lost: u64,
    /// Times of its calls.
    pub timing: Timing,
}

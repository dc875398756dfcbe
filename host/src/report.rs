//! What a run says about itself: progress while it starts, its state while it runs, and the result at the
//! end. How that is shown is the command line's business.

use std::time::Duration;

use crate::bus::{Moment, TopicReport};
use crate::lifecycle::{Outcome, State};
use crate::trigger::History;
use crate::watchdog::Timing;
use crate::world::names::UnsupportedName;

/// How far the start is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartProgress {
    /// Plugins that have started.
    pub started: usize,
    /// Plugins in all.
    pub total: usize,
    /// Labels of those that have not.
    pub waiting: Vec<String>,
}

/// The run at one moment.
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

/// Somebody who watches a run. Called on the simulation thread: must return at once.
pub trait Watcher {
    /// Plugins are starting.
    fn starting(&mut self, progress: &StartProgress);
    /// About once a second.
    fn status(&mut self, status: &Status);
    /// The run has ended.
    fn finished(&mut self, result: &RunResult);
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// Its outcome.
    pub outcome: Outcome,
    /// Who decided it, in words.
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
    /// Names of the world that nobody serves, sensor types first, each kind by name.
    pub unsupported: Vec<UnsupportedName>,
    /// What triggers have done.
    pub triggers: History,
    /// What went wrong, in order.
    pub errors: Vec<String>,
}

impl RunResult {
    /// The result of a run that could not be ended: what the clock says, and why.
    #[must_use]
    pub fn aborted(world: String, seed: u64, now: Moment, cause: String) -> Self {
        let outcome = Outcome::Aborted;
        RunResult {
            outcome,
            exit_code: outcome.exit_code(false),
            world,
            seed,
            steps: now.step,
            time: Duration::from_nanos(u64::try_from(now.time_ns).unwrap_or(0)),
            total_steps: now.step,
            simulated: Duration::from_nanos(u64::try_from(now.time_ns).unwrap_or(0)),
            resets: now.reset_epoch,
            wall: Duration::ZERO,
            real_time_factor: 0.0,
            state_hash: 0,
            topics: Vec::new(),
            bridges: Vec::new(),
            plugins: Vec::new(),
            unsupported: Vec::new(),
            triggers: History::default(),
            errors: vec![cause.clone()],
            cause,
        }
    }
}

/// What became of a bridge instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeResult {
    /// `car1/logging`, `world/logging`.
    pub label: String,
    /// Connection string.
    pub connection: String,
    /// Whether it was ever connected.
    pub was_connected: bool,
    /// Times it was connected.
    pub connections: u32,
    /// Messages the bridge took and did not reject.
    pub delivered: u64,
    /// Messages lost in its queue or rejected.
    pub dropped: u64,
    /// Messages published while it was not connected.
    pub missed: u64,
    /// Last failure; empty without one.
    pub failure: String,
}

/// A bridge instance at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeStatus {
    /// Its vehicle; empty for the world.
    pub vehicle: String,
    /// Name of the plugin.
    pub bridge: String,
    /// How its connection is: one of the `STATUS_` constants of the ABI.
    pub status: u32,
    /// What became of it so far.
    pub result: BridgeResult,
}

/// What became of a model plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginResult {
    /// `car1/chassis/front_lidar`.
    pub label: String,
    /// Name of the plugin.
    pub plugin: String,
    /// Failure; empty without one.
    pub failure: String,
    /// What its calls took.
    pub timing: Timing,
}

//! What the loop has to do after a transition, in order. An effect says what, never when or whether: that was
//! decided by `transition`; how is the loop's business. Plain values, carried out on the simulation thread.

use std::fmt;

use super::event::ResetScope;
use super::outcome::Outcome;

/// One order to the loop. The [`Report`](super::Report) named in a comment is what the loop answers when done.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Stop simulated time: no step runs, TX and RX threads are held, the pacing schedule is dropped.
    HoldClock,
    /// Let simulated time run; the pacing schedule starts at this moment, so a pause is never caught up.
    ReleaseClock,
    /// Read and build this world, give ids, bind the start tracker, sync transforms, wake the plugins.
    /// Answer: `WorldLoaded` or `LoadFailed`.
    LoadWorld(String),
    /// Connect the bridges of the vehicles; required ones are awaited, those of the world included.
    /// Answer: `BridgesConnected` or `ConnectFailed`.
    ConnectBridges,
    /// Call `start` on every plugin, in parallel.
    StartPlugins,
    /// Run the first reset of every plugin as soon as it has started.
    RunInitialReset,
    /// Follow the start tracker. Answer: `AllStarted` or `StartFailed`.
    AwaitAllStarted,
    /// Tell plugins, bridges and triggers what has happened.
    Announce(Notice),
    /// Run the first phase of a step. Answer: `PhaseDone`.
    BeginStep,
    /// Run the physics and sample the sensors. Answer: `PhaseDone`.
    StepSimulator,
    /// Run the controllers and latch commands in. Answer: `PhaseDone`.
    StepControllers,
    /// Run triggers, publish the snapshot, keep time. Answer: `PhaseDone`.
    EndStep,
    /// Keep sensors from publishing, so that no sample of before a reset leaves after it.
    PauseSensors,
    /// Signal every bridge, then reset helpers, devices and plugins in this order; a plugin that is not started
    /// keeps its reset until it is. Answer: `ResetDone` or `ResetFailed`.
    RunResetCascade(ResetScope),
    /// Let sensors publish again.
    ResumeSensors,
    /// Call `stop` on every plugin that was started, in reverse order. Answer: `PluginsStopped`.
    StopPlugins(Manner),
    /// Give up whatever is under way: load, connect, start, reset, a call that hangs.
    CancelWork,
    /// Collect what world and plugins offer.
    CollectProbe,
    /// Join TX and RX threads and disconnect the bridges of the vehicles. Answer: `Disconnected`.
    DisconnectBridges,
    /// Destroy plugins and entities; harmless when a load was cut short.
    UnloadWorld,
    /// Disconnect the bridges of the world, which live as long as the process.
    DisconnectWorldBridges,
    /// Write the result: outcome, cause, statistics, errors. Happens once, last but one.
    ReportOutcome(Outcome),
    /// Leave the loop.
    Exit,
}

/// What is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notice {
    /// All plugins have started and the run begins: `all_started` of plugins, `started` of bridges.
    AllStarted,
    /// Simulated time stands.
    Paused,
    /// Simulated time goes on after a pause.
    Resumed,
    /// The run is a success.
    Succeeded,
    /// The run is a failure.
    Failed,
    /// The run is over.
    Stopped,
}

/// How patiently plugins are stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Manner {
    /// With the full deadline; an error is the plugin's and is reported.
    Orderly,
    /// After an abort: a short deadline, errors are only logged.
    BestEffort,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LoadWorld(world) => write!(f, "LoadWorld({world})"),
            Self::RunResetCascade(scope) => write!(f, "RunResetCascade({scope})"),
            Self::ReportOutcome(outcome) => write!(f, "ReportOutcome({outcome})"),
            Self::HoldClock
            | Self::ReleaseClock
            | Self::ConnectBridges
            | Self::StartPlugins
            | Self::RunInitialReset
            | Self::AwaitAllStarted
            | Self::Announce(_)
            | Self::BeginStep
            | Self::StepSimulator
            | Self::StepControllers
            | Self::EndStep
            | Self::PauseSensors
            | Self::ResumeSensors
            | Self::StopPlugins(_)
            | Self::CancelWork
            | Self::CollectProbe
            | Self::DisconnectBridges
            | Self::UnloadWorld
            | Self::DisconnectWorldBridges
            | Self::Exit => write!(f, "{self:?}"),
        }
    }
}

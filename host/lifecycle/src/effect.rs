//! What the loop has to do after a transition, in order. `transition` has decided what and when; the loop
//! decides how. Plain values, carried out on the simulation thread.

use std::fmt;

use super::event::ResetScope;
use super::outcome::Outcome;

/// One instruction to the loop. "Answer" names the [`Report`](super::Report) that the loop gives when it is
/// done.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Hold simulated time: no step runs, TX and RX threads are held, the pacing schedule is dropped.
    HoldClock,
    /// Let simulated time run. The pacing schedule starts now, so that the time of a pause is not caught up.
    ReleaseClock,
    /// Read and build this world, assign ids, bind the start tracker, sync transforms, call `awake` on the
    /// plugins. Answer: `WorldLoaded` or `LoadFailed`.
    LoadWorld(String),
    /// Connect the bridges of the vehicles, and wait for required ones, including those of the world. Answer:
    /// `BridgesConnected` or `ConnectFailed`.
    ConnectBridges,
    /// Call `start` on every plugin, in parallel.
    StartPlugins,
    /// Run the first reset of every plugin as soon as it has started.
    RunInitialReset,
    /// Poll the start tracker. Answer: `AllStarted` or `StartFailed`.
    AwaitAllStarted,
    /// Notify plugins, bridges and triggers.
    Announce(Notice),
    /// Run the first phase of a step. Answer: `PhaseDone`.
    BeginStep,
    /// Run the physics and sample the sensors. Answer: `PhaseDone`.
    StepSimulator,
    /// Run the controllers and latch commands in. Answer: `PhaseDone`.
    StepControllers,
    /// Run triggers, publish the snapshot, wait for the pacing schedule. Answer: `PhaseDone`.
    EndStep,
    /// Keep sensors from publishing, so that no sample from before a reset is sent after it.
    PauseSensors,
    /// Signal every bridge, then reset helpers, devices and plugins in this order. The reset of a plugin that
    /// has not started is deferred until it has. Answer: `ResetDone` or `ResetFailed`.
    RunResetCascade(ResetScope),
    /// Let sensors publish again.
    ResumeSensors,
    /// Call `stop` on every plugin that was started, in reverse order. Answer: `PluginsStopped`.
    StopPlugins(Manner),
    /// Cancel the work in progress: load, connect, start, reset, or a call that hangs.
    CancelWork,
    /// Collect what the world and the plugins offer.
    CollectProbe,
    /// Join TX and RX threads and disconnect the bridges of the vehicles. Answer: `Disconnected`.
    DisconnectBridges,
    /// Destroy plugins and entities; harmless after a cancelled load.
    UnloadWorld,
    /// Disconnect the bridges of the world, which live as long as the process.
    DisconnectWorldBridges,
    /// Write the result: outcome, cause, statistics, errors. Happens once, immediately before `Exit`.
    ReportOutcome(Outcome),
    /// Leave the loop.
    Exit,
}

/// What is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notice {
    /// All plugins have started and the run begins: `all_started` for plugins, `started` for bridges.
    AllStarted,
    /// Simulated time is held.
    Paused,
    /// Simulated time continues after a pause.
    Resumed,
    /// The run is a success.
    Succeeded,
    /// The run is a failure.
    Failed,
    /// The run is over.
    Stopped,
}

/// How plugins are stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Manner {
    /// With the full deadline; errors are reported as errors of the plugin.
    Orderly,
    /// After an abort: with a short deadline; errors are only logged.
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

//! The state of the lifecycle with what it has to remember between states: where a run continues, what
//! follows a stop, what was decided. Only `draft` changes it, so that every change goes through `transition`.
//! A plain value that belongs to the simulation thread.

use super::event::{Cause, ResetRequest, ResetScope, StartIn, WorldRequest};
use super::outcome::{Outcome, Verdict};
use super::state::{SimulationState, State};

/// Settings for the whole life of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// If true, the end of a run leads to `Stopped`, and a failed run to `NoWorld`, instead of ending the
    /// process. Set for hosts that are controlled from outside or begin without a world.
    pub keep_alive: bool,
    /// Allows a request for PAUSED in STOPPED. The standard contradicts itself here; false follows its
    /// service.
    pub pause_from_stopped: bool,
    /// Only list what is available: load, connect, probe, quit.
    pub probe: bool,
}

/// The lifecycle at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Machine {
    pub(super) state: State,
    pub(super) settings: Settings,
    pub(super) clock_runs: bool,
    pub(super) connected: bool,
    pub(super) is_aborting: bool,
    pub(super) plugins: Plugins,
    pub(super) start_in: StartIn,
    pub(super) begin: Begin,
    pub(super) pause_announced: bool,
    pub(super) steps_left: Option<u64>,
    pub(super) pending_reset: Option<ResetScope>,
    pub(super) after_reset: State,
    pub(super) reset_after_stop: Option<ResetRequest>,
    pub(super) exit: Option<Exit>,
    pub(super) verdict: Option<Verdict>,
}

/// The state of the plugins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Plugins {
    /// Not started, or stopped again.
    Idle,
    /// `start` was called; `all_started` is not announced yet.
    Starting,
    /// `all_started` was announced.
    Running,
}

/// How a run begins, or continues after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Begin {
    Playing,
    Paused,
}

/// What follows when the world is unloaded.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    NoWorld,
    Load(WorldRequest),
    Quit,
}

impl Machine {
    /// A host that has just been started: without a world, its world bridges connected by the caller.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            state: State::NoWorld,
            settings,
            clock_runs: false,
            connected: false,
            is_aborting: false,
            plugins: Plugins::Idle,
            start_in: StartIn::Playing,
            begin: Begin::Playing,
            pause_announced: false,
            steps_left: None,
            pending_reset: None,
            after_reset: State::Stopped,
            reset_after_stop: None,
            exit: None,
            verdict: None,
        }
    }

    /// The current state.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The state that clients of `simulation_interfaces` see; a partial reset is not visible.
    #[must_use]
    pub fn simulation_state(&self) -> SimulationState {
        let returns_to_run = self.state == State::Reset && self.after_reset == State::Start;
        let goes_on = self.state == State::Start && self.plugins == Plugins::Running;
        match self.begin {
            Begin::Paused if returns_to_run || goes_on => SimulationState::Paused,
            Begin::Playing if returns_to_run => SimulationState::Playing,
            Begin::Playing | Begin::Paused => self.state.simulation_state(),
        }
    }

    /// Remaining steps of the current step request; `None` while playing or waiting.
    #[must_use]
    pub fn steps_left(&self) -> Option<u64> {
        self.steps_left
    }

    /// Returns true if every accepted request is complete. This is the moment to answer its sender.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.state.is_waiting() || (self.state.is_step() && self.steps_left.is_none())
    }

    /// Returns true while plugins are started, so that a new one is started too.
    #[must_use]
    pub fn has_started_plugins(&self) -> bool {
        self.plugins != Plugins::Idle && self.state != State::Stop
    }

    /// Returns true if all plugins have been told that the run has begun.
    #[must_use]
    pub fn has_begun_run(&self) -> bool {
        self.plugins == Plugins::Running && self.state != State::Stop
    }

    /// The outcome of the run and its cause; `None` while undecided.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The outcome if the run ended now; an undecided run counts as stopped.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.verdict.as_ref().map_or(Outcome::Stopped, |verdict| verdict.outcome)
    }

    /// The state after a failed or aborted run, which depends on the cause.
    pub(super) fn exit_after(&self, cause: &Cause) -> Exit {
        let stays = self.settings.keep_alive && !cause.is_operator() && self.exit != Some(Exit::Quit);
        if stays { Exit::NoWorld } else { Exit::Quit }
    }

    /// The state after a stop: `None` is the stopped state.
    pub(super) fn exit_after_stop(&self) -> Option<Exit> {
        (!self.settings.keep_alive).then_some(Exit::Quit)
    }

    /// The outcome if the run were aborted now.
    pub(super) fn outcome_if_given_up(&self) -> Outcome {
        let has_begun = match self.state {
            State::Loading | State::Connect | State::Probe => false,
            State::Start | State::Reset => self.plugins != Plugins::Starting,
            State::NoWorld
            | State::StepBegin
            | State::StepSimulator
            | State::StepController
            | State::StepEnd
            | State::Pause
            | State::Resume
            | State::Success
            | State::Fail
            | State::Stop
            | State::Stopped
            | State::Abort
            | State::Disconnect
            | State::Quitting => true,
        };
        if has_begun { Outcome::Aborted } else { Outcome::NotStarted }
    }
}

//! The state of the lifecycle with the little memory it needs between states: where a run goes on, what follows a
//! stop, what was decided. Others read it here; only `draft` changes it, so that every change passes `transition`.
//! A plain value that belongs to the simulation thread.

use super::event::{Cause, ResetRequest, ResetScope, StartIn, WorldRequest};
use super::outcome::{Outcome, Verdict};
use super::state::{SimulationState, State};

/// What the user chose for the whole life of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// A run that ends leads to `Stopped`, a failed one to `NoWorld`, instead of the end of the process. A host
    /// that is controlled from outside, or begins without a world, is kept alive.
    pub keep_alive: bool,
    /// Allow PAUSED to be asked for in STOPPED; the standard contradicts itself here, off follows its service.
    pub pause_from_stopped: bool,
    /// Only list what there is: load, connect, probe, quit.
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
    pub(super) told_paused: bool,
    pub(super) steps_left: Option<u64>,
    pub(super) kept_reset: Option<ResetScope>,
    pub(super) after_reset: State,
    pub(super) rewind: Option<ResetRequest>,
    pub(super) exit: Option<Exit>,
    pub(super) verdict: Option<Verdict>,
}

/// How far plugins are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Plugins {
    /// Not started, or stopped again.
    Idle,
    /// Told to start, not yet told that all have.
    Starting,
    /// Told that all have started.
    Running,
}

/// How a run begins, or goes on after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Begin {
    Playing,
    Paused,
}

/// What follows when the world is left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    NoWorld,
    Load(WorldRequest),
    Quit,
}

impl Machine {
    /// A host that has just been started: no world, its world bridges connected by whoever made it.
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
            told_paused: false,
            steps_left: None,
            kept_reset: None,
            after_reset: State::Stopped,
            rewind: None,
            exit: None,
            verdict: None,
        }
    }

    /// Where the host is.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// What the user chose.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// What a client of `simulation_interfaces` is told; a partial reset does not show.
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

    /// Steps of the current step request that have not been completed; `None` when playing or at rest.
    #[must_use]
    pub fn steps_left(&self) -> Option<u64> {
        self.steps_left
    }

    /// Whether everything that was accepted has been carried through: the moment to answer the asker.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.state.is_waiting() || (self.state.is_step() && self.steps_left.is_none())
    }

    /// Whether plugins were started and not stopped, so that one that comes now is started too.
    #[must_use]
    pub fn has_started_plugins(&self) -> bool {
        self.plugins != Plugins::Idle && self.state != State::Stop
    }

    /// Whether the run has begun: plugins know that all have started.
    #[must_use]
    pub fn has_begun_run(&self) -> bool {
        self.plugins == Plugins::Running && self.state != State::Stop
    }

    /// What has been decided about the run, and by whom; `None` while undecided.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// How the run would be reported now: a run nobody decided was stopped.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.verdict.as_ref().map_or(Outcome::Stopped, |verdict| verdict.outcome)
    }

    /// Where a failed or aborted run leads, given who is behind it.
    pub(super) fn exit_after(&self, cause: &Cause) -> Exit {
        let stays = self.settings.keep_alive && !cause.is_operator() && self.exit != Some(Exit::Quit);
        if stays { Exit::NoWorld } else { Exit::Quit }
    }

    /// Where a run that was stopped leads: `None` is the stopped state.
    pub(super) fn exit_after_stop(&self) -> Option<Exit> {
        (!self.settings.keep_alive).then_some(Exit::Quit)
    }

    /// What giving up now would mean for the outcome.
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

//! The states of the lifecycle, and what depends on a state alone: its name in logs, its number in
//! `simulation_interfaces`, whether it is part of a step. Which state follows which is in `transition`. Plain
//! values, usable from any thread.

use std::fmt;

/// Where the host is between process start and exit.
///
/// The order is that of a run; [`State::ALL`] lists the states in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// No world is loaded; the host waits for one and is reachable through its world bridges.
    NoWorld,
    /// A world is being read and built; simulated time is held.
    Loading,
    /// The bridges of the vehicles are connecting.
    Connect,
    /// Plugins are starting; the run begins when all of them have started.
    Start,
    /// First phase of a step: the statistics of the cycle are reset.
    StepBegin,
    /// Second phase: commands are applied, physics is stepped, sensors are sampled.
    StepSimulator,
    /// Third phase: controllers run, received commands are latched.
    StepController,
    /// Last phase: triggers run, the snapshot is published, interrupts are taken.
    StepEnd,
    /// Simulated time is held between two steps of a run.
    Pause,
    /// Leads out of a pause.
    Resume,
    /// The run was declared a success.
    Success,
    /// The run was declared a failure.
    Fail,
    /// Plugins are being stopped.
    Stop,
    /// The run is over or has not begun; the world is loaded and can be played.
    Stopped,
    /// The reset cascade is running.
    Reset,
    /// Work in progress is being cancelled, after an error or on request.
    Abort,
    /// The bridges of the vehicles are being disconnected.
    Disconnect,
    /// The host is about to exit; no state follows.
    Quitting,
    /// What the world and its plugins offer is being collected, without running them.
    Probe,
}

/// State numbers of `simulation_interfaces/msg/SimulationState`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SimulationState {
    /// `STATE_STOPPED`
    Stopped = 0,
    /// `STATE_PLAYING`
    Playing = 1,
    /// `STATE_PAUSED`
    Paused = 2,
    /// `STATE_QUITTING`
    Quitting = 3,
    /// `STATE_NO_WORLD`
    NoWorld = 4,
    /// `STATE_LOADING_WORLD`
    LoadingWorld = 5,
}

impl SimulationState {
    /// The number of the standard.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns the state with this number, if the standard defines one.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Stopped, Self::Playing, Self::Paused, Self::Quitting, Self::NoWorld, Self::LoadingWorld]
            .into_iter()
            .find(|state| state.number() == number)
    }
}

impl State {
    /// Every state, in the order of a run.
    pub const ALL: [Self; 19] = [
        Self::NoWorld,
        Self::Loading,
        Self::Connect,
        Self::Start,
        Self::StepBegin,
        Self::StepSimulator,
        Self::StepController,
        Self::StepEnd,
        Self::Pause,
        Self::Resume,
        Self::Success,
        Self::Fail,
        Self::Stop,
        Self::Stopped,
        Self::Reset,
        Self::Abort,
        Self::Disconnect,
        Self::Quitting,
        Self::Probe,
    ];

    /// The name in logs, documents and the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoWorld => "NoWorld",
            Self::Loading => "Loading",
            Self::Connect => "Connect",
            Self::Start => "Start",
            Self::StepBegin => "StepBegin",
            Self::StepSimulator => "StepSimulator",
            Self::StepController => "StepController",
            Self::StepEnd => "StepEnd",
            Self::Pause => "Pause",
            Self::Resume => "Resume",
            Self::Success => "Success",
            Self::Fail => "Fail",
            Self::Stop => "Stop",
            Self::Stopped => "Stopped",
            Self::Reset => "Reset",
            Self::Abort => "Abort",
            Self::Disconnect => "Disconnect",
            Self::Quitting => "Quitting",
            Self::Probe => "Probe",
        }
    }

    /// The state in plain words, for sentences such as "the simulation is playing". The phases of a step are one.
    #[must_use]
    pub fn plain_name(self) -> &'static str {
        match self {
            Self::NoWorld => "without a world",
            Self::Loading => "loading",
            Self::Connect => "connecting",
            Self::Start => "starting",
            Self::StepBegin | Self::StepSimulator | Self::StepController | Self::StepEnd => "playing",
            Self::Pause => "paused",
            Self::Resume => "resuming",
            Self::Success | Self::Fail | Self::Stop => "stopping",
            Self::Stopped => "stopped",
            Self::Reset => "resetting",
            Self::Abort => "aborting",
            Self::Disconnect => "disconnecting",
            Self::Quitting => "quitting",
            Self::Probe => "probing",
        }
    }

    /// The state that clients of `simulation_interfaces` see.
    ///
    /// States between two states of the standard count as the one they lead to: a run that ends is already
    /// STOPPED, an abort and a disconnect are QUITTING.
    #[must_use]
    pub fn simulation_state(self) -> SimulationState {
        match self {
            Self::NoWorld => SimulationState::NoWorld,
            Self::Loading | Self::Connect | Self::Probe => SimulationState::LoadingWorld,
            Self::Start
            | Self::StepBegin
            | Self::StepSimulator
            | Self::StepController
            | Self::StepEnd
            | Self::Resume => SimulationState::Playing,
            Self::Pause => SimulationState::Paused,
            Self::Success | Self::Fail | Self::Stop | Self::Stopped | Self::Reset => SimulationState::Stopped,
            Self::Abort | Self::Disconnect | Self::Quitting => SimulationState::Quitting,
        }
    }

    /// Returns true for the four phases of a step.
    #[must_use]
    pub fn is_step(self) -> bool {
        matches!(self, Self::StepBegin | Self::StepSimulator | Self::StepController | Self::StepEnd)
    }

    /// Returns true if nothing happens in this state until a request arrives.
    #[must_use]
    pub fn is_waiting(self) -> bool {
        matches!(self, Self::NoWorld | Self::Pause | Self::Stopped | Self::Quitting)
    }

    /// Returns true if the work of this state may take long, so that the loop polls it and takes requests
    /// meanwhile.
    #[must_use]
    pub fn is_long(self) -> bool {
        matches!(
            self,
            Self::Loading | Self::Connect | Self::Start | Self::Stop | Self::Reset | Self::Disconnect
        )
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

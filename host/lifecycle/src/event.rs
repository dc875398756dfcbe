//! Everything that can happen to the lifecycle: reports of the loop about its own work, and requests from
//! outside, each with its cause. What follows from an event is in `transition`. Plain values, made on any
//! thread and taken by the simulation thread between two states.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    /// The loop finished the work of the current state, or failed at it.
    Reported(Report),
    /// A request from outside the loop.
    Requested(Request),
}

/// What the loop reports about the work of the current state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Report {
    /// The world is read and built, its plugins are loaded and awake.
    WorldLoaded,
    /// The world could not be loaded.
    LoadFailed(LoadFailure),
    /// Every required bridge is connected; the others have connected or had time to.
    BridgesConnected,
    /// A required bridge did not connect in time.
    ConnectFailed(Cause),
    /// Every plugin instance has started, except optional ones that are late or failed.
    AllStarted,
    /// A required plugin failed to start or is late.
    StartFailed(Cause),
    /// A phase of a step is done, or the work of a state that only leads to the next one.
    PhaseDone,
    /// Plugins are stopped, or their deadline has passed.
    PluginsStopped,
    /// The reset cascade is complete: every acknowledgement has arrived or is overdue.
    ResetDone,
    /// A plugin failed to reset.
    ResetFailed(Cause),
    /// The bridges of the vehicles are disconnected, or their deadline has passed.
    Disconnected,
}

/// Why a world could not be loaded, with what decides about the exit code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoadFailure {
    /// True if the world file or the configuration is wrong, false if loading it failed.
    pub is_configuration: bool,
    /// True if the process was started for this world. After a later one that cannot be loaded, the host
    /// waits.
    pub is_first: bool,
    /// What went wrong.
    pub cause: Cause,
}

/// A request and its cause.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// What is requested.
    pub interrupt: Interrupt,
    /// Who requests it, or why.
    pub cause: Cause,
}

impl Request {
    /// A request with its cause.
    #[must_use]
    pub fn new(interrupt: Interrupt, cause: Cause) -> Self {
        Self { interrupt, cause }
    }
}

/// What can be requested at any time; it takes effect between two states.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Interrupt {
    /// Cancel the run.
    Abort,
    /// Run the reset cascade.
    Reset(ResetRequest),
    /// Declare the run a failure and end it.
    Fail,
    /// Declare the run a success and end it.
    Success,
    /// End the run, and the host unless it is kept alive.
    Stop,
    /// End the run, reset everything and keep the world ready to play: STOPPED of `simulation_interfaces`.
    Halt,
    /// End the run and the host.
    Quit,
    /// End the run and unload the world; the host stays.
    UnloadWorld,
    /// Load a world in place of the current one.
    LoadWorld(WorldRequest),
    /// Hold simulated time after the current step.
    Pause,
    /// Continue after a pause.
    Resume,
    /// Run, from a pause or from the stopped state: PLAYING of `simulation_interfaces`.
    Play,
    /// Run this many steps from a pause and pause again.
    Step(u64),
}

impl Interrupt {
    /// The name in logs and documents.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Abort => "Abort",
            Self::Reset(_) => "Reset",
            Self::Fail => "Fail",
            Self::Success => "Success",
            Self::Stop => "Stop",
            Self::Halt => "Halt",
            Self::Quit => "Quit",
            Self::UnloadWorld => "UnloadWorld",
            Self::LoadWorld(_) => "LoadWorld",
            Self::Pause => "Pause",
            Self::Resume => "Resume",
            Self::Play => "Play",
            Self::Step(_) => "Step",
        }
    }
}

impl Report {
    /// The name in logs and documents.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::WorldLoaded => "WorldLoaded",
            Self::LoadFailed(_) => "LoadFailed",
            Self::BridgesConnected => "BridgesConnected",
            Self::ConnectFailed(_) => "ConnectFailed",
            Self::AllStarted => "AllStarted",
            Self::StartFailed(_) => "StartFailed",
            Self::PhaseDone => "PhaseDone",
            Self::PluginsStopped => "PluginsStopped",
            Self::ResetDone => "ResetDone",
            Self::ResetFailed(_) => "ResetFailed",
            Self::Disconnected => "Disconnected",
        }
    }
}

impl Event {
    /// The name in logs and documents.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reported(report) => report.name(),
            Self::Requested(request) => request.interrupt.name(),
        }
    }
}

/// A world to load, and the state to enter then.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorldRequest {
    /// What to load: a path, a URI, or a key that the loader has issued.
    pub world: String,
    /// The state after loading.
    pub start_in: StartIn,
}

/// The state after loading: `--start`, or the configured state for `load_world`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StartIn {
    /// Plugins start and the run begins.
    Playing,
    /// Plugins start; the run begins paused, before its first step.
    Paused,
    /// Bridges connect; plugins are not started.
    Stopped,
}

/// What to reset, and the state afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResetRequest {
    /// What is reset.
    pub scope: ResetScope,
    /// The state afterwards.
    pub then: AfterReset,
}

/// The state after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterReset {
    /// Playing stays playing, paused stays paused, stopped stays stopped.
    Keep,
    /// In the stopped state.
    Stopped,
    /// Paused before the first step, from every state.
    Paused,
    /// Playing, from every state.
    Play,
}

impl ResetRequest {
    /// The meaning of the `reset_simulation` service: a full reset ends STOPPED, a partial one keeps the
    /// state.
    #[must_use]
    pub fn standard(scope: ResetScope) -> Self {
        let then = if scope.is_all() { AfterReset::Stopped } else { AfterReset::Keep };
        Self { scope, then }
    }

    /// The meaning of Cloe's reset action: the run starts over and plays.
    #[must_use]
    pub fn running_on(scope: ResetScope) -> Self {
        Self { scope, then: AfterReset::Play }
    }
}

/// What a reset covers: the bit field of `simulation_interfaces/srv/ResetSimulation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResetScope(u8);

impl ResetScope {
    /// Simulated time goes back to zero (`SCOPE_TIME`).
    pub const TIME: Self = Self(1);
    /// Every entity goes back to its initial or spawn pose (`SCOPE_STATE`).
    pub const STATE: Self = Self(2);
    /// Spawned entities are removed (`SCOPE_SPAWNED`).
    pub const SPAWNED: Self = Self(4);
    /// The world is restored as it was loaded, including deleted entities (`SCOPE_ALL`).
    pub const ALL: Self = Self(255);

    /// Returns the scope with these bits; 0 (`SCOPE_DEFAULT`) means everything.
    ///
    /// Bits that the standard does not define are ignored; returns `None` if only such bits are set.
    #[must_use]
    pub fn from_bits(bits: u8) -> Option<Self> {
        let known = bits & (Self::TIME.0 | Self::STATE.0 | Self::SPAWNED.0);
        match (bits, known) {
            (0 | 255, _) => Some(Self::ALL),
            (_, 0) => None,
            (_, known) => Some(Self(known)),
        }
    }

    /// The bits of the standard.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Returns true if all of `part` is covered.
    #[must_use]
    pub fn contains(self, part: Self) -> bool {
        self.0 & part.0 == part.0
    }

    /// Returns true if the world is restored as it was loaded.
    #[must_use]
    pub fn is_all(self) -> bool {
        self == Self::ALL
    }
}

impl BitOr for ResetScope {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for ResetScope {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl fmt::Display for ResetScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_all() {
            return f.write_str("all");
        }
        let parts = [(Self::TIME, "time"), (Self::STATE, "state"), (Self::SPAWNED, "spawned")];
        let names: Vec<_> =
            parts.iter().filter(|(part, _)| self.contains(*part)).map(|(_, name)| *name).collect();
        f.write_str(&names.join(","))
    }
}

/// Who requested something, or what went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A signal to the process, by name (`SIGINT`).
    Signal(String),
    /// The command line or the keyboard.
    CommandLine,
    /// The simulated time of `--duration` is reached.
    Duration,
    /// A trigger, by its label or its event.
    Trigger(String),
    /// A client of the control API, by its name or address.
    Control(String),
    /// A plugin instance, with its name and the reason it gave.
    Plugin {
        /// Name of the instance.
        name: String,
        /// The reason it gave, or what it failed to do.
        reason: String,
    },
    /// A bridge instance, with its name and the reason it gave.
    Bridge {
        /// Name of the instance.
        name: String,
        /// The reason it gave, or what it failed to do.
        reason: String,
    },
    /// The host itself: the watchdog, a state that is not finite, a world that cannot be read.
    Host(String),
}

impl Cause {
    /// Returns true if something went wrong, false if somebody requested it.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        match self {
            Self::Plugin { .. } | Self::Bridge { .. } | Self::Host(_) => true,
            Self::Signal(_) | Self::CommandLine | Self::Duration | Self::Trigger(_) | Self::Control(_) => {
                false
            }
        }
    }

    /// Returns true if the cause is an instance of a plugin or a bridge.
    #[must_use]
    pub fn is_instance(&self) -> bool {
        match self {
            Self::Plugin { .. } | Self::Bridge { .. } => true,
            Self::Signal(_)
            | Self::CommandLine
            | Self::Duration
            | Self::Trigger(_)
            | Self::Control(_)
            | Self::Host(_) => false,
        }
    }

    /// Returns true if the cause is the person at the terminal.
    #[must_use]
    pub fn is_operator(&self) -> bool {
        match self {
            Self::Signal(_) | Self::CommandLine => true,
            Self::Duration
            | Self::Trigger(_)
            | Self::Control(_)
            | Self::Plugin { .. }
            | Self::Bridge { .. }
            | Self::Host(_) => false,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(name) => write!(f, "signal {name}"),
            Self::CommandLine => f.write_str("command line"),
            Self::Duration => f.write_str("duration reached"),
            Self::Trigger(label) => write!(f, "trigger `{label}`"),
            Self::Control(client) => write!(f, "control client `{client}`"),
            Self::Plugin { name, reason } => write!(f, "plugin `{name}`: {reason}"),
            Self::Bridge { name, reason } => write!(f, "bridge `{name}`: {reason}"),
            Self::Host(reason) => f.write_str(reason),
        }
    }
}

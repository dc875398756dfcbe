//! Everything that can happen to the lifecycle: what the loop reports about its own work, and what somebody asks
//! for from outside, with who asked and why. What follows from an event is in `transition`. Plain values, made on
//! any thread and taken by the simulation thread between two states.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Event {
    /// The loop finished, or failed at, the work of the current state.
    Reported(Report),
    /// Somebody asked for something.
    Requested(Request),
}

/// What the loop reports about the work of the state it is in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Report {
    /// The world is read and built, its plugins are loaded and awake.
    WorldLoaded,
    /// The world could not be loaded.
    LoadFailed(LoadFailure),
    /// Every required bridge is connected, every other one had its chance.
    BridgesConnected,
    /// A required bridge did not connect in time.
    ConnectFailed(Cause),
    /// Every plugin instance has started, or may be missing.
    AllStarted,
    /// A plugin that the run needs failed to start or is late.
    StartFailed(Cause),
    /// A phase of a step, or the work of a state that only passes on, is done.
    PhaseDone,
    /// Plugins are stopped, or their deadline has passed.
    PluginsStopped,
    /// The reset cascade is complete, every acknowledgement is in or overdue.
    ResetDone,
    /// A plugin failed to reset.
    ResetFailed(Cause),
    /// The bridges of the vehicles are disconnected, or their deadline has passed.
    Disconnected,
}

/// Why a world could not be loaded, and which exit code that deserves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoadFailure {
    /// Whether the world file or the configuration is to blame, rather than the loading.
    pub is_configuration: bool,
    /// Whether the process was started for this world; a later one that cannot be loaded leaves the host waiting.
    pub is_first: bool,
    /// What went wrong.
    pub cause: Cause,
}

/// Something that was asked for, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request {
    /// What is wanted.
    pub interrupt: Interrupt,
    /// Who wants it and why.
    pub cause: Cause,
}

impl Request {
    /// Joins a wish with its cause.
    #[must_use]
    pub fn new(interrupt: Interrupt, cause: Cause) -> Self {
        Self { interrupt, cause }
    }
}

/// What may be asked for at any time; it is taken between two states.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Interrupt {
    /// Give up the run.
    Abort,
    /// Run the reset cascade.
    Reset(ResetRequest),
    /// Declare the run a failure and end it.
    Fail,
    /// Declare the run a success and end it.
    Success,
    /// End the run; the host ends too unless it is kept alive.
    Stop,
    /// End the run, reset everything and stay playable: STOPPED of `simulation_interfaces`.
    Halt,
    /// End the run and the host.
    Quit,
    /// End the run and drop the world; the host stays.
    UnloadWorld,
    /// Load a world, in place of the current one.
    LoadWorld(WorldRequest),
    /// Let simulated time stand after the current step.
    Pause,
    /// Go on after a pause.
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

/// A world to load and what to do with it then.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorldRequest {
    /// What the loader is to load: a path, a URI, or a key it has given out itself.
    pub world: String,
    /// The state the host comes to rest in after loading.
    pub start_in: StartIn,
}

/// Where a freshly loaded world goes: `--start`, or the configured end of `load_world`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StartIn {
    /// Plugins start and the run begins.
    Playing,
    /// Plugins start, the run begins with a pause before the first step.
    Paused,
    /// Bridges connect, plugins wait.
    Stopped,
}

/// What to reset and where to go afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResetRequest {
    /// What is reset.
    pub scope: ResetScope,
    /// Where the host is afterwards.
    pub then: AfterReset,
}

/// Where a reset ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterReset {
    /// Playing stays playing, paused stays paused, stopped stays stopped.
    Keep,
    /// In the stopped state.
    Stopped,
    /// Running, whatever was before.
    Play,
}

impl ResetRequest {
    /// As the `reset_simulation` service means it: a full reset ends STOPPED, a partial one keeps the state.
    #[must_use]
    pub fn standard(scope: ResetScope) -> Self {
        let then = if scope.is_all() { AfterReset::Stopped } else { AfterReset::Keep };
        Self { scope, then }
    }

    /// As Cloe's reset action means it: the run goes on from the beginning.
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
    /// Entities that were spawned are removed (`SCOPE_SPAWNED`).
    pub const SPAWNED: Self = Self(4);
    /// The world is as it was loaded, deleted entities included (`SCOPE_ALL`).
    pub const ALL: Self = Self(255);

    /// The scope with these bits; 0 (`SCOPE_DEFAULT`) means everything.
    ///
    /// Bits the standard does not name are dropped beside known ones; `None` if nothing else is set.
    #[must_use]
    pub fn from_bits(bits: u8) -> Option<Self> {
        let known = bits & (Self::TIME.0 | Self::STATE.0 | Self::SPAWNED.0);
        match (bits, known) {
            (0 | 255, _) => Some(Self::ALL),
            (_, 0) => None,
            (_, known) => Some(Self(known)),
        }
    }

    /// The bits on the wire.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `part` is covered.
    #[must_use]
    pub fn contains(self, part: Self) -> bool {
        self.0 & part.0 == part.0
    }

    /// Whether the world is restored as it was loaded.
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

/// Who asked for something, or what went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A signal to the process, by name (`SIGINT`).
    Signal(String),
    /// The command line: the world to load, keyboard.
    CommandLine,
    /// The simulated time of `--duration` is reached.
    Duration,
    /// A trigger, by its label or its event.
    Trigger(String),
    /// A client of the control API, by its name or address.
    Control(String),
    /// A plugin instance: its name and what it said.
    Plugin {
        /// Name of the instance.
        name: String,
        /// What it said, or what it failed to do.
        reason: String,
    },
    /// A bridge instance: its name and what it said.
    Bridge {
        /// Name of the instance.
        name: String,
        /// What it said, or what it failed to do.
        reason: String,
    },
    /// The host itself: watchdog, a state that is not finite, a world that cannot be read.
    Host(String),
}

impl Cause {
    /// Whether something went wrong, as against somebody having wished it.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        match self {
            Self::Plugin { .. } | Self::Bridge { .. } | Self::Host(_) => true,
            Self::Signal(_) | Self::CommandLine | Self::Duration | Self::Trigger(_) | Self::Control(_) => {
                false
            }
        }
    }

    /// Whether the person at the terminal is behind it.
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

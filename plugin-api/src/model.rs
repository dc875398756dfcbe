//! Model plugins: sensors, actuators, controllers and world plugins, as one trait.

pub(crate) mod glue;

use crate::bridge::{BridgeInfo, ConverterRegistrar};
use crate::error::{Flow, Result};
use crate::host::HostHandle;
use crate::schedule::SampleTimes;
use crate::state::{Remembers, StateReader, StateWriter};

/// The step a call belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the step since the last reset of time, from 1: `time_ns` is `number × width_ns`.
    pub number: u64,
    /// Simulated time at the end of the physics step, nanoseconds.
    pub time_ns: i64,
    /// Width of the step, nanoseconds.
    pub width_ns: i64,
    /// Counts resets.
    pub reset_epoch: u32,
}

impl Step {
    /// Width of the step in seconds.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "step widths are far below 2^53 ns")]
    pub fn width(&self) -> f64 {
        self.width_ns as f64 * 1e-9
    }
}

/// Which part of the simulation a reset covers, as a bit field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResetScope(u32);

impl ResetScope {
    /// Everything.
    pub const ALL: ResetScope = ResetScope(bridgehead_abi::bridge::SCOPE_ALL);

    /// From the bits of the ABI; the default scope is everything.
    #[must_use]
    pub fn from_bits(bits: u32) -> Self {
        if bits == bridgehead_abi::bridge::SCOPE_DEFAULT { Self::ALL } else { ResetScope(bits) }
    }

    /// The bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether simulated time starts again.
    #[must_use]
    pub fn covers_time(self) -> bool {
        self.0 & bridgehead_abi::bridge::SCOPE_TIME != 0
    }

    /// Whether entities go back to their initial states.
    #[must_use]
    pub fn covers_state(self) -> bool {
        self.0 & bridgehead_abi::bridge::SCOPE_STATE != 0
    }

    /// Whether spawned entities are removed.
    #[must_use]
    pub fn covers_spawned(self) -> bool {
        self.0 & bridgehead_abi::bridge::SCOPE_SPAWNED != 0
    }
}

/// How a start ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// The plugin is ready.
    Ready,
    /// It goes on in the background and reports through [`crate::host::Lifecycle::started`].
    Pending,
}

/// The step calls a plugin wants; the host does not make the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases {
    /// [`ModelPlugin::sample`].
    pub sample: bool,
    /// [`ModelPlugin::control`].
    pub control: bool,
}

impl Phases {
    /// A sensor: `sample` only.
    pub const SAMPLE: Phases = Phases { sample: true, control: false };
    /// A controller: `control` only.
    pub const CONTROL: Phases = Phases { sample: false, control: true };
    /// Both.
    pub const BOTH: Phases = Phases { sample: true, control: true };
    /// Neither: the plugin only listens to its lifecycle.
    pub const NONE: Phases = Phases { sample: false, control: false };
}

/// A sensor, actuator, controller or world plugin.
///
/// The host makes one value per `<sensor>` or `<plugin>` element. Calls on one value never overlap; they may
/// come from different OS threads. A panic in any of them marks the value as failed and ends its calls; the
/// simulation goes on (unless its policy says otherwise).
pub trait ModelPlugin: Sized + Send + 'static {
    /// The step calls this plugin wants.
    const PHASES: Phases;

    /// What it remembers from step to step: says what happens if a run is restored from a snapshot, and
    /// `bridgehead plugin list` shows it. A plugin that says nothing begins again as after a reset.
    const REMEMBERS: Remembers = Remembers::Unsaved;

    /// Registers message types of the plugin's own. Called once per process, before any value exists.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure refuses the plugin.
    fn register(library: HostHandle) -> Result {
        let _ = library;
        Ok(())
    }

    /// Registers converters between the plugin's own types and those of `bridge`. Called once for every
    /// bridge plugin that the run uses, also for those opened later.
    ///
    /// `[thread: main] [state: any]`
    ///
    /// # Errors
    /// A failure is a warning: this bridge will not carry the plugin's types.
    fn converters(bridge: &BridgeInfo<'_>, registrar: &mut ConverterRegistrar<'_>) -> Result {
        let _ = (bridge, registrar);
        Ok(())
    }

    /// Makes the value: reads parameters, advertises topics, looks up links and joints.
    ///
    /// `[thread: main] [state: created]`
    ///
    /// # Errors
    /// A failure ends this plugin's start with the text as reason.
    fn awake(host: HostHandle) -> Result<Self>;

    /// Gets ready to run, if that takes more than `awake`.
    ///
    /// `[thread: main] [state: awake, stopped]`
    ///
    /// # Errors
    /// A failure ends this plugin's start with the text as reason.
    fn start(&mut self) -> Result<Started> {
        Ok(Started::Ready)
    }

    /// Every plugin of the world has started.
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure marks the plugin as failed.
    fn all_started(&mut self) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    /// Back to the state after `start`, within `scope`. There is no default: a plugin that remembers nothing
    /// says so with an empty body.
    ///
    /// `[thread: sim] [state: started]`
    ///
    /// # Errors
    /// A failure ends the run in Abort, named.
    fn reset(&mut self, scope: ResetScope) -> Result<Flow>;

    /// Writes what it remembers. Only called with [`Remembers::Saved`].
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure is reported, and the snapshot is taken without this plugin's state.
    fn save(&mut self, state: &mut StateWriter) -> Result {
        let _ = state;
        Ok(())
    }

    /// Takes back what `save` wrote, right after a [`reset`](ModelPlugin::reset) and before the next step. Only called
    /// with [`Remembers::Saved`].
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure is reported, and the plugin is reset once more.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let _ = state;
        Ok(())
    }

    /// Elements of its own for a saved world, as XML; the next run finds them among its parameters, below
    /// [`SAVED`](crate::host::SAVED). They take the place of those of an earlier save. `None` leaves the file as it is.
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure is reported, and the world is saved without them.
    fn saved_elements(&mut self) -> Result<Option<String>> {
        Ok(None)
    }

    /// The steps in which [`sample`](ModelPlugin::sample) has something to do. The host asks once, after `awake`, and
    /// need not call `sample` in other steps; it may, so a sensor still asks its schedule.
    ///
    /// `[thread: main] [state: awake]`
    fn sample_times(&self) -> SampleTimes {
        SampleTimes::EVERY_STEP
    }

    /// After physics: look at the world and publish. Only called with [`Phases::sample`].
    ///
    /// `[thread: sim] [state: started]`
    ///
    /// # Errors
    /// A failure marks the plugin as failed.
    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let _ = step;
        Ok(Flow::Continue)
    }

    /// After all samples, with the commands of this step latched in: read them and drive the actuators. Only
    /// called with [`Phases::control`].
    ///
    /// `[thread: sim] [state: started]`
    ///
    /// # Errors
    /// A failure marks the plugin as failed.
    fn control(&mut self, step: &Step) -> Result<Flow> {
        let _ = step;
        Ok(Flow::Continue)
    }

    /// The simulation is paused.
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure marks the plugin as failed.
    fn pause(&mut self) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    /// The simulation goes on.
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure marks the plugin as failed.
    fn resume(&mut self) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    /// The run ends; `start` may follow, or the value is dropped.
    ///
    /// `[thread: main] [state: started]`
    ///
    /// # Errors
    /// A failure is logged.
    fn stop(&mut self) -> Result<Flow> {
        Ok(Flow::Continue)
    }
}

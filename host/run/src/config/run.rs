//! `[run]`: the configuration of a run. Plain values, usable from any thread.

use crate::config::value;
use std::path::PathBuf;
use std::time::Duration;

use bridgehead_lifecycle::StartIn;
use bridgehead_physics::OVERLAP_SPEED;

use super::argument::ArgumentRequest;
use super::control::{ControlConfig, HttpConfig, KeyboardConfig, NamesConfig, WatchdogConfig};
use super::key::{flag, without};
use super::kind::{BOOLEAN, BYTES, PATH, PUSHING_SPEED, SCENE_RATE, SPEED, TEXT, TIME, choice, whole};
use super::policy::{FailurePolicy, LossPolicy, RecordedImages};
use super::pose::PoseRequest;
use super::request::{BridgeRequest, PluginRequest};
use super::section::{held, initial, section};
use super::sensor::{OverrideRequest, SensorRequest};
use super::services::ServiceNames;
use super::world_value::ValueRequest;
use crate::clock::Speed;
use crate::plugin::SearchPath;
use crate::resources::Sources;
use crate::trigger::Trigger;
use crate::watchdog::CallLimits;
use crate::world::BuildOptions;

section! {
    /// A run: the settings that apply, and the lists of its file and flags.
    #[derive(Debug)]
    RunConfig, RunSettings, run {
        /// SDF file of the world; without one the host waits until a client loads a world
        world: PathBuf, PATH, without("none").flag("WORLD.sdf", "WORLD.sdf");
        /// Simulated time after which the run stops, such as `10s`, `500ms`, `2m` or `1.5s`
        duration: Duration, TIME, without("none").flag("--duration", "TIME");
        /// Number of steps after which the run stops
        steps: u64, whole::<_, 1, { u64::MAX }>(), without("none").flag("--steps", "N").alias("--iterations");
        /// Simulated seconds per second, or `unlimited` to run as fast as possible
        speed: Speed = Speed::Factor(1.0), SPEED, flag("--speed", "FACTOR").repeatable();
        /// Seed of all random numbers
        seed: u64 = 0, whole::<_, 0, { u64::MAX }>(), flag("--seed", "N");
        /// State of the world after it has been loaded
        start: StartIn = StartIn::Playing, choice!(value::STARTS), flag("--start", "STATE");
        /// Folder that files named in a world must stay inside
        output: PathBuf = PathBuf::from("."), PATH, flag("--output", "DIR");
        /// File for the [result](result-file.md) of the run, JSON
        result: PathBuf, PATH, without("none").flag("--result", "FILE.json");
        /// File for the world in its final state; comments and layout of the original are kept
        save: PathBuf, PATH, without("none").flag("--save", "FILE.sdf");
        /// File for a snapshot of the world in its final state, exact to the last bit, for `--restore`
        snapshot: PathBuf, PATH, without("none").flag("--snapshot", "FILE");
        /// Snapshot of this world from which the run continues; plugins that `plugin list` marks `reset` start anew
        restore: PathBuf, PATH, without("none").flag("--restore", "FILE");
        /// File for the hash of the state after each step, one line per step
        hash_log: PathBuf, PATH, without("none").flag("--hash-log", "FILE");
        /// File for the messages that bridges receive, for the replay bridge
        record_commands: PathBuf, PATH, without("none").flag("--record-commands", "FILE");
        /// MCAP file for everything that happens, which `bridgehead view` shows: all messages, the scene and its poses; replaces a file
        record: PathBuf, PATH, without("none").flag("--record", "FILE.mcap");
        /// Topics of the recording: patterns with commas between them, such as `/car1/*`, with a `!` before those that are left out, such as `!*/points`; the scene is recorded in any case unless `!/scene*` leaves it out
        record_topics: String, TEXT, without("all").flag("--record-topics", "PATTERNS");
        /// Which images the recording has of a camera that publishes them raw and compressed
        record_images: RecordedImages = RecordedImages::Compressed, choice!(value::RECORDED_IMAGES), flag("--record-images", "WHICH");
        /// Size at which the recording continues in a further file that can be viewed alone, `run.part2.mcap` of `run.mcap`; at least 64K
        record_part_size: usize, BYTES, without("none").flag("--record-part-size", "SIZE");
        /// Size of all files of the recording together at which recording ends; the run continues
        record_max_size: usize, BYTES, without("none").flag("--record-max-size", "SIZE");
        /// Poses per simulated second on the topic `/scene/poses`, beside the topics `/scene`, `/scene/description` and `/scene/assets`
        scene_rate: f64, SCENE_RATE, without("30 with `record`, otherwise none of these topics");
        /// Exit with code 8 if the run ends without a success
        require_success: bool = false, BOOLEAN, flag("--require-success", "");
        /// What a run ends as whose world is incomplete: a model, a collision, a joint or a sensor is missing (`errors` of the result names them). `fail` makes it a failure, exit code 9; `ignore` leaves the outcome as it is
        on_loss: LossPolicy = LossPolicy::Fail, choice!(value::LOSS_POLICIES), flag("--on-loss", "POLICY");
        /// Treat warnings about the world and its plugins as errors
        strict: bool = false, BOOLEAN, flag("--strict", "");
        /// Name of the `<physics>` profile of the world to use; it gives the step and, up to SDF 1.5, the gravity
        physics_profile: String, TEXT, without("the world's default").flag("--physics-profile", "NAME");
        /// Width of a step
        step_width: Duration, TIME, without("the profile's `max_step_size`");
        /// Physics steps in a step
        substeps: u32 = 1, whole::<_, 1, 1000>();
        /// Speed at which bodies that are placed in each other are pushed apart, m/s
        overlap_speed: f64 = OVERLAP_SPEED, PUSHING_SPEED;
        /// End a `<plane>` at its `<size>`, as CLOiSim does and as in all worlds with its plugins, instead of making it a half-space
        finite_planes: bool = false, BOOLEAN;
        /// Longest time that plugins may take to start
        start_timeout: Duration = Duration::from_secs(30), TIME;
        /// What happens when a plugin fails
        on_failure: FailurePolicy = FailurePolicy::Continue, choice!(value::FAILURE_POLICIES);
        /// Longest real time that a `reset`, `sample` or `control` of a plugin may take; a longer call is reported as an overrun. After the first half second, time in which a call waits because other threads or programs have the processors does not count, up to nine tenths of the call
        call_budget: Duration = CallLimits::default().budget, TIME;
        /// Number of consecutive overruns after which a plugin counts as failed; `on_failure` then decides
        overruns: u32 = CallLimits::default().overruns, whole::<_, 1, 1_000_000>();
        /// Time, counted as for `call_budget`, after which a call into a plugin counts as one that never returns: the run ends with exit code 16, and the plugin and the call are named; for a call into an isolated plugin, all time counts, and only the worker process ends; a worker that is told to end gets the same time, but at least two seconds
        call_timeout: Duration = Duration::from_secs(10), TIME;
        /// Check after every call of a plugin, also in steps, what it has changed of the process, and every published message; takes time, and names the plugin of a fault that is found otherwise only some steps later
        check_plugins: bool = false, BOOLEAN, flag("--check-plugins", "");
        /// Use only the plugins that come with the program, which are in its folder, and leave out the bridges of others
        safe_mode: bool = false, BOOLEAN, flag("--safe-mode", "");
        /// Plugins that run in worker processes, by name, separated by commas: a crash, a hang or an exit of such a plugin leaves the run as it is; each instance has a process, so that instances of a bridge share no file, port or node
        isolate: String, TEXT, without("none").flag("--isolate", "NAMES");
        /// Memory that each worker process of an isolated plugin may use, besides that of its libraries
        isolate_memory: usize, BYTES, without("unlimited");
        /// Files that each worker process of an isolated plugin may have open
        isolate_files: u32, whole::<_, 16, 1_000_000>(), without("that of the host");
        /// Unix socket of the [step channel](step-channel.md), over which a program on this machine sends commands, runs steps and reads numbers
        step_channel: PathBuf, PATH, without("none").flag("--step-channel", "PATH");
        /// Keep the program running when a run has ended
        keep_alive: bool = false, BOOLEAN;
        /// File for the triggers that fired, JSON; `file` in `[triggers]` reads it
        trigger_history: PathBuf, PATH, without("none").flag("--triggers", "FILE.json").named("triggers");
        /// File for the verdicts of the run and of its labelled triggers, JUnit XML
        junit: PathBuf, PATH, without("none").flag("--junit", "FILE.xml");
    }
    also {
        /// Bridges to attach, besides those that the world names.
        bridges: Vec<BridgeRequest> = Vec::new();
        /// Plugins to attach, besides those that the world names.
        plugins: Vec<PluginRequest> = Vec::new();
        /// Sensors to add, in order.
        sensors: Vec<SensorRequest> = Vec::new();
        /// Changes of sensors and plugins of the world, in order.
        overrides: Vec<OverrideRequest> = Vec::new();
        /// Arguments of files that are xacro, in order.
        arguments: Vec<ArgumentRequest> = Vec::new();
        /// Values of the world to set, in order.
        values: Vec<ValueRequest> = Vec::new();
        /// Named poses besides those of the world.
        poses: Vec<PoseRequest> = Vec::new();
        /// Folders that are searched for plugins.
        search: SearchPath = SearchPath::default();
        /// Triggers of the configuration, in order.
        triggers: Vec<Trigger> = Vec::new();
        /// Whether triggers may run programs.
        enable_command_action: bool = false;
        /// Folders and files of worlds that clients can load.
        worlds: Sources = Sources::default();
        /// The server for clients.
        http: HttpConfig = HttpConfig::default();
        /// Names of services.
        services: ServiceNames = ServiceNames::default();
        /// What clients may do.
        control: ControlConfig = ControlConfig::default();
        /// Names of topics.
        names: NamesConfig = NamesConfig::default();
        /// Keys of the terminal.
        keyboard: KeyboardConfig = KeyboardConfig::default();
        /// How long a state may last.
        watchdog: WatchdogConfig = WatchdogConfig::default();
    }
}

impl RunConfig {
    /// Returns where the files of a world are looked up, with the arguments of those that are xacro.
    #[must_use]
    pub fn world_search(&self) -> bridgehead_sdf::SearchPath {
        let argument = |request: &ArgumentRequest| (request.name.clone(), request.value.clone());
        bridgehead_sdf::SearchPath::of_environment().with_arguments(self.arguments.iter().map(argument))
    }

    /// Returns how worlds are built, with steps of that width.
    #[must_use]
    pub fn build_options(&self, width: Duration) -> BuildOptions {
        BuildOptions {
            step: width.as_secs_f64(),
            substeps: self.substeps,
            overlap_speed: self.overlap_speed,
            finite_planes: self.finite_planes,
            names: self.names.style,
        }
    }

    /// Returns the simulated time after which the run stops, with steps of that width.
    #[must_use]
    pub fn time_limit(&self, width: Duration) -> Option<Duration> {
        let width_ns = u64::try_from(width.as_nanos()).unwrap_or(u64::MAX);
        let of_steps = self.steps.map(|steps| Duration::from_nanos(width_ns.saturating_mul(steps)));
        self.duration.into_iter().chain(of_steps).min()
    }

    /// Returns the limits of calls into plugins.
    #[must_use]
    pub fn call_limits(&self) -> CallLimits {
        CallLimits { budget: self.call_budget, overruns: self.overruns }
    }
}

//! What was said about a run in one place, the file, the environment or the command line, with gaps where nothing was
//! said.
//!
//! They are laid over each other ([`Layers`](super::Layers)) and become a [`RunConfig`]; defaults are applied only
//! then. Plain values, usable from any thread.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bridgehead_lifecycle::StartIn;

use crate::clock::Speed;
use crate::plugin::SearchPath;
use crate::resources::Sources;
use crate::trigger::Trigger;
use crate::watchdog::{CallLimits, Mode};

use super::control::{ControlConfig, HttpAddress, HttpConfig, KeyboardConfig, Secret, WatchdogConfig};
use super::services::{self, ServiceNames};
use super::{
    BridgeRequest, Code, ConfigError, ConfigErrors, FailurePolicy, OverrideRequest, PluginRequest,
    PoseRequest, RunConfig, SensorRequest,
};

/// Declares the settings: lists that add up, and values of which the upper one counts.
macro_rules! settings {
    ($( $field:ident: $kind:ty, )*) => {
        /// What was said in one place. `None`, or an empty list, is nothing.
        #[derive(Clone, Debug, Default)]
        #[expect(missing_docs, reason = "each field is the field of `RunConfig` of the same name")]
        pub struct Settings {
            pub bridges: Vec<BridgeRequest>,
            pub plugins: Vec<PluginRequest>,
            pub sensors: Vec<SensorRequest>,
            pub overrides: Vec<OverrideRequest>,
            pub poses: Vec<PoseRequest>,
            pub triggers: Vec<Trigger>,
            pub plugin_path: Vec<PathBuf>,
            /// Other names of services, by their own.
            pub services: BTreeMap<&'static str, String>,
            /// Timeouts of states of the lifecycle, by the name of their key.
            pub timeouts: BTreeMap<&'static str, Option<Duration>>,
            /// Where each value stands, by section and key; of flags and defaults nothing is noted.
            pub places: BTreeMap<(&'static str, &'static str), String>,
            $( pub $field: Option<$kind>, )*
        }

        impl Settings {
            /// These settings, and what `below` says where they say nothing. Lists of `below` come first, but for
            /// `plugin_path`, which is searched from above. Places are those of neither.
            #[must_use]
            pub(super) fn over(self, below: Settings) -> Settings {
                Settings {
                    bridges: joined(below.bridges, self.bridges),
                    plugins: joined(below.plugins, self.plugins),
                    sensors: joined(below.sensors, self.sensors),
                    overrides: joined(below.overrides, self.overrides),
                    poses: joined(below.poses, self.poses),
                    triggers: joined(below.triggers, self.triggers),
                    plugin_path: joined(self.plugin_path, below.plugin_path),
                    services: overlaid(self.services, below.services),
                    timeouts: overlaid(self.timeouts, below.timeouts),
                    places: BTreeMap::new(),
                    $( $field: self.$field.or(below.$field), )*
                }
            }
        }
    };
}

settings! {
    world: PathBuf,
    duration: Duration,
    speed: Speed,
    seed: u64,
    start: StartIn,
    output: PathBuf,
    result: PathBuf,
    save: PathBuf,
    snapshot: PathBuf,
    restore: PathBuf,
    hash_log: PathBuf,
    record_commands: PathBuf,
    require_success: bool,
    strict: bool,
    physics_profile: String,
    step_width: Duration,
    substeps: u32,
    start_timeout: Duration,
    on_failure: FailurePolicy,
    call_budget: Duration,
    overruns: u32,
    call_timeout: Duration,
    keep_alive: bool,
    enable_command_action: bool,
    trigger_history: PathBuf,
    junit: PathBuf,
    worlds: Sources,
    http_address: HttpAddress,
    http_token: Secret,
    http_token_file: PathBuf,
    http_body_limit: usize,
    http_connections: usize,
    pause_from_stopped: bool,
    load_ends_in: StartIn,
    allow_quit: bool,
    frame: String,
    stopped_to_playing: char,
    paused_to_playing: char,
    playing_to_paused: char,
    quit: char,
    watchdog: Mode,
}

impl Settings {
    /// What holds where nobody says anything.
    #[must_use]
    pub fn defaults() -> Settings {
        let base = RunConfig::default();
        Settings {
            services: services::KNOWN.iter().map(|name| (*name, (*name).to_owned())).collect(),
            timeouts: base.watchdog.timeouts().collect(),
            speed: Some(base.speed),
            seed: Some(base.seed),
            start: Some(base.start),
            output: Some(base.output),
            require_success: Some(base.require_success),
            strict: Some(base.strict),
            substeps: Some(base.substeps),
            start_timeout: Some(base.start_timeout),
            on_failure: Some(base.on_failure),
            call_budget: Some(base.call_limits.budget),
            overruns: Some(base.call_limits.overruns),
            call_timeout: Some(base.call_timeout),
            keep_alive: Some(base.keep_alive),
            http_address: Some(base.http.address),
            http_body_limit: Some(base.http.body_limit),
            http_connections: Some(base.http.connections),
            pause_from_stopped: Some(base.control.pause_from_stopped),
            load_ends_in: Some(base.control.load_ends_in),
            allow_quit: Some(base.control.allow_quit),
            frame: Some(base.control.frame),
            stopped_to_playing: Some(base.keyboard.stopped_to_playing),
            paused_to_playing: Some(base.keyboard.paused_to_playing),
            playing_to_paused: Some(base.keyboard.playing_to_paused),
            quit: Some(base.keyboard.quit),
            watchdog: Some(base.watchdog.mode),
            ..Settings::default()
        }
    }

    /// The run that is asked for.
    ///
    /// # Errors
    /// A file that is to be written has no folder to be in, or two values do not go together.
    pub(super) fn into_config(self, search: SearchPath) -> Result<RunConfig, ConfigErrors> {
        let base = RunConfig::default();
        let mut errors = Vec::new();
        let config = RunConfig {
            world: self.world,
            bridges: self.bridges,
            plugins: self.plugins,
            sensors: self.sensors,
            overrides: self.overrides,
            poses: self.poses,
            search,
            duration: self.duration,
            speed: self.speed.unwrap_or(base.speed),
            seed: self.seed.unwrap_or(base.seed),
            start: self.start.unwrap_or(base.start),
            output: self.output.unwrap_or(base.output),
            result: self.result,
            save: self.save,
            snapshot: self.snapshot,
            restore: self.restore,
            hash_log: self.hash_log,
            record_commands: self.record_commands,
            require_success: self.require_success.unwrap_or(base.require_success),
            strict: self.strict.unwrap_or(base.strict),
            physics_profile: self.physics_profile,
            step_width: self.step_width,
            substeps: self.substeps.unwrap_or(base.substeps),
            start_timeout: self.start_timeout.unwrap_or(base.start_timeout),
            on_failure: self.on_failure.unwrap_or(base.on_failure),
            call_limits: CallLimits {
                budget: self.call_budget.unwrap_or(base.call_limits.budget),
                overruns: self.overruns.unwrap_or(base.call_limits.overruns),
            },
            call_timeout: self.call_timeout.unwrap_or(base.call_timeout),
            keep_alive: self.keep_alive.unwrap_or(base.keep_alive),
            triggers: self.triggers,
            enable_command_action: self.enable_command_action.unwrap_or(base.enable_command_action),
            trigger_history: self.trigger_history,
            junit: self.junit,
            worlds: self.worlds.unwrap_or(base.worlds),
            http: HttpConfig {
                address: self.http_address.unwrap_or(base.http.address),
                token: self.http_token,
                token_file: self.http_token_file,
                body_limit: self.http_body_limit.unwrap_or(base.http.body_limit),
                connections: self.http_connections.unwrap_or(base.http.connections),
            },
            services: ServiceNames::new(self.services).unwrap_or_else(|error| {
                errors.push(error);
                ServiceNames::default()
            }),
            control: ControlConfig {
                pause_from_stopped: self.pause_from_stopped.unwrap_or(base.control.pause_from_stopped),
                load_ends_in: self.load_ends_in.unwrap_or(base.control.load_ends_in),
                allow_quit: self.allow_quit.unwrap_or(base.control.allow_quit),
                frame: self.frame.unwrap_or(base.control.frame),
            },
            keyboard: KeyboardConfig {
                stopped_to_playing: self.stopped_to_playing.unwrap_or(base.keyboard.stopped_to_playing),
                paused_to_playing: self.paused_to_playing.unwrap_or(base.keyboard.paused_to_playing),
                playing_to_paused: self.playing_to_paused.unwrap_or(base.keyboard.playing_to_paused),
                quit: self.quit.unwrap_or(base.keyboard.quit),
            },
            watchdog: WatchdogConfig::new(self.watchdog.unwrap_or(base.watchdog.mode), &self.timeouts),
        };
        errors.extend(config.http.contradiction());
        errors.extend(config.keyboard.contradiction());
        errors.extend(target_errors(&config));
        if errors.is_empty() { Ok(config) } else { Err(ConfigErrors(errors)) }
    }
}

fn joined<T>(mut first: Vec<T>, second: Vec<T>) -> Vec<T> {
    first.extend(second);
    first
}

fn overlaid<K: Ord, V>(above: BTreeMap<K, V>, mut below: BTreeMap<K, V>) -> BTreeMap<K, V> {
    below.extend(above);
    below
}

/// A night's run must not end with the news that its result cannot be written.
fn target_errors(config: &RunConfig) -> Vec<ConfigError> {
    let targets = [
        ("result", &config.result),
        ("world", &config.save),
        ("snapshot", &config.snapshot),
        ("hash log", &config.hash_log),
        ("record of commands", &config.record_commands),
        ("history of triggers", &config.trigger_history),
        ("JUnit file", &config.junit),
    ];
    let named = targets.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?)));
    named.filter_map(|(what, path)| target_error(what, path)).chain(save_over_error(config)).collect()
}

/// The file that a world comes from is its author's.
fn save_over_error(config: &RunConfig) -> Option<ConfigError> {
    let (target, world) = (config.save.as_deref()?, config.world.as_deref()?);
    let is_same = target.canonicalize().ok()? == world.canonicalize().ok()?;
    is_same.then(|| {
        let found =
            format!("the world cannot be saved to `{}`: it is the file it is loaded from", target.display());
        ConfigError::new(Code::TargetInvalid, found).hint("give another name, and rename the file afterwards")
    })
}

fn target_error(what: &str, path: &Path) -> Option<ConfigError> {
    let found = format!("the {what} cannot be written to `{}`", path.display());
    if path.is_dir() || path.file_name().is_none() {
        let error = ConfigError::new(Code::TargetInvalid, format!("{found}: it is a folder"));
        return Some(error.hint("name a file in it"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())?;
    let why = format!("{found}: there is no folder `{}`", folder.display());
    Some(ConfigError::new(Code::TargetInvalid, why))
}

//! What was said about a run in one place, the file or the command line, with gaps where nothing was said.
//!
//! Two of them are laid over each other and become a [`RunConfig`]; defaults are applied only then. Plain
//! values, usable from any thread.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::clock::Speed;
use crate::lifecycle::StartIn;
use crate::plugin::SearchPath;
use crate::resources::Sources;
use crate::trigger::Trigger;
use crate::watchdog::CallLimits;

use super::{
    BridgeRequest, Code, ConfigError, ConfigErrors, FailurePolicy, OverrideRequest, PluginRequest, RunConfig,
    SensorRequest,
};

/// What was said in one place. `None`, or an empty list, is nothing.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "each field is the field of `RunConfig` of the same name")]
pub struct Settings {
    pub world: Option<PathBuf>,
    pub bridges: Vec<BridgeRequest>,
    pub plugins: Vec<PluginRequest>,
    pub sensors: Vec<SensorRequest>,
    pub overrides: Vec<OverrideRequest>,
    pub plugin_path: Vec<PathBuf>,
    pub duration: Option<Duration>,
    pub speed: Option<Speed>,
    pub seed: Option<u64>,
    pub start: Option<StartIn>,
    pub output: Option<PathBuf>,
    pub result: Option<PathBuf>,
    pub save: Option<PathBuf>,
    pub snapshot: Option<PathBuf>,
    pub restore: Option<PathBuf>,
    pub hash_log: Option<PathBuf>,
    pub record_commands: Option<PathBuf>,
    pub require_success: Option<bool>,
    pub strict: Option<bool>,
    pub physics_profile: Option<String>,
    pub step_width: Option<Duration>,
    pub substeps: Option<u32>,
    pub start_timeout: Option<Duration>,
    pub on_failure: Option<FailurePolicy>,
    pub call_budget: Option<Duration>,
    pub overruns: Option<u32>,
    pub call_timeout: Option<Duration>,
    pub keep_alive: Option<bool>,
    pub triggers: Vec<Trigger>,
    pub enable_command_action: Option<bool>,
    pub trigger_history: Option<PathBuf>,
    pub junit: Option<PathBuf>,
    pub worlds: Option<Sources>,
}

impl Settings {
    /// The run that the command line (`self`) and the file ask for together: a flag wins over the file, bridges
    /// and plugins of the file come before those of the flags.
    ///
    /// # Errors
    /// A file that is to be written has no folder to be in.
    pub fn into_config(self, file: Settings) -> Result<RunConfig, ConfigErrors> {
        let base = RunConfig::default();
        let config = RunConfig {
            world: self.world.or(file.world),
            bridges: joined(file.bridges, self.bridges),
            plugins: joined(file.plugins, self.plugins),
            sensors: joined(file.sensors, self.sensors),
            overrides: joined(file.overrides, self.overrides),
            search: SearchPath::standard(&self.plugin_path, &file.plugin_path),
            duration: self.duration.or(file.duration),
            speed: self.speed.or(file.speed).unwrap_or(base.speed),
            seed: self.seed.or(file.seed).unwrap_or(base.seed),
            start: self.start.or(file.start).unwrap_or(base.start),
            output: self.output.or(file.output).unwrap_or(base.output),
            result: self.result.or(file.result),
            save: self.save.or(file.save),
            snapshot: self.snapshot.or(file.snapshot),
            restore: self.restore.or(file.restore),
            hash_log: self.hash_log.or(file.hash_log),
            record_commands: self.record_commands.or(file.record_commands),
            require_success: self.require_success.or(file.require_success).unwrap_or(base.require_success),
            strict: self.strict.or(file.strict).unwrap_or(base.strict),
            physics_profile: self.physics_profile.or(file.physics_profile),
            step_width: self.step_width.or(file.step_width),
            substeps: self.substeps.or(file.substeps).unwrap_or(base.substeps),
            start_timeout: self.start_timeout.or(file.start_timeout).unwrap_or(base.start_timeout),
            on_failure: self.on_failure.or(file.on_failure).unwrap_or(base.on_failure),
            call_limits: CallLimits {
                budget: self.call_budget.or(file.call_budget).unwrap_or(base.call_limits.budget),
                overruns: self.overruns.or(file.overruns).unwrap_or(base.call_limits.overruns),
            },
            call_timeout: self.call_timeout.or(file.call_timeout).unwrap_or(base.call_timeout),
            keep_alive: self.keep_alive.or(file.keep_alive).unwrap_or(base.keep_alive),
            triggers: joined(file.triggers, self.triggers),
            enable_command_action: self
                .enable_command_action
                .or(file.enable_command_action)
                .unwrap_or(base.enable_command_action),
            trigger_history: self.trigger_history.or(file.trigger_history),
            junit: self.junit.or(file.junit),
            worlds: self.worlds.or(file.worlds).unwrap_or(base.worlds),
        };
        check_targets(&config)?;
        Ok(config)
    }
}

fn joined<T>(mut first: Vec<T>, second: Vec<T>) -> Vec<T> {
    first.extend(second);
    first
}

/// A night's run must not end with the news that its result cannot be written.
fn check_targets(config: &RunConfig) -> Result<(), ConfigErrors> {
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
    let errors: Vec<ConfigError> = named.filter_map(|(what, path)| target_error(what, path)).collect();
    let errors: Vec<ConfigError> = errors.into_iter().chain(save_over_error(config)).collect();
    if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) }
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

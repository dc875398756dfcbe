//! The settings that one place gives: the file, the environment or the command line.
//!
//! The places are combined by [`Layers`](super::Layers) and become a [`RunConfig`], which adds the defaults. Keys are
//! declared by [`section!`](super::section); here are the parts of a file that are not single values. Plain values, usable
//! from any thread.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::argument::ArgumentRequest;
use super::code::Code;
use super::control::{
    ControlConfig, ControlSettings, HttpConfig, HttpSettings, KeyboardConfig, KeyboardSettings, NamesConfig,
    NamesSettings, WatchdogConfig, WatchdogSettings, default_timeouts,
};
use super::error::{ConfigError, ConfigErrors};
use super::pose::PoseRequest;
use super::recording;
use super::request::{BridgeRequest, PluginRequest};
use super::run::{RunConfig, RunSettings};
use super::sensor::{OverrideRequest, SensorRequest};
use super::services::{ServiceNames, default_names};
use super::world_value::ValueRequest;
use crate::plugin::SearchPath;
use crate::resources::Sources;
use crate::trigger::Trigger;

/// The settings that one place gives. `None` and an empty list mean that it gives none.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `[run]`.
    pub run: RunSettings,
    /// `[http]`.
    pub http: HttpSettings,
    /// `[control]`.
    pub control: ControlSettings,
    /// `[names]`.
    pub names: NamesSettings,
    /// `[keyboard]`.
    pub keyboard: KeyboardSettings,
    /// `[watchdog]`, without the timeouts.
    pub watchdog: WatchdogSettings,
    /// Timeouts of states of the lifecycle, by the name of their key.
    pub timeouts: BTreeMap<&'static str, Option<Duration>>,
    /// Other names of services, by their own.
    pub services: BTreeMap<&'static str, String>,
    /// Bridges to attach.
    pub bridges: Vec<BridgeRequest>,
    /// Plugins to attach.
    pub plugins: Vec<PluginRequest>,
    /// Sensors to add.
    pub sensors: Vec<SensorRequest>,
    /// Changes of sensors and plugins of the world.
    pub overrides: Vec<OverrideRequest>,
    /// Arguments of files that are xacro.
    pub arguments: Vec<ArgumentRequest>,
    /// Values of the world to set.
    pub values: Vec<ValueRequest>,
    /// Named poses.
    pub poses: Vec<PoseRequest>,
    /// Triggers.
    pub triggers: Vec<Trigger>,
    /// Whether triggers may run programs.
    pub enable_command_action: Option<bool>,
    /// Folders and files of worlds that clients can load.
    pub worlds: Option<Sources>,
    /// Folders that are searched for plugins.
    pub plugin_path: Vec<PathBuf>,
    /// Where each value stands, by section and key; flags and defaults have no place.
    pub places: BTreeMap<(&'static str, &'static str), String>,
}

impl Settings {
    /// Returns the defaults.
    #[must_use]
    pub fn defaults() -> Settings {
        Settings {
            run: RunSettings::of(RunConfig::default()),
            http: HttpSettings::of(HttpConfig::default()),
            control: ControlSettings::of(ControlConfig::default()),
            names: NamesSettings::of(NamesConfig::default()),
            keyboard: KeyboardSettings::of(KeyboardConfig::default()),
            watchdog: WatchdogSettings::of(WatchdogConfig::default()),
            timeouts: default_timeouts(),
            services: default_names(),
            ..Settings::default()
        }
    }

    /// Returns these settings combined with those of `below`, which apply if these give none. Lists of `below` come
    /// first, except for `plugin_path`, which is searched from above. The result has no places.
    #[must_use]
    pub(super) fn over(self, below: Settings) -> Settings {
        Settings {
            run: self.run.over(below.run),
            http: self.http.over(below.http),
            control: self.control.over(below.control),
            names: self.names.over(below.names),
            keyboard: self.keyboard.over(below.keyboard),
            watchdog: self.watchdog.over(below.watchdog),
            timeouts: overlaid(self.timeouts, below.timeouts),
            services: overlaid(self.services, below.services),
            bridges: joined(below.bridges, self.bridges),
            plugins: joined(below.plugins, self.plugins),
            sensors: joined(below.sensors, self.sensors),
            overrides: joined(below.overrides, self.overrides),
            arguments: joined(below.arguments, self.arguments),
            values: joined(below.values, self.values),
            poses: joined(below.poses, self.poses),
            triggers: joined(below.triggers, self.triggers),
            enable_command_action: self.enable_command_action.or(below.enable_command_action),
            worlds: self.worlds.or(below.worlds),
            plugin_path: joined(self.plugin_path, below.plugin_path),
            places: BTreeMap::new(),
        }
    }

    /// Returns the run that is requested.
    ///
    /// # Errors
    /// Returns an error if the folder of an output file does not exist, or two values contradict each other.
    pub(super) fn into_config(self, search: SearchPath) -> Result<RunConfig, ConfigErrors> {
        let mut errors = Vec::new();
        let mut config = RunConfig {
            bridges: self.bridges,
            plugins: self.plugins,
            sensors: self.sensors,
            overrides: self.overrides,
            arguments: self.arguments,
            values: self.values,
            poses: self.poses,
            search,
            triggers: self.triggers,
            enable_command_action: self.enable_command_action.unwrap_or_default(),
            worlds: self.worlds.unwrap_or_default(),
            services: ServiceNames::new(self.services).unwrap_or_else(|error| {
                errors.push(error);
                ServiceNames::default()
            }),
            ..RunConfig::default()
        };
        self.run.apply(&mut config);
        self.http.apply(&mut config.http);
        self.control.apply(&mut config.control);
        self.names.apply(&mut config.names);
        self.keyboard.apply(&mut config.keyboard);
        self.watchdog.apply(&mut config.watchdog);
        config.watchdog.timeouts.extend(self.timeouts);
        errors.extend(recording::attach(&mut config));
        errors.extend(config.http.contradiction());
        errors.extend(config.keyboard.contradiction());
        errors.extend(target_errors(&config));
        if errors.is_empty() { Ok(config) } else { Err(ConfigErrors(errors)) }
    }
}

/// Gives access to the values of each table of keys.
macro_rules! tables {
    ($( $field:ident: $given:ident, )*) => {$(
        impl AsRef<$given> for Settings {
            fn as_ref(&self) -> &$given {
                &self.$field
            }
        }

        impl AsMut<$given> for Settings {
            fn as_mut(&mut self) -> &mut $given {
                &mut self.$field
            }
        }
    )*};
}
tables! {
    run: RunSettings,
    http: HttpSettings,
    control: ControlSettings,
    names: NamesSettings,
    keyboard: KeyboardSettings,
    watchdog: WatchdogSettings,
}

fn joined<T>(mut first: Vec<T>, second: Vec<T>) -> Vec<T> {
    first.extend(second);
    first
}

fn overlaid<K: Ord, V>(above: BTreeMap<K, V>, mut below: BTreeMap<K, V>) -> BTreeMap<K, V> {
    below.extend(above);
    below
}

/// Checks every output file before the run: a long run must not lose its result at the end.
fn target_errors(config: &RunConfig) -> Vec<ConfigError> {
    let targets = [
        ("result", &config.result),
        ("world", &config.save),
        ("snapshot", &config.snapshot),
        ("hash log", &config.hash_log),
        ("record of commands", &config.record_commands),
        ("recording", &config.record),
        ("history of triggers", &config.trigger_history),
        ("JUnit file", &config.junit),
    ];
    let named = targets.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?)));
    named
        .filter_map(|(what, path)| target_error(what, path))
        .chain(save_over_error(config))
        .chain(save_values_error(config))
        .collect()
}

/// A saved world would refer to changed files that exist only in the memory of the run.
fn save_values_error(config: &RunConfig) -> Option<ConfigError> {
    let (target, value) = (config.save.as_deref()?, config.values.first()?);
    let found = format!(
        "the world cannot be saved to `{}`: the run sets `{}`",
        target.display(),
        value.assignment.path
    );
    let error = ConfigError::new(Code::TargetInvalid, found).at(value.place.clone());
    Some(error.hint("change the value in the file of the world, or leave out `save`"))
}

/// The file of the world itself is never overwritten.
fn save_over_error(config: &RunConfig) -> Option<ConfigError> {
    let (target, world) = (config.save.as_deref()?, config.world.as_deref()?);
    let is_same = target.canonicalize().ok()? == world.canonicalize().ok()?;
    is_same.then(|| {
        let found =
            format!("the world cannot be saved to `{}`: the run loads it from this file", target.display());
        ConfigError::new(Code::TargetInvalid, found)
            .hint("save under another name, and rename the file afterwards")
    })
}

fn target_error(what: &str, path: &Path) -> Option<ConfigError> {
    let found = format!("the {what} cannot be written to `{}`", path.display());
    if path.is_dir() || path.file_name().is_none() {
        let error = ConfigError::new(Code::TargetInvalid, format!("{found}: it is a folder"));
        return Some(error.hint("name a file in it"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let why = match std::fs::metadata(folder) {
        Ok(facts) if facts.is_dir() => return None,
        // The name of the system for this is "Permission denied": the folder may well be there.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            format!("`{}`: {error}", folder.display())
        }
        Ok(_) | Err(_) => format!("there is no folder `{}`", folder.display()),
    };
    Some(ConfigError::new(Code::TargetInvalid, format!("{found}: {why}")))
}

//! The places that configure a run, by precedence: flags, environment, file, defaults.
//!
//! They are kept apart until the end, so that the origin of each value is known. Plain values, usable from any thread.

use std::fmt;

use serde_json::Value;

use super::error::ConfigErrors;
use super::keys::Key;
use super::run::RunConfig;
use super::settings::Settings;
use crate::plugin::SearchPath;

/// The settings of each place.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// Those of the command line.
    pub flags: Settings,
    /// Those of environment variables.
    pub environment: Settings,
    /// Those of the configuration file.
    pub file: Settings,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// No place gives a value.
    Default,
    /// The configuration file, as `file:line`.
    File(String),
    /// An environment variable.
    Environment(String),
    /// A flag.
    Flag(&'static str),
}

impl Source {
    /// Returns the word used in JSON.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Source::Default => "default",
            Source::File(_) => "file",
            Source::Environment(_) => "environment",
            Source::Flag(_) => "flag",
        }
    }

    /// Returns the place, flag or variable; empty for a default.
    #[must_use]
    pub fn place(&self) -> &str {
        match self {
            Source::Default => "",
            Source::File(place) | Source::Environment(place) => place,
            Source::Flag(flag) => flag,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Source::Default { self.word() } else { self.place() })
    }
}

impl Layers {
    /// Returns the run that all places request together: a flag overrides the environment, the environment the file, and
    /// the file the default. Bridges and plugins of the file come before those of the flags.
    ///
    /// # Errors
    /// Returns an error if the folder of an output file does not exist, or two values contradict each other.
    pub fn into_config(self) -> Result<RunConfig, ConfigErrors> {
        let search = SearchPath::standard(&self.flags.plugin_path, &self.file.plugin_path);
        let merged = self.merged();
        let is_safe = merged.run.safe_mode == Some(true);
        merged.into_config(if is_safe { search.of_program() } else { search })
    }

    /// Returns all places combined, without defaults.
    #[must_use]
    pub fn merged(self) -> Settings {
        self.flags.over(self.environment.over(self.file))
    }

    /// Returns the value of a key and its origin; there is no value if the key has no default.
    #[must_use]
    pub fn value_of(&self, key: &Key) -> (Option<Value>, Source) {
        let place =
            |layer: &Settings| layer.places.get(&(key.section, key.name)).cloned().unwrap_or_default();
        if let (Some(value), Some(flag)) = (key.show(&self.flags), key.flag) {
            return (Some(value), Source::Flag(flag.name));
        }
        if let Some(value) = key.show(&self.environment) {
            return (Some(value), Source::Environment(place(&self.environment)));
        }
        if let Some(value) = key.show(&self.file) {
            return (Some(value), Source::File(place(&self.file)));
        }
        (key.show(&Settings::defaults()), Source::Default)
    }
}

//! The places where something is said about a run, one over the other: flags, environment, file, defaults.
//!
//! Keeps them apart until the end, so that the origin of each value is known. Plain values, usable from any thread.

use std::fmt;

use serde_json::Value;

use super::{ConfigErrors, Key, RunConfig, Settings};
use crate::plugin::SearchPath;

/// What was said, and where.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// On the command line.
    pub flags: Settings,
    /// In variables of the environment.
    pub environment: Settings,
    /// In the configuration file.
    pub file: Settings,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody said anything.
    Default,
    /// The configuration file, as `file:line`.
    File(String),
    /// A variable of the environment.
    Environment(String),
    /// A flag.
    Flag(&'static str),
}

impl Source {
    /// The word in JSON.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Source::Default => "default",
            Source::File(_) => "file",
            Source::Environment(_) => "environment",
            Source::Flag(_) => "flag",
        }
    }

    /// The place, flag or variable; empty for a default.
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
    /// The run that all of them ask for together: a flag wins over the environment, that over the file, and that over
    /// the default. Bridges and plugins of the file come before those of the flags.
    ///
    /// # Errors
    /// A file that is to be written has no folder to be in, or two values do not go together.
    pub fn into_config(self) -> Result<RunConfig, ConfigErrors> {
        let search = SearchPath::standard(&self.flags.plugin_path, &self.file.plugin_path);
        self.merged().into_config(search)
    }

    /// All of them together, without defaults.
    #[must_use]
    pub fn merged(self) -> Settings {
        self.flags.over(self.environment.over(self.file))
    }

    /// The value of a key and where it comes from; no value where nothing holds without one.
    #[must_use]
    pub fn value_of(&self, key: &Key) -> (Option<Value>, Source) {
        let place =
            |layer: &Settings| layer.places.get(&(key.section, key.name)).cloned().unwrap_or_default();
        if let Some(value) = key.show(&self.flags) {
            return (Some(value), Source::Flag(key.flag));
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

//! What a campaign asks of the host: facts that only the program knows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The run of one case, for questions about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The world.
    pub world: PathBuf,
    /// Bridges as `--bridge` takes them.
    pub bridges: Vec<String>,
    /// Keys of the configuration with their values.
    pub settings: Vec<(String, String)>,
    /// Paths of values of the world with their values.
    pub values: Vec<(String, String)>,
}

/// The configuration that all runs of a campaign begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The keys that can change a result, with their values: those of the file, the environment, and defaults.
    pub values: BTreeMap<String, String>,
    /// Everything else of the configuration that can change a result: bridges, plugins, sensors, triggers and the like.
    pub lists: serde_json::Value,
    /// Files that the configuration names as inputs, such as a snapshot to restore.
    pub files: Vec<PathBuf>,
    /// Keys that are set by environment variables, so that they are set on every machine.
    pub environment: Vec<(String, String)>,
}

/// What a run depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Files of the world, in the order of their first use.
    pub files: Vec<PathBuf>,
    /// Libraries of plugins and bridges.
    pub libraries: Vec<PathBuf>,
}

/// The program whose runs a campaign consists of. Errors are texts that begin with a code.
pub trait Host {
    /// Returns the file of the program.
    ///
    /// # Errors
    /// Returns an error if it cannot be found.
    fn program(&self) -> Result<PathBuf, String>;

    /// Returns the version of the program.
    fn version(&self) -> String;

    /// Returns the configuration that all runs begin with.
    ///
    /// # Errors
    /// Returns an error if the configuration has mistakes, or writes files that all runs would write.
    fn base(&self) -> Result<Base, String>;

    /// Returns the value of a key of the configuration in one form for all its spellings; `None` if there is no such key.
    ///
    /// # Errors
    /// Returns an error if the value is wrong, or a campaign cannot change this key.
    fn setting(&self, key: &str, value: &str) -> Option<Result<String, String>>;

    /// Returns the text that a value of a world has in its file.
    ///
    /// # Errors
    /// Returns an error if the path does not match exactly one value.
    fn value(&self, world: &Path, path: &str) -> Result<String, String>;

    /// Checks that a world can be used with these values, paths with texts.
    ///
    /// # Errors
    /// Returns an error if the world has a fault that it does not have without the values.
    fn check(&self, world: &Path, values: &[(String, String)]) -> Result<(), String>;

    /// Returns true if a value of the world can change which files or libraries a run uses.
    fn is_reference(&self, path: &str) -> bool;

    /// Returns what a run depends on.
    ///
    /// # Errors
    /// Returns an error if the world cannot be read, or something does not fit it.
    fn inputs(&self, request: &Request) -> Result<Inputs, String>;

    /// Returns the environment variables that determine where files are searched, with their values.
    fn search(&self) -> Vec<(String, String)>;
}

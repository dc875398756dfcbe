//! The arguments of `run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::flags::SettingFlags;
use super::xacro::XacroArguments;
use crate::config::{ConfigErrors, Settings, bridge_argument, set_argument};

/// The arguments of `run`.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct RunArguments {
    /// Attach a bridge; may be given several times
    ///
    /// WHERE is `world`, the name of a vehicle or a pattern such as `car*`, or `*` for the world and every vehicle.
    /// NAME is a bridge from `bridgehead plugin list`. CONNECTION is passed to the bridge unchanged: the argument is
    /// split only at its first `=` and the first `:` after it.
    #[arg(long = "bridge", value_name = "WHERE=NAME:CONNECTION")]
    pub(in crate::cli) bridges: Vec<OsString>,
    /// Set a value of the world by its path, such as `world.model[robot].link[base].inertial.mass=2`; may be given several times
    ///
    /// The names of elements are separated by dots. A name or a number from 0 in brackets chooses among elements of the
    /// same kind, and `.@NAME` at the end is an attribute. A path also reaches into included models. The file of the
    /// world stays as it is.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(in crate::cli) values: Vec<OsString>,
    #[command(flatten)]
    pub(in crate::cli) xacro: XacroArguments,
    /// Folder or file to search for plugins before all others; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) plugin_path: Vec<PathBuf>,
    /// Read a configuration file; flags override its values
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Open the page of the run in the browser
    #[arg(long)]
    pub(in crate::cli) open: bool,
    #[command(flatten)]
    pub(in crate::cli) flags: SettingFlags,
}

impl RunArguments {
    /// Returns the settings of the flags, and the errors of those whose values are wrong.
    pub(in crate::cli) fn settings(&self) -> (Settings, Result<(), ConfigErrors>) {
        let mut errors = Vec::new();
        let mut settings = Settings { plugin_path: self.plugin_path.clone(), ..Settings::default() };
        for bridge in &self.bridges {
            match bridge_argument(bridge) {
                Ok(bridge) => settings.bridges.push(bridge),
                Err(error) => errors.push(error.at("--bridge")),
            }
        }
        settings.arguments = self.xacro.requests();
        for value in &self.values {
            match set_argument(value) {
                Ok(value) => settings.values.push(value),
                Err(error) => errors.push(error.at("--set")),
            }
        }
        errors.extend(self.flags.read(&mut settings));
        (settings, if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) })
    }
}

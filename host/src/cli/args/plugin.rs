//! The arguments of `plugin`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

const AFTER_NEW_HELP: &str = "\
Examples:
  bridgehead plugin new my_radar --kind sensor
  bridgehead plugin new my_bridge --kind bridge --lang c --id com.example.bridge.my_bridge

Exit codes:
  0  the folder is complete
  1  nothing was written; the message says why";

const AFTER_PROBE_HELP: &str = "\
Exit codes:
  0  every plugin loads, and instances can be created
  1  a plugin was refused
  2  a plugin crashed
  3  a plugin did not finish in time
  4  the arguments are wrong, or there is nothing to probe
  For several files, the highest code counts.";

const AFTER_VALIDATE_HELP: &str = "\
Examples:
  bridgehead plugin validate target/release/libmy_radar.so
  bridgehead plugin validate libmy_drive.so --world car.sdf
  bridgehead plugin validate libmy_bridge.so --connection 127.0.0.1:9000 --junit report.xml

Exit codes:
  0  every case passed or was skipped
  1  a case failed
  2  a plugin crashed
  3  a plugin did not finish in time
  4  nothing to validate, or the program could not do it";

/// What a plugin does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PluginKind {
    /// Carries messages between the host and a middleware
    Bridge,
    /// Measures in a world
    Sensor,
    /// Moves a model
    Controller,
}

/// The language of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PluginLanguage {
    /// Built with cargo
    Rust,
    /// C99, built with CMake
    C,
    /// C++17, built with CMake
    Cpp,
    /// Python 3.11 or newer, in a process of its own
    Python,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct NewArguments {
    /// Name of the plugin, as users write it in worlds and on the command line: small letters, digits and underscores
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: String,
    /// What it does
    #[arg(long, value_enum)]
    pub(in crate::cli) kind: PluginKind,
    /// Its language
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value = "rust")]
    pub(in crate::cli) lang: PluginLanguage,
    /// Folder to write, which must not exist; default: NAME
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) path: Option<PathBuf>,
    /// Unique id, a reverse domain name; default: org.example.KIND.NAME
    #[arg(long, value_name = "ID")]
    pub(in crate::cli) id: Option<String>,
    /// Who makes it
    #[arg(long, value_name = "NAME", default_value = "Example")]
    pub(in crate::cli) vendor: String,
    /// SDK for Rust: the folder `plugin-api` of the sources, or `share/bridgehead/sdk` of an installation; default: the one
    /// beside this program
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) sdk: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum PluginCommand {
    /// Write the folder of a new plugin, which builds, tests itself and runs
    #[command(after_help = AFTER_NEW_HELP)]
    New(NewArguments),
    /// List the plugins that a run would find, and the refused files
    List(ListArguments),
    /// Test that plugins keep the rules of the host
    ///
    /// Each case is a run in a process of its own: two equal runs, a pause, resets, a snapshot, a process for the plugin alone,
    /// invalid connection strings. What the host finds is printed with its code and what to try.
    #[command(after_help = AFTER_VALIDATE_HELP)]
    Validate(ValidateArguments),
    /// Print what a file says of itself, without running it
    Info(InfoArguments),
    /// Load plugins in a separate process to check that they can be loaded
    #[command(after_help = AFTER_PROBE_HELP)]
    Probe(ProbeArguments),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArguments {
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Folder or file to search for plugins before all others; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) plugin_path: Vec<PathBuf>,
    /// Also search the folders of a configuration file
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ProbeArguments {
    /// Plugins, or folders with plugins
    #[arg(required = true, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Longest time for each plugin
    #[arg(long, value_name = "TIME", default_value = "5s")]
    pub(in crate::cli) timeout: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ValidateArguments {
    /// Plugins, or folders with plugins
    #[arg(required = true, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// A world that contains the plugin, for one that needs certain parameters, links or joints
    #[arg(long, value_name = "FILE.sdf", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) world: Option<PathBuf>,
    /// A connection string for a bridge; default: an empty text
    #[arg(long, value_name = "CONNECTION")]
    pub(in crate::cli) connection: Option<String>,
    /// Folder or file with other plugins that the world needs; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) plugin_path: Vec<PathBuf>,
    /// Longest time for each run
    #[arg(long, value_name = "TIME", default_value = "30s")]
    pub(in crate::cli) timeout: String,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE.xml", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) junit: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct InfoArguments {
    /// A plugin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

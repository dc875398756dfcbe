//! The arguments of commands that inspect a run without running it.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::run::RunArguments;
use super::xacro::XacroArguments;

/// The arguments of `check`.
#[derive(Debug, Args)]
pub(in crate::cli) struct CheckFilesArguments {
    /// Configuration files (`.toml`), and worlds
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Print a line of JSON for each file
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Folder or file to search for plugins before all others; may be given several times
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) plugin_path: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) xacro: XacroArguments,
}

/// The arguments of `dump`.
#[derive(Debug, Args)]
pub(in crate::cli) struct DumpArguments {
    #[command(flatten)]
    pub(in crate::cli) run: RunArguments,
    /// Print JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

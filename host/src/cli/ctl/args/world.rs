//! Arguments of the commands about worlds and resources.

use clap::{Args, ValueHint};

use super::entity::Tags;

/// Folders to search.
#[derive(Debug, Args)]
pub(in crate::cli) struct Sources {
    /// Also search this folder or file of the host; may be given several times
    #[arg(long = "source", value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) sources: Vec<String>,
}

/// The arguments of `worlds`.
#[derive(Debug, Args)]
pub(in crate::cli) struct WorldsArguments {
    #[command(flatten)]
    pub(in crate::cli) sources: Sources,
    #[command(flatten)]
    pub(in crate::cli) tags: Tags,
    /// Report sources that cannot be read, and list the others
    #[arg(long)]
    pub(in crate::cli) continue_on_error: bool,
}

/// The arguments of `load`.
#[derive(Debug, Args)]
pub(in crate::cli) struct LoadArguments {
    /// World, as the host finds it: a path, a name, `file://`
    #[arg(value_name = "RESOURCE", required_unless_present = "string", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) resource: Option<String>,
    /// Send the text of a local file instead; `-` for standard input
    #[arg(long, value_name = "FILE|-", conflicts_with = "resource", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) string: Option<String>,
    /// Refuse a world with elements that are not simulated
    #[arg(long)]
    pub(in crate::cli) fail_on_unsupported: bool,
    /// Ignore meshes that are missing or cannot be read
    #[arg(long)]
    pub(in crate::cli) ignore_missing_assets: bool,
}

/// The arguments of `save` and `snapshot`.
#[derive(Debug, Args)]
pub(in crate::cli) struct SaveArguments {
    /// File, relative to the output folder of the host
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) path: String,
    /// Overwrite an existing file of the same kind
    #[arg(long)]
    pub(in crate::cli) overwrite: bool,
}

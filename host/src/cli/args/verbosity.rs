//! How much is said: `-v` and `-q`. Main thread.

use clap::{ArgAction, Args};

/// Flags for the amount of output.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct Verbosity {
    /// Print more: -v for details, -vv for everything
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "quiet", display_order = 900)]
    pub(in crate::cli) verbose: u8,
    /// Print less: -q for warnings and the summary, -qq for errors only
    #[arg(short, long, action = ArgAction::Count, global = true, display_order = 901)]
    pub(in crate::cli) quiet: u8,
}

impl Verbosity {
    pub(in crate::cli) fn quiet(&self) -> Quiet {
        match self.quiet {
            0 => Quiet::Nothing,
            1 => Quiet::Progress,
            _ => Quiet::Everything,
        }
    }
}

/// The output of a run that is suppressed, besides log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Quiet {
    /// Nothing.
    Nothing,
    /// Progress and status.
    Progress,
    /// Progress, status and the summary.
    Everything,
}

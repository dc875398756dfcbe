//! How much is said: `-v` and `-q`. Main thread.

use clap::{ArgAction, Args};

/// How much is said.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct Verbosity {
    /// Say more: -v for details, -vv for everything
    #[arg(short, long, action = ArgAction::Count, global = true, conflicts_with = "quiet", display_order = 900)]
    pub(in crate::cli) verbose: u8,
    /// Say less: -q for warnings and the summary, -qq for errors alone
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

/// What is left out of what a run prints, besides log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Quiet {
    /// Nothing is left out.
    Nothing,
    /// Progress and status.
    Progress,
    /// The summary too.
    Everything,
}

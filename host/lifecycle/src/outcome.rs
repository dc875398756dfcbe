//! How a run ended, why, and the exit code of the process. Which outcome a transition decides is in
//! `machine`; the loop writes the result file. Plain values, usable from any thread.

use std::fmt;

use super::event::Cause;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The run was declared a success.
    Success,
    /// The run ended on request, without a decision, perhaps before it began.
    Stopped,
    /// The run was declared a failure.
    Failure,
    /// The run was cancelled by an error or by an abort request.
    Aborted,
    /// The run never began: load, connect or start failed or was aborted.
    NotStarted,
    /// The configuration or the world file is invalid.
    ConfigurationError,
    /// Only a list of what is available was requested.
    Probed,
}

impl Outcome {
    /// The exit code of the process; the values are Cloe's.
    ///
    /// `require_success` is `--require-success`: a run that was only stopped then counts as unsuccessful.
    #[must_use]
    pub fn exit_code(self, require_success: bool) -> u8 {
        match self {
            Self::Success | Self::Probed => 0,
            Self::Stopped if require_success => 8,
            Self::Stopped => 0,
            Self::Failure => 9,
            Self::Aborted => 16,
            Self::NotStarted => 4,
            Self::ConfigurationError => 1,
        }
    }

    /// The name in the result file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Stopped => "stopped",
            Self::Failure => "failure",
            Self::Aborted => "aborted",
            Self::NotStarted => "no-start",
            Self::ConfigurationError => "configuration-error",
            Self::Probed => "probing",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An outcome and its cause.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// How the run ended.
    pub outcome: Outcome,
    /// What decided it.
    pub cause: Cause,
}

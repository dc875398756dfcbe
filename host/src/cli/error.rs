//! Why a command ends before it could do its work, and how that is said.

use std::io;

use crate::config::ConfigErrors;
use crate::control::OfferError;
use crate::sim::SimError;

use super::finding::finding;

/// What keeps a command from its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What was asked for cannot be understood, or its result cannot be written.
    #[error(transparent)]
    Configuration(#[from] ConfigErrors),
    /// The operating system refused something.
    #[error("error: {what}: {source}")]
    System {
        /// What could not be done.
        what: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// The run cannot begin.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Run(#[from] SimError),
    /// The run cannot be controlled from outside.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Control(#[from] OfferError),
}

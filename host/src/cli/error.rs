//! Errors that end a command before it could do its work.

use std::io;

use crate::config::{ConfigError, ConfigErrors};
use crate::control::OfferError;
use crate::recording::RecordingError;
use crate::resources::ResourceError;
use crate::sim::SimError;
use crate::step_channel::OpenError;
use crate::web::WebError;

use super::finding::finding;

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The configuration is wrong, or the result cannot be written.
    #[error(transparent)]
    Configuration(#[from] ConfigErrors),
    /// The operating system refused something.
    #[error("error: {what}: {source}")]
    System {
        /// The operation that failed.
        what: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The run cannot begin.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Run(#[from] SimError),
    /// There is no such world.
    #[error("{}", finding("error", "", &.0.to_string()))]
    World(#[from] ResourceError),
    /// The run cannot be controlled from outside.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Control(#[from] OfferError),
    /// The recording cannot be shown.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Recording(#[from] RecordingError),
    /// The step channel cannot be opened.
    #[error("{}", finding("error", "", &.0.to_string()))]
    StepChannel(#[from] OpenError),
    /// The server cannot be started.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Web(#[from] WebError),
}

impl CliError {
    /// Returns the errors as a result file lists them: `[CODE] place: text`.
    pub(super) fn findings(&self) -> Vec<String> {
        match self {
            CliError::Configuration(errors) => errors.0.iter().map(one_line).collect(),
            CliError::System { what, source } => vec![format!("{what}: {source}")],
            CliError::Run(error) => vec![error.to_string()],
            CliError::World(error) => vec![error.to_string()],
            CliError::Control(error) => vec![error.to_string()],
            CliError::Recording(error) => vec![error.to_string()],
            CliError::StepChannel(error) => vec![error.to_string()],
            CliError::Web(error) => vec![error.to_string()],
        }
    }
}

fn one_line(error: &ConfigError) -> String {
    let gap = if error.place.is_empty() { "" } else { ": " };
    format!("[{}] {}{gap}{}", error.code, error.place, error.found)
}

//! Why a command ends before it could do its work, and how that is said.

use std::io;

use crate::config::{ConfigError, ConfigErrors};
use crate::control::OfferError;
use crate::sim::SimError;
use crate::web::WebError;

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
    /// There is no server where one is asked for.
    #[error("{}", finding("error", "", &.0.to_string()))]
    Web(#[from] WebError),
}

impl CliError {
    /// What is wrong, one text each, as results have it: `[CODE] place: text`.
    pub(super) fn findings(&self) -> Vec<String> {
        match self {
            CliError::Configuration(errors) => errors.0.iter().map(one_line).collect(),
            CliError::System { what, source } => vec![format!("{what}: {source}")],
            CliError::Run(error) => vec![error.to_string()],
            CliError::Control(error) => vec![error.to_string()],
            CliError::Web(error) => vec![error.to_string()],
        }
    }
}

fn one_line(error: &ConfigError) -> String {
    let gap = if error.place.is_empty() { "" } else { ": " };
    format!("[{}] {}{gap}{}", error.code, error.place, error.found)
}

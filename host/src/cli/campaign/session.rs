//! A command in progress.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bridgehead_campaign::CampaignError;

use crate::cli::args::verbosity::Quiet;
use crate::cli::console::Console;
use crate::cli::finding::finding;

/// A command in progress.
pub(super) struct Session {
    pub(super) console: &'static Console,
    pub(super) quiet: Quiet,
    pub(super) stop: Arc<AtomicBool>,
}

impl Session {
    /// Prints an error, each of several in its own lines. Indented lines belong to the one before them.
    pub(super) fn complain(&self, error: &CampaignError) {
        for line in error.to_string().lines() {
            let is_more = line.starts_with(' ');
            let line = if is_more { line.to_owned() } else { finding("error", "", line).to_string() };
            self.console.line(&line);
        }
    }
}

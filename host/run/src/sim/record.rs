//! The record of a run: errors, output files, the last state hash, and results of removed plugins.
//!
//! All of it outlives the worlds of the run. Belongs to the simulation thread.

use super::files::RunFiles;
use crate::bus::{Delivery, Moment, Topic};
use crate::model_plugin::{NOT_STARTED, Removed};
use crate::report::PluginResult;
use crate::world::names::UnsupportedNames;

/// Maximum number of errors in the result. The log has all of them.
const MAX_ERRORS: usize = 1000;

/// The record of a run, for its result.
pub(super) struct Record {
    errors: Vec<String>,
    files: RunFiles,
    /// A file that the configuration requests could not be written.
    has_unwritten: bool,
    /// Number of errors because of which parts of a world are missing.
    losses: usize,
    state_hash: u64,
    /// Results of removed plugin instances.
    removed: Vec<PluginResult>,
    /// Name of the world that was loaded last.
    pub(super) world: String,
    /// Unsupported names of that world.
    pub(super) unsupported: UnsupportedNames,
}

impl Record {
    pub(super) fn new(files: RunFiles, errors: Vec<String>) -> Self {
        Record {
            errors,
            files,
            has_unwritten: false,
            losses: 0,
            state_hash: 0,
            removed: Vec::new(),
            world: String::new(),
            unsupported: UnsupportedNames::default(),
        }
    }

    /// Returns the errors so far, in order.
    pub(super) fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Logs an error and keeps it for the result.
    pub(super) fn error(&mut self, text: String) {
        log::error!("{text}");
        self.keep_error(text);
    }

    /// Keeps an error that is in the log already.
    pub(super) fn keep_error(&mut self, text: String) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(text);
        }
    }

    /// Keeps the error that a part of the world is missing, which is in the log already. It does not count if whoever
    /// loaded the world accepts it, and once if the world is loaded again.
    pub(super) fn lost(&mut self, text: String, is_accepted: bool) {
        if !is_accepted && !self.errors.contains(&text) {
            self.losses += 1;
        }
        self.keep_error(text);
    }

    /// Returns the number of errors because of which parts of a world are missing that nobody has accepted.
    pub(super) fn losses(&self) -> usize {
        self.losses
    }

    /// Logs that a file that the configuration requests could not be written, and keeps it for result and exit code.
    pub(super) fn unwritten(&mut self, text: String) {
        self.has_unwritten = true;
        self.error(text);
    }

    /// Returns true if a file that the configuration requests could not be written.
    pub(super) fn has_unwritten(&self) -> bool {
        self.has_unwritten
    }

    /// Keeps the results of removed plugin instances, and reports those that could not be destroyed.
    pub(super) fn removed(&mut self, removed: Removed) {
        for problem in removed.problems {
            self.error(problem);
        }
        for result in removed.results {
            self.keep_result(result);
        }
    }

    /// Keeps one result for each label, which several instances have if a vehicle is spawned again and again: the last
    /// one, or the last failure.
    fn keep_result(&mut self, result: PluginResult) {
        let is_same =
            |known: &&mut PluginResult| known.label == result.label && known.plugin == result.plugin;
        match self.removed.iter_mut().find(is_same) {
            None => self.removed.push(result),
            Some(known) if result.failure.is_empty() && !known.failure.is_empty() => {
                known.lost += result.lost
            }
            Some(known) => *known = PluginResult { lost: known.lost + result.lost, ..result },
        }
    }

    /// Returns the results of removed plugin instances.
    pub(super) fn removed_plugins(&self) -> &[PluginResult] {
        &self.removed
    }

    /// Returns the state hash of the last step for which it was computed.
    pub(super) fn state_hash(&self) -> u64 {
        self.state_hash
    }

    pub(super) fn set_state_hash(&mut self, hash: u64) {
        self.state_hash = hash;
    }

    /// Returns true if every step writes its state hash.
    pub(super) fn wants_hashes(&self) -> bool {
        self.files.wants_hash()
    }

    /// Writes the state hash of a step.
    pub(super) fn write_hash(&mut self, now: Moment, hash: u64) {
        self.state_hash = hash;
        if let Some(problem) = self.files.write_hash(now, hash) {
            self.unwritten(problem);
        }
    }

    /// Returns true if received commands are written.
    pub(super) fn wants_commands(&self) -> bool {
        self.files.records_commands()
    }

    /// Writes a received command.
    pub(super) fn write_command(&mut self, topic: &Topic, delivery: &Delivery) {
        if let Some(problem) = self.files.write_command(topic, delivery) {
            self.unwritten(problem);
        }
    }

    /// Writes the buffers of the output files.
    pub(super) fn flush(&mut self) {
        for problem in self.files.flush() {
            self.unwritten(problem);
        }
    }
}

/// Returns the error of a plugin that could not start.
pub(super) fn plugin_is_not_started(label: &str, reason: &str) -> String {
    format!("[{NOT_STARTED}] plugin `{label}` could not start: {reason}")
}

/// Returns the error of a plugin whose call failed.
pub(super) fn plugin_is_disabled(name: &str, reason: &str) -> String {
    format!("[BH-PLG-095] plugin `{name}` is disabled: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watchdog::Timing;

    fn removed(failure: &str) -> Removed {
        let result = PluginResult {
            label: "car/imu".to_owned(),
            plugin: "imu".to_owned(),
            failure: failure.to_owned(),
            lost: 2,
            timing: Timing::default(),
        };
        Removed { results: vec![result], ..Removed::default() }
    }

    #[test]
    fn of_instances_with_one_label_the_last_counts_but_a_failure_is_kept() {
        let mut record = Record::new(RunFiles::default(), Vec::new());
        for failure in ["", "", "too hot", ""] {
            record.removed(removed(failure));
        }
        let found = record.removed_plugins().iter().map(|result| (result.failure.as_str(), result.lost));
        // What was lost is added up.
        assert_eq!(found.collect::<Vec<_>>(), [("too hot", 8)]);
    }

    #[test]
    fn errors_are_bounded() {
        let mut record = Record::new(RunFiles::default(), Vec::new());
        for number in 0..2 * MAX_ERRORS {
            record.keep_error(number.to_string());
        }
        assert_eq!(record.errors().len(), MAX_ERRORS);
        assert_eq!(record.errors().first().map(String::as_str), Some("0"));
    }
}

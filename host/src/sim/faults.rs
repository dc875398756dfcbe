//! What goes wrong in a run: kept for the result, and acted on as the configuration wishes.

use bridgehead_lifecycle::{Cause, Interrupt, Request};

use super::Simulation;
use crate::config::FailurePolicy;
use crate::model_plugin::Fault;

/// Errors that the result holds. The log has all of them; a host that runs for months must not drown in its past.
const MOST_ERRORS: usize = 1000;

impl Simulation {
    /// Logs an error and keeps it for the result.
    pub(super) fn note_error(&mut self, text: String) {
        log::error!("{text}");
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(text);
        }
    }

    /// Acts on what plugins' calls led to.
    pub(super) fn handle_faults(&mut self, faults: Vec<(String, Fault)>) {
        for (name, fault) in faults {
            match fault {
                Fault::Requested(interrupt, reason) => {
                    self.shared.asks.push(Request::new(interrupt, Cause::Plugin { name, reason }));
                }
                Fault::Failed(reason) => {
                    self.note_error(plugin_is_out(&name, &reason));
                    let wish = match self.config.on_failure {
                        FailurePolicy::Continue => continue,
                        FailurePolicy::Pause => Interrupt::Pause,
                        FailurePolicy::Abort => Interrupt::Abort,
                    };
                    self.shared.asks.push(Request::new(wish, Cause::Plugin { name, reason }));
                }
            }
        }
    }
}

/// What the log says of a plugin whose call failed.
pub(super) fn plugin_is_out(name: &str, reason: &str) -> String {
    format!("[BH-PLG-095] plugin `{name}` is out: {reason}")
}

//! Failures of plugins: what is kept of them, and what follows.

use bridgehead_lifecycle::{Cause, Interrupt, Request};

use super::record::plugin_is_disabled;
use super::simulation::Simulation;
use crate::call;
use crate::config::FailurePolicy;
use crate::model_plugin::Fault;

impl Simulation {
    /// Keeps the errors that instances reported outside of their calls, which are in the log already.
    pub(super) fn keep_reported_errors(&mut self) {
        for text in self.shared.reported.take().into_iter().chain(call::take_breaches()) {
            self.record.keep_error(text);
        }
    }

    /// Handles failures of plugin calls as configured, and passes on the requests of plugins.
    pub(super) fn handle_faults(&mut self, faults: Vec<(String, Fault)>) {
        for (name, fault) in faults {
            let (interrupt, reason) = match fault {
                Fault::Requested(interrupt, reason) => (interrupt, reason),
                Fault::Failed(reason) | Fault::FailedToLoad(reason) => {
                    self.record.error(plugin_is_disabled(&name, &reason));
                    let interrupt = match self.config.on_failure {
                        FailurePolicy::Continue => continue,
                        FailurePolicy::Pause => Interrupt::Pause,
                        FailurePolicy::Abort => Interrupt::Abort,
                    };
                    (interrupt, reason)
                }
            };
            self.shared.requests.push(Request::new(interrupt, Cause::Plugin { name, reason }));
        }
    }
}

/// Returns the first plugin that failed, as a cause.
pub(super) fn failed_plugin(faults: &[(String, Fault)]) -> Option<Cause> {
    faults.iter().find_map(|(name, fault)| match fault {
        Fault::Failed(reason) => Some(Cause::Plugin { name: name.clone(), reason: reason.clone() }),
        Fault::FailedToLoad(_) | Fault::Requested(..) => None,
    })
}

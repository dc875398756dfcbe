//! The end of an instance: what is called last, and what is said of those that do not end, or not well.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_abi::status;

use super::{BridgeInstance, lock, raw_of};
use crate::bridge::attendant::Pending;
use crate::bridge::endpoints::abandon;
use crate::bridge::loops::Loops;
use crate::bridge::phase::Phase;
use crate::crash;

/// How long disconnecting and destroying may take in all.
const END_DEADLINE: Duration = Duration::from_secs(12);

/// How the end of an instance went.
pub(in crate::bridge) struct End {
    /// Names of threads that did not end.
    left: Vec<String>,
    /// Why `disconnect` failed.
    failure: Option<String>,
}

/// What is said of a thread that did not end.
pub(super) fn is_left(thread: &str) -> String {
    format!("[BH-BRG-015] thread {thread} did not end")
}

impl BridgeInstance {
    /// Begins the end: loops, connection, endpoints and instance go, in this order. [`Self::ended`] waits.
    pub(in crate::bridge) fn begin_end(&mut self) -> Pending<End> {
        let before = std::mem::replace(&mut self.phase, Phase::Ended);
        let calls_disconnect = matches!(before, Phase::Connecting { .. } | Phase::Connected);
        self.queue.close();
        self.context.shared.lockstep.forget(self.id);
        let (raw, context) = (self.raw, Arc::clone(&self.context));
        let (loops, endpoints) = (Arc::clone(&self.loops), Arc::clone(&self.endpoints));
        self.attendant.post(move || {
            let running = lock(&loops).take();
            let mut left = running.map(Loops::stop).unwrap_or_default();
            left.extend(context.threads.stop(Duration::from_secs(2)));
            let mut failure = None;
            if calls_disconnect {
                // SAFETY: this is the instance's main thread, its loops have ended.
                let code = crash::during(&context.label, "disconnect", || unsafe {
                    (raw_of(&raw).disconnect)(raw_of(&raw).ctx)
                });
                if code < 0 {
                    let why = context.take_explanation();
                    failure = Some(why.unwrap_or_else(|| status::name(code).to_owned()));
                }
            }
            let endpoints = std::mem::take(&mut *lock(&endpoints));
            if left.is_empty() {
                drop(endpoints);
                // SAFETY: the last call on this instance; no thread of it is left.
                unsafe { (raw_of(&raw).destroy)(raw_of(&raw).ctx) };
            } else {
                abandon(endpoints, &context);
            }
            End { left, failure }
        })
    }

    /// Waits, and says what did not end, or not well.
    pub(in crate::bridge) fn ended(&mut self, end: &Pending<End>, deadline: Instant) -> Vec<String> {
        let time = deadline.saturating_duration_since(crate::clock::now());
        self.context.shared.watchdog.waits_for(vec![format!("the end of `{}`", self.label)]);
        match end.wait(time) {
            Some(End { left, failure }) => {
                self.attendant.finish(Duration::from_secs(1));
                self.context.shared.watchdog.forget(self.watched);
                let threads = left.iter().map(|name| is_left(name));
                let failure = failure.map(|reason| {
                    self.failure.clone_from(&reason);
                    format!("[BH-BRG-014] bridge `{}` failed to disconnect: {reason}", self.label)
                });
                threads.chain(failure).collect()
            }
            None => {
                // The hung thread still uses the context: keep it as long as the process.
                #[expect(clippy::mem_forget, reason = "a hung plugin call may still use its context")]
                std::mem::forget(Arc::clone(&self.context));
                vec![format!(
                    "[BH-BRG-016] bridge `{}` hangs in its last calls and was left alone",
                    self.label
                )]
            }
        }
    }

    /// When the end counts as hung.
    pub(in crate::bridge) fn end_deadline(now: Instant) -> Instant {
        now + END_DEADLINE
    }
}

//! Termination of an instance: stops its loops, disconnects and destroys it, and reports what failed or did not return.
//! The calls run on the instance thread; the simulation thread waits with a deadline.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_abi::status;

use super::BridgeInstance;
use crate::bridge::endpoints::leak;
use crate::bridge::instance_thread::{Pending, unfinished_thread};
use crate::bridge::loops::Loops;
use crate::bridge::phase::Phase;
use crate::call;
use crate::thread::lock;

/// Time limit for disconnecting and destroying together.
const TERMINATION_DEADLINE: Duration = Duration::from_secs(12);

/// Result of a termination.
pub(in crate::bridge) struct Termination {
    /// Names of threads that are still running.
    unfinished: Vec<String>,
    /// Why `disconnect` failed.
    failure: Option<String>,
}

impl BridgeInstance {
    /// Starts the termination of loops, connection, endpoints and instance, in this order. [`Self::finish_termination`]
    /// waits for it.
    pub(in crate::bridge) fn begin_termination(&mut self) -> Pending<Termination> {
        let before = self.enter(Phase::Ended);
        self.context.shared.bridges.remove(self.id);
        let calls_disconnect = matches!(before, Phase::Connecting { .. } | Phase::Connected);
        self.queue.close();
        self.late.clear();
        self.context.shared.lockstep.forget(self.id);
        let (raw, context) = (self.raw, Arc::clone(&self.context));
        let (loops, endpoints) = (Arc::clone(&self.loops), Arc::clone(&self.endpoints));
        self.instance_thread.enqueue(move || {
            let running = lock(&loops).take();
            let mut unfinished = running.map(Loops::stop).unwrap_or_default();
            unfinished.extend(context.threads.stop(Duration::from_secs(2)));
            let mut failure = None;
            if calls_disconnect {
                // This is the instance's main thread, its loops have ended.
                let code = call::during(&context.label, "disconnect", || raw.disconnect());
                if code < 0 {
                    let why = context.take_explanation();
                    failure = Some(why.unwrap_or_else(|| status::name(code).to_owned()));
                }
            }
            let endpoints = std::mem::take(&mut *lock(&endpoints));
            if unfinished.is_empty() {
                drop(endpoints);
                // SAFETY: the last call on this instance; no thread of it is left.
                let destroy = || unsafe { raw.destroy() };
                call::during(&context.label, "destroy", destroy);
                context.retire();
            } else {
                leak(endpoints, &context);
            }
            Termination { unfinished, failure }
        })
    }

    /// Waits for a termination and returns one message for each problem.
    pub(in crate::bridge) fn finish_termination(
        &mut self,
        termination: &Pending<Termination>,
        deadline: Instant,
    ) -> Vec<String> {
        let time = deadline.saturating_duration_since(crate::clock::now());
        self.context.shared.watchdog.waits_for(vec![format!("the end of `{}`", self.label)]);
        match termination.wait(time) {
            Some(Termination { unfinished, failure }) => {
                // A `connect` that returned during the termination may have held the run.
                self.context.shared.lockstep.forget(self.id);
                self.instance_thread.finish(Duration::from_secs(1));
                self.context.shared.watchdog.forget(self.watched);
                let threads = unfinished.iter().map(|name| unfinished_thread(name));
                let failure = failure.map(|reason| {
                    self.failure.clone_from(&reason);
                    format!("[BH-BRG-014] bridge `{}` failed to disconnect: {reason}", self.label)
                });
                threads.chain(failure).collect()
            }
            None => {
                self.context.shared.lockstep.abandon(self.id);
                // The thread still uses the context: keep it as long as the process.
                #[expect(clippy::mem_forget, reason = "the running plugin call may still use its context")]
                std::mem::forget(Arc::clone(&self.context));
                vec![format!(
                    "[BH-BRG-016] bridge `{}` does not return from its last calls and was left running",
                    self.label
                )]
            }
        }
    }

    /// The time at which a termination that began at `now` counts as not responding.
    pub(in crate::bridge) fn termination_deadline(now: Instant) -> Instant {
        now + TERMINATION_DEADLINE
    }
}

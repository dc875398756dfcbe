//! The threads of an instance.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::thread::{Named, Unjoined};

/// The threads an instance made.
#[derive(Debug, Default)]
pub struct InstanceThreads {
    pub(in crate::api) running: Mutex<Vec<Named<()>>>,
    /// Names of those that did not end when they were told to.
    left: Mutex<Vec<String>>,
    pub(in crate::api) should_stop: AtomicBool,
}

impl InstanceThreads {
    /// Tells the threads to end and joins them, all within `deadline`. Gives the names of those that go on, also from
    /// earlier calls: what they use must not go away.
    pub fn stop(&self, deadline: Duration) -> Vec<String> {
        self.should_stop.store(true, Ordering::Relaxed);
        let threads = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        let end = crate::clock::now() + deadline;
        let deaf = threads.into_iter().filter_map(|thread| {
            let name = thread.name().to_owned();
            let ended = thread.join(end.saturating_duration_since(crate::clock::now()));
            (ended == Err(Unjoined::StillRunning)).then_some(name)
        });
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(deaf);
        left.clone()
    }

    /// Lets threads run again, for a restart.
    pub fn allow(&self) {
        self.should_stop.store(false, Ordering::Relaxed);
    }
}

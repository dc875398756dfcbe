//! `bridgehead.threads/1` of a test: threads that are named, counted and joined with a deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use bridgehead_abi::{Status, status};

use super::host::{Shared, TestHost, lock};
use crate::hosting::{Job, ThreadsHost};

/// The plugin's threads.
#[derive(Default)]
pub(super) struct ThreadRecord {
    running: Vec<Tracked<()>>,
    should_stop: bool,
}

/// A thread that says when its body has ended, so that waiting for it can have a deadline.
pub(super) struct Tracked<T> {
    name: String,
    has_ended: Arc<AtomicBool>,
    handle: JoinHandle<T>,
}

impl<T: Send + 'static> Tracked<T> {
    pub(super) fn spawn(
        shared: &'static Shared,
        name: String,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> std::io::Result<Self> {
        let has_ended = Arc::new(AtomicBool::new(false));
        let signal = Arc::clone(&has_ended);
        let handle = Builder::new().name(name.clone()).spawn(move || {
            let value = body();
            signal.store(true, Ordering::Release);
            shared.announce();
            value
        })?;
        Ok(Tracked { name, has_ended, handle })
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Acquire) || self.handle.is_finished()
    }

    pub(super) fn join(self) -> std::thread::Result<T> {
        self.handle.join()
    }
}

impl TestHost {
    /// Names of the plugin's threads that have not ended.
    #[must_use]
    pub fn running_threads(self) -> Vec<String> {
        let record = lock(&self.shared.threads);
        let alive = record.running.iter().filter(|thread| !thread.has_ended());
        alive.map(|thread| thread.name.clone()).collect()
    }

    /// Lets new threads run again, at a start after a stop.
    pub(super) fn allow_threads(self) {
        lock(&self.shared.threads).should_stop = false;
    }

    /// Asks the plugin's threads to end, and joins them.
    ///
    /// # Panics
    /// Panics if one has not ended after ten seconds.
    #[track_caller]
    pub(super) fn join_threads(self) {
        lock(&self.shared.threads).should_stop = true;
        self.shared.announce();
        let have_ended = self.shared.wait(|| self.running_threads().is_empty());
        assert!(have_ended, "threads {:?} still run ten seconds after `should_stop`", self.running_threads());
        let ended = std::mem::take(&mut lock(&self.shared.threads).running);
        for thread in ended {
            let name = thread.name.clone();
            assert!(thread.join().is_ok(), "thread `{name}` unwound out of its body");
        }
    }
}

impl ThreadsHost for Shared {
    fn spawn(&self, name: &str, job: Job) -> Result<(), Status> {
        // Locked over the look at the flag: a thread that starts while the others are told to end is joined with them.
        let mut record = lock(&self.threads);
        if record.should_stop {
            return Err(status::WRONG_STATE);
        }
        let thread = Tracked::spawn(self.leaked(), name.to_owned(), move || job.run());
        record.running.push(thread.map_err(|_| status::IO)?);
        Ok(())
    }

    fn should_stop(&self) -> bool {
        lock(&self.threads).should_stop
    }
}

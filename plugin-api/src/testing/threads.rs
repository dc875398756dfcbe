//! `bridgehead.threads/1` of a test: threads that are named, counted and joined with a deadline.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use bridgehead_abi as abi;
use bridgehead_abi::host::ThreadBody;
use bridgehead_abi::{Host, Status, Str, status};

use super::host::{Shared, TestHost, lock};

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

pub(super) static TABLE: abi::host::HostThreads =
    abi::host::HostThreads { struct_size: abi::host::HostThreads::SIZE, reserved: 0, spawn, should_stop };

/// A body on its way to its thread.
struct Sent {
    arg: *mut c_void,
    run: unsafe extern "C" fn(*mut c_void),
}

// SAFETY: the ABI hands `arg` to the one thread that runs the body.
unsafe impl Send for Sent {}

impl Sent {
    fn run(self) {
        // SAFETY: called once, on the thread that the body was made for.
        unsafe { (self.run)(self.arg) }
    }
}

unsafe extern "C" fn spawn(host: *const Host, name: Str, body: *const ThreadBody) -> Status {
    // SAFETY: plugins pass back the pointer they were given; name and body live for the call.
    let (shared, name, sent) = unsafe {
        let name = String::from_utf8_lossy(name.as_bytes()).into_owned();
        (Shared::of(host), name, Sent { arg: (*body).arg, run: (*body).run })
    };
    // Locked over the look at the flag: a thread that starts while the others are told to end is joined with them.
    let mut record = lock(&shared.threads);
    if record.should_stop {
        return status::WRONG_STATE;
    }
    let Ok(thread) = Tracked::spawn(shared, name, move || sent.run()) else {
        return status::IO;
    };
    record.running.push(thread);
    status::OK
}

unsafe extern "C" fn should_stop(host: *const Host) -> u8 {
    // SAFETY: plugins pass back the pointer they were given.
    u8::from(lock(&unsafe { Shared::of(host) }.threads).should_stop)
}

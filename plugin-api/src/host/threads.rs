//! Threads of a plugin that the host names, counts and joins.

use std::ffi::c_void;

use bridgehead_abi as abi;

use super::extension_handle;
use crate::boundary;
use crate::error::{Error, Result};

extension_handle! {
    /// Makes threads that end with the instance. `[any]`
    Threads, abi::host::HostThreads, abi::extension::THREADS
}

/// What travels to the new thread.
struct Job {
    host: super::HostHandle,
    body: Box<dyn FnOnce(Threads) + Send>,
    threads: Threads,
}

impl Threads {
    /// Runs `body` on a new thread. The body returns soon after [`Threads::should_stop`] says so; the host
    /// joins it before the instance is stopped or disconnected. A panic in it is logged and ends the thread.
    ///
    /// # Errors
    /// Returns an error if the host or the operating system makes no thread.
    pub fn spawn(self, name: &str, body: impl FnOnce(Threads) + Send + 'static) -> Result {
        let job = Box::new(Job { host: self.host(), body: Box::new(body), threads: self });
        let raw = Box::into_raw(job);
        let body = abi::host::ThreadBody { arg: raw.cast::<c_void>(), run: run_job };
        // SAFETY: the name is borrowed for the call; the job goes to the one thread that runs it.
        let called =
            self.call(|table, host| unsafe { (table.spawn)(host, abi::Str::new(name), &raw const body) });
        let outcome =
            called.and_then(|status| Error::check(status, format_args!("starting thread `{name}`")));
        if outcome.is_err() {
            // SAFETY: no thread was made, so the job is still ours.
            drop(unsafe { Box::from_raw(raw) });
        }
        outcome
    }

    /// Whether the instance's threads should end; also true once the instance is gone.
    #[must_use]
    pub fn should_stop(self) -> bool {
        // SAFETY: the table belongs to this host object.
        self.call(|table, host| unsafe { (table.should_stop)(host) != 0 }).unwrap_or(true)
    }
}

/// Entry of a thread made by [`Threads::spawn`].
unsafe extern "C" fn run_job(arg: *mut c_void) {
    // SAFETY: `arg` is the job that `spawn` boxed, handed to exactly one thread.
    let job = unsafe { Box::from_raw(arg.cast::<Job>()) };
    boundary::run(job.host, "thread", || {
        (job.body)(job.threads);
        Ok(())
    });
}

//! `bridgehead.threads/1`: threads of an instance.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bridgehead_abi::host::{HostThreads, ThreadBody};
use bridgehead_abi::{Host, Status, Str, status};

use super::caller::{caller, check_pointer, checked, text};
use crate::guard::host_call;
use crate::thread::{Named, Unjoined, spawn as spawn_named};

pub(super) static TABLE: HostThreads =
    HostThreads { struct_size: HostThreads::SIZE, reserved: 0, spawn, should_stop };

/// The threads an instance made.
#[derive(Debug, Default)]
pub struct InstanceThreads {
    running: Mutex<Vec<Named<()>>>,
    /// Names of those that did not end when they were told to.
    left: Mutex<Vec<String>>,
    should_stop: AtomicBool,
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

/// A plugin's thread body on its way to its thread.
struct Job(ThreadBody);

// SAFETY: the plugin gives `arg` away to exactly this one thread.
unsafe impl Send for Job {}

impl Job {
    fn run(self) {
        // SAFETY: the plugin made this body for one run on one thread.
        unsafe { (self.0.run)(self.0.arg) };
    }
}

unsafe extern "C" fn spawn(host: *const Host, name: Str, body: *const ThreadBody) -> Status {
    host_call("threads.spawn", status::PANIC, || {
        let context = caller!(host, "threads.spawn");
        checked!(check_pointer(&context.label, body, "body", "threads.spawn"));
        // SAFETY: plugins pass values valid for this call.
        let (name, job) = unsafe { (text(&context.label, name, "threads.spawn"), Job(*body)) };
        // Locked over the look at the flag: a thread that starts while the others are told to end is joined with them.
        let mut running = context.threads.running.lock().unwrap_or_else(PoisonError::into_inner);
        if context.threads.should_stop.load(Ordering::Relaxed) {
            return status::WRONG_STATE;
        }
        let name = format!("{}:{}", context.label, name.unwrap_or("thread"));
        let started = spawn_named(name, move || {
            job.run();
        });
        match started {
            Ok(thread) => {
                running.push(thread);
                status::OK
            }
            Err(error) => {
                context.explain(error.to_string());
                status::IO
            }
        }
    })
}

unsafe extern "C" fn should_stop(host: *const Host) -> u8 {
    host_call("threads.should_stop", 1, || {
        u8::from(caller!(host, "threads.should_stop", 1).threads.should_stop.load(Ordering::Relaxed))
    })
}

//! `bridgehead.threads/1` in a worker: threads of this process.

use std::sync::Mutex;
use std::time::Duration;

use bridgehead_abi::host::{HostThreads, ThreadBody};
use bridgehead_abi::{Host, Status, Str, status};

use super::super::wire::Request;
use super::tables::ask_number;
use crate::bridge::unfinished_thread;
use crate::clock;
use crate::guard::host_call;
use crate::thread::{Named, lock, spawn};

pub(super) static TABLE: HostThreads =
    HostThreads { struct_size: HostThreads::SIZE, reserved: 0, spawn: spawn_thread, should_stop };

/// The threads that the plugin has made.
static RUNNING: Mutex<Vec<Named<()>>> = Mutex::new(Vec::new());

/// Waits for the threads, all within `deadline`.
pub(super) fn join(deadline: Duration) {
    let end = clock::now() + deadline;
    for thread in std::mem::take(&mut *lock(&RUNNING)) {
        let name = thread.name().to_owned();
        if thread.join(end.saturating_duration_since(clock::now())).is_err() {
            log::error!("{}", unfinished_thread(&name));
        }
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

unsafe extern "C" fn spawn_thread(_: *const Host, name: Str, body: *const ThreadBody) -> Status {
    host_call("threads.spawn", status::PANIC, || {
        // SAFETY: plugins pass values valid for this call.
        let (name, job) = unsafe {
            let Some(body) = body.as_ref() else { return status::INVALID_ARG };
            (name.as_str().unwrap_or("thread"), Job(*body))
        };
        if is_over() {
            return status::WRONG_STATE;
        }
        match spawn(name, move || job.run()) {
            Ok(thread) => {
                lock(&RUNNING).push(thread);
                status::OK
            }
            Err(_) => status::IO,
        }
    })
}

/// Returns true if the host has told the threads of the instance to end.
fn is_over() -> bool {
    ask_number(Request::ShouldStop, 1) != 0
}

unsafe extern "C" fn should_stop(_: *const Host) -> u8 {
    host_call("threads.should_stop", 1, || u8::from(is_over()))
}

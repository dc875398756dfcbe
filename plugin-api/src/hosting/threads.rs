//! `bridgehead.threads/1`: threads of an instance. A worker makes them in its own process.

use std::marker::PhantomData;

use bridgehead_abi::host::{HostThreads, ThreadBody};
use bridgehead_abi::{Host, Status, Str, extension};

use super::argument::{Argument, Words};
use super::bus::local;
use super::{At, Function, Hosting, Place};

/// The body of a thread of a plugin.
pub struct Job(ThreadBody);

// SAFETY: the plugin gives `arg` away to exactly this one thread.
unsafe impl Send for Job {}

impl Job {
    /// Runs it, on its thread.
    pub fn run(self) {
        // SAFETY: the plugin made this body for one run on one thread.
        unsafe { (self.0.run)(self.0.arg) };
    }
}

/// A host with threads.
pub trait ThreadsHost: Hosting {
    /// Starts a thread with this name. The job is run once or not at all.
    ///
    /// # Errors
    /// Returns the status for the plugin: WRONG_STATE if its threads are told to end.
    fn spawn(&self, name: &str, job: Job) -> Result<(), Status>;

    /// Returns true if the threads are told to end.
    fn should_stop(&self) -> bool;
}

static SPAWN: Function = local(extension::THREADS, "threads.spawn", Place::Any);
static SHOULD_STOP: Function = local(extension::THREADS, "threads.should_stop", Place::Any);

struct Table<H>(PhantomData<H>);

impl<H: ThreadsHost> Table<H> {
    const TABLE: HostThreads = HostThreads {
        struct_size: HostThreads::SIZE,
        reserved: 0,
        spawn: spawn::<H>,
        should_stop: should_stop::<H>,
    };
}

/// The functions of threads.
#[must_use]
pub fn threads_table<H: ThreadsHost>() -> &'static HostThreads {
    &Table::<H>::TABLE
}

unsafe extern "C" fn spawn<H: ThreadsHost>(host: *const Host, name: Str, body: *const ThreadBody) -> Status {
    // SAFETY: the plugin passes its host, and arguments that are valid for the call.
    unsafe {
        super::call::answer::<H>(host, &SPAWN, |host| {
            let at = |what| At { host, what, function: SPAWN.name };
            at("body").pointer(body)?;
            let name = Words::read(name, at("name"))?;
            host.spawn(std::str::from_utf8(name).unwrap_or("thread"), Job(*body))
        })
    }
}

unsafe extern "C" fn should_stop<H: ThreadsHost>(host: *const Host) -> u8 {
    // A thread that cannot ask ends.
    H::guarded(SHOULD_STOP.name, 1, || {
        // SAFETY: as above.
        unsafe { H::entered(host, &SHOULD_STOP) }.map_or(1, |host| u8::from(host.should_stop()))
    })
}

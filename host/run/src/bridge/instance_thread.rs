//! The thread `main:<label>` that makes an instance's `[main]` calls, one at a time. The simulation thread queues calls
//! and waits for results with a deadline, so that a call that does not return can be abandoned.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::thread::{Named, spawn};

/// A call to make.
type Job = Box<dyn FnOnce() + Send>;

/// Makes the `[main]` calls of one instance.
#[derive(Debug)]
pub(super) struct InstanceThread {
    jobs: Option<Sender<Job>>,
    thread: Option<Named<()>>,
}

/// The result of a call that may still be running.
#[derive(Debug)]
pub(super) struct Pending<T>(Receiver<T>);

impl<T> Pending<T> {
    /// The result, if the call has returned.
    pub(super) fn poll(&self) -> Option<T> {
        self.0.try_recv().ok()
    }

    /// Waits at most `time` for the result.
    pub(super) fn wait(&self, time: Duration) -> Option<T> {
        self.0.recv_timeout(time).ok()
    }
}

impl InstanceThread {
    /// Starts the thread `main:<label>`.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub(super) fn new(label: &str) -> std::io::Result<Self> {
        let (jobs, inbox) = channel::<Job>();
        let thread = spawn(format!("main:{label}"), move || {
            for job in inbox {
                job();
            }
        })?;
        Ok(InstanceThread { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Queues a call.
    pub(super) fn enqueue<T: Send + 'static>(&self, call: impl FnOnce() -> T + Send + 'static) -> Pending<T> {
        let (sender, result) = channel();
        if let Some(jobs) = &self.jobs {
            // If the thread has ended, the job is dropped and the caller gets no result.
            drop(jobs.send(Box::new(move || drop(sender.send(call())))));
        }
        Pending(result)
    }

    /// Ends the thread after the queued calls. Returns false if it did not end in time and was left running.
    pub(super) fn finish(&mut self, deadline: Duration) -> bool {
        self.jobs = None;
        self.thread.take().is_none_or(|thread| thread.join(deadline).is_ok())
    }
}

/// The message about a thread that did not end.
pub(crate) fn unfinished_thread(thread: &str) -> String {
    format!("[BH-BRG-015] thread {thread} did not end")
}

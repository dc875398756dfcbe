//! The thread that makes an instance's `[main]` calls, one at a time, so that a hung call can be given up.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::thread::{Named, spawn};

/// A piece of work on an instance.
type Job = Box<dyn FnOnce() + Send>;

/// Makes the `[main]` calls of one instance.
#[derive(Debug)]
pub(super) struct Attendant {
    jobs: Option<Sender<Job>>,
    thread: Option<Named<()>>,
}

/// The result of a call that may still be running.
#[derive(Debug)]
pub(super) struct Pending<T>(Receiver<T>);

impl<T> Pending<T> {
    /// The result, once it is there.
    pub(super) fn poll(&self) -> Option<T> {
        self.0.try_recv().ok()
    }

    /// The result, waiting at most `time`.
    pub(super) fn wait(&self, time: Duration) -> Option<T> {
        self.0.recv_timeout(time).ok()
    }
}

impl Attendant {
    /// Starts the thread `main:<label>`.
    ///
    /// # Errors
    /// Where the operating system makes no thread.
    pub(super) fn new(label: &str) -> std::io::Result<Self> {
        let (jobs, inbox) = channel::<Job>();
        let thread = spawn(format!("main:{label}"), move || {
            for job in inbox {
                job();
            }
        })?;
        Ok(Attendant { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Queues a call.
    pub(super) fn post<T: Send + 'static>(&self, call: impl FnOnce() -> T + Send + 'static) -> Pending<T> {
        let (sender, result) = channel();
        if let Some(jobs) = &self.jobs {
            // A thread that is gone drops the job, and the waiter sees no result.
            drop(jobs.send(Box::new(move || drop(sender.send(call())))));
        }
        Pending(result)
    }

    /// Ends the thread after what is queued; false where it hangs and was left alone.
    pub(super) fn finish(&mut self, deadline: Duration) -> bool {
        self.jobs = None;
        self.thread.take().is_none_or(|thread| thread.join(deadline).is_ok())
    }
}

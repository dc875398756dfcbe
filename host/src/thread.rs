//! Threads of the host: every one has a name, is counted, and is joined with a deadline.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::crash;

/// Locks a mutex. One whose holder panicked is used all the same: panics are reported where they happen.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running thread that gives a `T` when it ends.
#[derive(Debug)]
pub struct Named<T> {
    name: String,
    handle: Option<JoinHandle<()>>,
    result: std::sync::mpsc::Receiver<T>,
}

/// Linux cuts thread names at this many bytes.
const KERNEL_NAME_LEN: usize = 15;

/// Starts a thread. The kernel shows the first 15 bytes of its name.
///
/// # Errors
/// Where the operating system makes no thread.
pub fn spawn<T: Send + 'static>(
    name: impl Into<String>,
    body: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<Named<T>> {
    let name = name.into();
    let (sender, result) = channel();
    let owner = name.clone();
    let body = move || crash::during(&owner, "", body);
    let handle = Builder::new().name(kernel_name(&name)).spawn(move || run(body, &sender))?;
    Ok(Named { name, handle: Some(handle), result })
}

fn run<T>(body: impl FnOnce() -> T, sender: &Sender<T>) {
    // The receiver is gone when nobody waits for the thread any more; its result is not missed then.
    drop(sender.send(body()));
}

/// A thread name without the NUL bytes that the operating system would refuse.
fn kernel_name(name: &str) -> String {
    let mut end = name.len().min(KERNEL_NAME_LEN);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].replace('\0', "?")
}

/// Why a thread gave no result.
#[derive(Debug, PartialEq, Eq)]
pub enum Unjoined {
    /// It still runs; it is left to itself.
    StillRunning,
    /// It panicked.
    Panicked,
}

impl<T> Named<T> {
    /// The thread's full name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the thread has ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.handle.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the thread's result, at most `deadline`.
    ///
    /// # Errors
    /// Where it still runs (it is then left to itself) or panicked.
    pub fn join(mut self, deadline: Duration) -> Result<T, Unjoined> {
        match self.result.recv_timeout(deadline) {
            Ok(value) => {
                if let Some(handle) = self.handle.take() {
                    // The result was sent as the last thing the thread did.
                    drop(handle.join());
                }
                Ok(value)
            }
            Err(RecvTimeoutError::Timeout) => Err(Unjoined::StillRunning),
            Err(RecvTimeoutError::Disconnected) => Err(Unjoined::Panicked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_gives_its_result() {
        let thread = spawn("adder", || 1 + 1).expect("thread");
        assert_eq!(thread.join(Duration::from_secs(5)), Ok(2));
    }

    #[test]
    fn a_thread_that_does_not_end_is_left_alone() {
        let (hold, held) = channel::<()>();
        let thread = spawn("stuck", move || held.recv().is_ok()).expect("thread");
        assert_eq!(thread.join(Duration::from_millis(10)), Err(Unjoined::StillRunning));
        drop(hold);
    }

    #[test]
    fn names_are_cut_at_a_character() {
        assert_eq!(kernel_name("tx:länge-vehicle/logging"), "tx:länge-vehic");
    }
}

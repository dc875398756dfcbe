//! Threads with a name that are joined with a deadline, and [`lock`], which every module uses for its mutexes.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::call;

/// Locks a mutex, also after a panic of another holder: the host goes on without the plugin or client that panicked, so
/// its shared state must stay usable.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running thread that returns a `T` when it ends.
#[derive(Debug)]
pub struct Named<T> {
    name: String,
    handle: Option<JoinHandle<()>>,
    result: std::sync::mpsc::Receiver<T>,
}

/// Linux truncates thread names to this many bytes.
const KERNEL_NAME_LEN: usize = 15;

/// Starts a thread. The kernel shows the first 15 bytes of its name.
///
/// # Errors
/// Returns an error if the operating system cannot create a thread.
pub fn spawn<T: Send + 'static>(
    name: impl Into<String>,
    body: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<Named<T>> {
    let name = name.into();
    let (sender, result) = channel();
    let owner = name.clone();
    let body = move || call::during(&owner, "", body);
    let handle = Builder::new().name(kernel_name(&name)).spawn(move || run(body, &sender))?;
    Ok(Named { name, handle: Some(handle), result })
}

fn run<T>(body: impl FnOnce() -> T, sender: &Sender<T>) {
    // The send fails only if the thread was abandoned, and then its result is not needed.
    drop(sender.send(body()));
}

/// Returns the truncated thread name, without the NUL bytes that the operating system would reject.
fn kernel_name(name: &str) -> String {
    let mut end = name.len().min(KERNEL_NAME_LEN);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].replace('\0', "?")
}

/// Why a thread returned no result.
#[derive(Debug, PartialEq, Eq)]
pub enum Unjoined {
    /// It is still running and was abandoned.
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

    /// Returns true if the thread has ended.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.handle.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the thread's result, at most `deadline`.
    ///
    /// # Errors
    /// Returns an error if the thread is still running, which abandons it, or if it panicked.
    pub fn join(mut self, deadline: Duration) -> Result<T, Unjoined> {
        match self.result.recv_timeout(deadline) {
            Ok(value) => {
                if let Some(handle) = self.handle.take() {
                    // Sending the result is the last action of the thread, so this does not block.
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
    fn a_thread_returns_its_result() {
        let thread = spawn("adder", || 1 + 1).expect("thread");
        assert_eq!(thread.join(Duration::from_secs(5)), Ok(2));
    }

    #[test]
    fn a_thread_that_does_not_end_is_abandoned() {
        let (hold, held) = channel::<()>();
        let thread = spawn("stuck", move || held.recv().is_ok()).expect("thread");
        assert_eq!(thread.join(Duration::from_millis(10)), Err(Unjoined::StillRunning));
        drop(hold);
    }

    #[test]
    fn names_are_truncated_at_a_character() {
        assert_eq!(kernel_name("tx:länge-vehicle/logging"), "tx:länge-vehic");
    }
}

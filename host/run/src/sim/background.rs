//! Work that would hold up the simulation thread, on a thread of its own: reading files, parsing, preparing shapes.
//!
//! The simulation takes the result between two steps and never waits for the thread. Work whose result is not needed any
//! more is cancelled and left alone: it ends at its next look at the flag, and a thread that hangs in the file system
//! holds up nobody.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use bridgehead_sdf::Cancel;

use crate::api::shared::Shared;
use crate::{guard, thread};

/// Running work. It is cancelled when this is dropped.
#[derive(Debug)]
pub struct Background<T> {
    result: Receiver<Result<T, String>>,
    cancel: Cancel,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work on a thread of that name. Its end wakes the simulation.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub fn start(
        name: &str,
        shared: &Arc<Shared>,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, result) = channel();
        let cancel = Cancel::default();
        let (flag, shared) = (cancel.clone(), Arc::clone(shared));
        let body = move || {
            // The send fails if the work was cancelled; its result is then dropped here.
            drop(sender.send(guard::catch(|| work(&flag))));
            shared.requests.wake();
        };
        // Nothing joins the thread: the simulation must not wait for it.
        drop(thread::spawn(name, body)?);
        Ok(Background { result, cancel })
    }

    /// Takes the result, or the text of a panic; `None` while the work runs.
    pub fn take(&self) -> Option<Result<T, String>> {
        match self.result.try_recv() {
            Ok(result) => Some(result),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("its thread has ended".to_owned())),
        }
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::RecvTimeoutError;
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn ended<T: Send + 'static>(work: &Background<T>, shared: &Shared) -> Result<T, String> {
        let began = crate::clock::now();
        loop {
            if let Some(result) = work.take() {
                return result;
            }
            assert!(crate::clock::now().saturating_duration_since(began) < LONG);
            shared.requests.wait(LONG);
        }
    }

    #[test]
    fn the_result_and_a_panic_are_taken_and_wake_the_simulation() {
        let shared = Shared::new(0);
        let sum = Background::start("sum", &shared, |_| 1 + 1).expect("a thread");
        assert_eq!(ended(&sum, &shared), Ok(2));
        let panics = Background::<()>::start("panics", &shared, |_| panic!("no")).expect("a thread");
        assert_eq!(ended(&panics, &shared), Err("no".to_owned()));
    }

    #[test]
    fn work_that_nobody_needs_is_cancelled_and_its_result_dropped() {
        let shared = Shared::new(0);
        let (sender, dropped) = channel::<()>();
        let work = Background::start("waits", &shared, |cancel| {
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            sender
        });
        let work = work.expect("a thread");
        assert!(work.take().is_none());
        drop(work);
        assert_eq!(dropped.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected), "the result is dropped");
    }
}

//! How the receive loop of a bridge waits, and is told to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use bridgehead_abi::{Status, status};

use crate::thread::lock;

/// Interrupts a receive loop.
#[derive(Debug, Default)]
pub(super) struct RxSignal {
    is_interrupted: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl RxSignal {
    pub(super) fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::Release);
        // Taking the lock orders this after a waiter's check, so that no wake-up is lost.
        drop(self.lock.lock());
        self.changed.notify_all();
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Acquire)
    }

    pub(super) fn wait(&self, timeout_ns: i64) -> Status {
        let guard = lock(&self.lock);
        let running = |_: &mut ()| !self.is_interrupted();
        match u64::try_from(timeout_ns) {
            Ok(time) => drop(self.changed.wait_timeout_while(guard, Duration::from_nanos(time), running)),
            Err(_) => drop(self.changed.wait_while(guard, running)),
        }
        if self.is_interrupted() { status::INTERRUPTED } else { status::OK }
    }
}

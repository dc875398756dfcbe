//! The calls of the lifecycle that are running, on all threads.
//!
//! Calls of different plugins overlap while a world starts. The first one that ends finds what any of them has changed of
//! the process, so a report names all of them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Call, describe};

/// Number of a call, and its description.
static ACTIVE: Mutex<Vec<(u64, String)>> = Mutex::new(Vec::new());

static NEXT: AtomicU64 = AtomicU64::new(0);

fn list() -> MutexGuard<'static, Vec<(u64, String)>> {
    ACTIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call in the list, until drop.
pub(super) struct Active(u64);

impl Active {
    pub(super) fn new(call: Call) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        list().push((number, describe(call)));
        Active(number)
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        list().retain(|(number, _)| *number != self.0);
    }
}

/// Returns descriptions of the calls that are running, without `except`.
pub(super) fn others(except: Option<Call>) -> Vec<String> {
    let except = except.map(describe);
    let active = list();
    active.iter().map(|(_, call)| call).filter(|call| Some(*call) != except.as_ref()).cloned().collect()
}

/// Returns true if no more than `own` calls are running.
pub(super) fn is_alone(own: usize) -> bool {
    list().len() <= own
}

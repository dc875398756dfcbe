//! Mutexes that stay usable after a panic of another thread.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, poisoned or not: every statement leaves the guarded values consistent.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Panics inside of host functions, provoked by tests.

use std::cell::Cell;

thread_local! {
    /// The host function that shall panic on this thread.
    static VICTIM: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Panics in the function that [`struck`] names.
pub(super) fn strike(name: &'static str) {
    assert!(VICTIM.get() != Some(name), "provoked in `{name}`");
}

/// Runs `call` while the host function `name` panics.
pub fn struck<T>(name: &'static str, call: impl FnOnce() -> T) -> T {
    VICTIM.set(Some(name));
    let value = call();
    VICTIM.set(None);
    value
}

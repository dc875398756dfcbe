//! Objects of the host that a worker may use during one call.

use std::sync::atomic::{AtomicPtr, Ordering};

/// An object while the call runs that it was given for.
#[derive(Debug)]
pub(super) struct Slot<A>(AtomicPtr<A>);

impl<A> Default for Slot<A> {
    fn default() -> Self {
        Slot(AtomicPtr::default())
    }
}

impl<A> Slot<A> {
    /// Offers an object while `call` runs.
    pub(super) fn during<T>(&self, object: *const A, call: impl FnOnce() -> T) -> T {
        self.0.store(object.cast_mut(), Ordering::Release);
        let returned = call();
        self.0.store(std::ptr::null_mut(), Ordering::Release);
        returned
    }

    /// The object; null if no such call runs.
    pub(super) fn get(&self) -> *const A {
        self.0.load(Ordering::Acquire).cast_const()
    }
}

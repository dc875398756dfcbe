//! How many calls wait for their answers: a flood must not take memory without limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls of one service that may wait for their answers. Clients of ROS have ten at a time.
pub(crate) const MAX_CALLS: usize = 256;

/// Counts the calls that wait.
#[derive(Clone, Default)]
pub(crate) struct Waiting(Arc<AtomicUsize>);

/// A call that is counted.
pub(crate) struct Counted(Waiting);

impl Waiting {
    /// Counts one more, until the result is dropped.
    pub(crate) fn add(&self) -> Counted {
        self.0.fetch_add(1, Ordering::AcqRel);
        Counted(self.clone())
    }

    /// Returns true if more wait than may.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.0.load(Ordering::Acquire) > MAX_CALLS
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}

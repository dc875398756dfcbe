//! What a node publishes, receives and offers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::answer::Answer;

/// A topic that the run publishes.
#[derive(Debug)]
pub(crate) struct Topic {
    /// Fully qualified.
    pub(crate) name: String,
    pub(crate) type_name: String,
    /// True if a topic of the same name takes its place.
    pub(super) is_spare: bool,
    pub(super) has_listeners: AtomicBool,
    /// True if new subscribers receive its last message at once.
    pub(super) is_latched: bool,
}

impl Topic {
    pub(crate) fn new(name: String, type_name: String, is_latched: bool) -> Arc<Self> {
        let has_listeners = AtomicBool::new(false);
        Arc::new(Topic { name, type_name, is_spare: false, has_listeners, is_latched })
    }

    /// A topic whose place another of the same name takes: one of the run before one of this bridge.
    pub(crate) fn spare(name: String, type_name: String) -> Arc<Self> {
        let has_listeners = AtomicBool::new(false);
        Arc::new(Topic { name, type_name, is_spare: true, has_listeners, is_latched: false })
    }

    /// Returns true if somebody receives it, now or later: otherwise a message need not be made.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_latched || self.has_listeners.load(Ordering::Acquire)
    }
}

/// Takes a message of a peer.
pub(crate) type Deliver = Box<dyn Fn(&[u8]) + Send + Sync>;

/// A topic that the run receives.
pub(crate) struct Subscription {
    /// Fully qualified.
    pub(crate) name: String,
    pub(crate) type_name: String,
    pub(crate) deliver: Deliver,
}

/// Carries out a request.
pub(crate) type Serve = Box<dyn Fn(&[u8], Answer) + Send + Sync>;

/// A service of the run.
pub(crate) struct Offer {
    /// Fully qualified.
    pub(crate) name: String,
    pub(crate) request: String,
    pub(crate) response: String,
    pub(crate) serve: Serve,
}

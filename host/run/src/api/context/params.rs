//! The parameters of an instance, and a record of the requested paths. Usable from any thread.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bridgehead_sdf::params::{Params, RequestedPaths};

/// An instance's parameters as it asks for them.
#[derive(Debug, Default)]
pub struct ParamsView {
    pub(in crate::api) tree: Params,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
pub(in crate::api) struct Seen {
    requested: RequestedPaths,
    /// Locations that were handed out; their texts must stay where they are.
    pub(in crate::api) locations: HashMap<String, Box<str>>,
}

impl ParamsView {
    /// A view on `tree`.
    #[must_use]
    pub fn new(tree: Params) -> Self {
        ParamsView { tree, seen: Mutex::default() }
    }

    pub(in crate::api) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::api) fn record(&self, path: &str) {
        self.seen().requested.record(path);
    }

    /// Returns a parameter that the host itself uses.
    pub(super) fn read(&self, path: &str) -> Option<&str> {
        self.record(path);
        self.tree.get(path).map(str::trim)
    }

    /// Returns the parameters that the instance did not request, with their places.
    #[must_use]
    pub fn unread(&self) -> Vec<String> {
        self.seen().requested.unread(&self.tree)
    }
}

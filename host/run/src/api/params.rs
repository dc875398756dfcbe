//! `bridgehead.params/1`: parameters of an instance, and a record of the requested paths.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::hosting::ParamsHost;
use bridgehead_sdf::params::{Params, RequestedPaths};

use super::Context;
use super::context::lend;

/// An instance's parameters as it asks for them.
#[derive(Debug, Default)]
pub struct ParamsView {
    tree: Params,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    requested: RequestedPaths,
    /// Locations that were handed out; their texts must stay where they are.
    locations: HashMap<String, Box<str>>,
}

impl ParamsView {
    /// A view on `tree`.
    #[must_use]
    pub fn new(tree: Params) -> Self {
        ParamsView { tree, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, path: &str) {
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

impl ParamsHost for Context {
    fn get(&self, path: &str) -> Result<Str, Status> {
        self.params.record(path);
        // The tree stays as it is as long as the instance.
        self.params.tree.get(path).map(|text| lend(text.trim())).ok_or(status::NOT_FOUND)
    }

    fn count(&self, path: &str) -> u64 {
        self.params.record(path);
        self.params.tree.count(path) as u64
    }

    fn location(&self, path: &str) -> Str {
        let Some(place) = self.params.tree.place_of(path) else { return Str::EMPTY };
        let mut seen = self.params.seen();
        let text =
            seen.locations.entry(path.to_owned()).or_insert_with(|| place.to_string().into_boxed_str());
        // The box keeps its text where it is, whatever the map does.
        lend(text)
    }
}

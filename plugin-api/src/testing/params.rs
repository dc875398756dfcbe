//! `bridgehead.params/1` of a test: parameters from pairs of path and text, in the same tree as in the host.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::Mutex;

use bridgehead_abi::{Status, Str, status};
use bridgehead_params::{Params, Place, RequestedPaths};

use super::host::{Shared, TestHost, lock};
use crate::hosting::ParamsHost;

/// All parameters of an instance, and the paths that it requested.
#[derive(Default)]
pub(super) struct ParamTable {
    tree: Params,
    requested: Mutex<RequestedPaths>,
    /// Locations that were handed out; their texts must stay where they are.
    locations: Mutex<HashMap<String, Box<str>>>,
}

impl ParamTable {
    /// # Panics
    /// Panics if the path is malformed, skips an index or is given twice.
    #[track_caller]
    pub(super) fn add(&mut self, path: &str, text: &str) {
        assert!(
            self.tree.get(path).is_none_or(str::is_empty),
            "parameter `{path}` is given twice; several elements are `wheel[0]`, `wheel[1]`, ..."
        );
        if let Err(error) = self.tree.set(path, text.trim()) {
            panic!("{error}");
        }
        let here = Location::caller();
        self.tree.set_place_of(path, Place { file: here.file().into(), line: here.line() });
    }

    fn record(&self, path: &str) {
        lock(&self.requested).record(path);
    }
}

impl TestHost {
    /// Returns the parameters that the plugin has not requested, as the host reports them, without their places: a
    /// misspelt path shows here. Indices and attributes do not count.
    #[must_use]
    pub fn unread_params(self) -> Vec<String> {
        let table = &self.shared.params;
        let unread = lock(&table.requested).unread(&table.tree);
        unread.into_iter().map(|entry| entry.split(" (").next().unwrap_or_default().to_owned()).collect()
    }
}

impl ParamsHost for Shared {
    fn get(&self, path: &str) -> Result<Str, Status> {
        self.params.record(path);
        // The tree lives as long as the process.
        self.params.tree.get(path).map(Str::new).ok_or(status::NOT_FOUND)
    }

    fn count(&self, path: &str) -> u64 {
        self.params.record(path);
        self.params.tree.count(path) as u64
    }

    fn location(&self, path: &str) -> Str {
        let Some(place) = self.params.tree.place_of(path) else { return Str::EMPTY };
        let mut locations = lock(&self.params.locations);
        let text = locations.entry(path.to_owned()).or_insert_with(|| place.to_string().into_boxed_str());
        // The box keeps its text in place, and the table lives as long as the process.
        Str::new(text)
    }
}

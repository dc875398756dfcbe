//! `bridgehead.params/1`: parameters of an instance.

use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::hosting::ParamsHost;

use super::context::Context;

impl ParamsHost for Context {
    fn get(&self, path: &str) -> Result<Str, Status> {
        self.params.record(path);
        // The tree stays as it is as long as the instance.
        self.params.tree.get(path).map(|text| Str::new(text.trim())).ok_or(status::NOT_FOUND)
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
        Str::new(text)
    }
}

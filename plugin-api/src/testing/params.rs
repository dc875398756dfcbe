//! `bridgehead.params/1` of a test: parameters from pairs of path and text, in the same tree as in the host.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::Mutex;

use bridgehead_abi as abi;
use bridgehead_abi::{Status, Str, status};
use bridgehead_params::{Params, Place, RequestedPaths};

use super::host::{Shared, TestHost, lock};

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

pub(super) static TABLE: abi::host::HostParams =
    abi::host::HostParams { struct_size: abi::host::HostParams::SIZE, reserved: 0, get, count, location };

/// # Safety
/// The pointers are those of a call to an extension function.
unsafe fn table_and_path<'a>(host: *const abi::Host, path: Str) -> (&'static ParamTable, &'a str) {
    // SAFETY: plugins pass back the pointer they were given, and a text that lives for the call.
    unsafe { (&Shared::of(host).params, path.as_str().unwrap_or_default()) }
}

unsafe extern "C" fn get(host: *const abi::Host, path: Str, out: *mut Str) -> Status {
    // SAFETY: as `table_and_path` needs it.
    let (table, path) = unsafe { table_and_path(host, path) };
    table.record(path);
    let Some(text) = table.tree.get(path) else {
        return status::NOT_FOUND;
    };
    // SAFETY: `out` is writable; the tree lives as long as the process.
    unsafe { out.write(Str::new(text)) };
    status::OK
}

unsafe extern "C" fn count(host: *const abi::Host, path: Str) -> u64 {
    // SAFETY: as `table_and_path` needs it.
    let (table, path) = unsafe { table_and_path(host, path) };
    table.record(path);
    table.tree.count(path) as u64
}

unsafe extern "C" fn location(host: *const abi::Host, path: Str) -> Str {
    // SAFETY: as `table_and_path` needs it.
    let (table, path) = unsafe { table_and_path(host, path) };
    let Some(place) = table.tree.place_of(path) else { return Str::EMPTY };
    let mut locations = lock(&table.locations);
    let text = locations.entry(path.to_owned()).or_insert_with(|| place.to_string().into_boxed_str());
    // The box keeps its text in place, and the table lives as long as the process.
    Str::new(text)
}

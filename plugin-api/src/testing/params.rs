//! `bridgehead.params/1` of a test: parameters from pairs of path and text.
//!
//! A path written without an index means the first element of that name, as in the host: `wheel/radius` and
//! `wheel[0]/radius` are the same parameter.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;
use std::sync::Mutex;

use bridgehead_abi as abi;
use bridgehead_abi::{Status, Str, status};

use super::host::{Shared, TestHost, lock};

/// One parameter, with the line of the test that gave it.
#[derive(Clone, Debug)]
struct Param {
    text: String,
    place: String,
}

/// All parameters by their full path, and which of them were asked for.
#[derive(Default)]
pub(super) struct ParamTable {
    params: BTreeMap<String, Param>,
    asked: Mutex<BTreeSet<String>>,
}

impl ParamTable {
    /// # Panics
    /// Panics if the path is given twice.
    #[track_caller]
    pub(super) fn add(&mut self, path: &str, text: &str) {
        let here = Location::caller();
        let param = Param { text: text.trim().to_owned(), place: format!("{}:{}", here.file(), here.line()) };
        let twice = self.params.insert(full(path), param).is_some();
        assert!(
            !twice,
            "parameter `{path}` is given twice; several elements are `wheel[0]`, `wheel[1]`, ..."
        );
    }

    fn find(&self, path: &str) -> Option<&Param> {
        let path = full(path);
        lock(&self.asked).insert(path.clone());
        self.params.get(&path)
    }

    /// Whether there are parameters below `path`.
    fn has_children(&self, path: &str) -> bool {
        let inside = full(path) + "/";
        self.params.keys().any(|path| path.starts_with(&inside))
    }

    /// Indices among the elements that `path` names.
    fn count(&self, path: &str) -> usize {
        let path = full(path);
        let name = path.rsplit_once('[').map_or(path.as_str(), |(name, _)| name);
        let index =
            |known: &str| Some(known.strip_prefix(name)?.strip_prefix('[')?.split_once(']')?.0.to_owned());
        let indices: BTreeSet<String> = self.params.keys().filter_map(|known| index(known)).collect();
        indices.len()
    }
}

/// The path with an index at every step that is no attribute.
fn full(path: &str) -> String {
    let steps = path.split('/').map(|step| {
        if step.starts_with('@') || step.ends_with(']') { step.to_owned() } else { format!("{step}[0]") }
    });
    steps.collect::<Vec<_>>().join("/")
}

impl TestHost {
    /// Parameters that the plugin has not asked for: a misspelt path shows here.
    #[must_use]
    pub fn unread_params(self) -> Vec<String> {
        let table = &self.shared.params;
        let asked = lock(&table.asked);
        table
            .params
            .keys()
            .filter(|path| !asked.contains(*path))
            .map(|path| path.replace("[0]", ""))
            .collect()
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
    let text = match table.find(path) {
        Some(param) => &param.text,
        None if table.has_children(path) => "",
        None => return status::NOT_FOUND,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(Str::new(text)) };
    status::OK
}

unsafe extern "C" fn count(host: *const abi::Host, path: Str) -> u64 {
    // SAFETY: as `table_and_path` needs it.
    let (table, path) = unsafe { table_and_path(host, path) };
    table.count(path) as u64
}

unsafe extern "C" fn location(host: *const abi::Host, path: Str) -> Str {
    // SAFETY: as `table_and_path` needs it.
    let (table, path) = unsafe { table_and_path(host, path) };
    table.find(path).map_or(Str::EMPTY, |param| Str::new(&param.place))
}

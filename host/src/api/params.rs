//! `bridgehead.params/1`: parameters of an instance, and a record of the requested paths.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bridgehead_abi::host::HostParams;
use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_sdf::params::{Params, RequestedPaths};

use super::caller::{caller, check_pointer, checked, text};
use super::context::lend;
use crate::guard::host_call;

pub(super) static TABLE: HostParams =
    HostParams { struct_size: HostParams::SIZE, reserved: 0, get, count, location };

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

unsafe extern "C" fn get(host: *const Host, path: Str, out: *mut Str) -> Status {
    host_call("params.get", status::PANIC, || {
        let context = caller!(host, "params.get");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "params.get"));
        // SAFETY: plugins pass a text valid for this call.
        let path = checked!(unsafe { text(&context.label, path, "params.get") });
        context.params.record(path);
        let Some(text) = context.params.tree.get(path) else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable; the tree stays as it is as long as the instance.
        unsafe { out.write(lend(text.trim())) };
        status::OK
    })
}

unsafe extern "C" fn count(host: *const Host, path: Str) -> u64 {
    host_call("params.count", 0, || {
        let context = caller!(host, "params.count", 0);
        // SAFETY: as in `get`.
        let path = unsafe { text(&context.label, path, "params.count") };
        path.map_or(0, |path| {
            context.params.record(path);
            context.params.tree.count(path) as u64
        })
    })
}

unsafe extern "C" fn location(host: *const Host, path: Str) -> Str {
    host_call("params.location", Str::EMPTY, || {
        let context = caller!(host, "params.location", Str::EMPTY);
        // SAFETY: as in `get`.
        let path = unsafe { text(&context.label, path, "params.location") }.ok();
        let place = path.and_then(|path| context.params.tree.place_of(path));
        let (Some(path), Some(place)) = (path, place) else {
            return Str::EMPTY;
        };
        let mut seen = context.params.seen();
        let text =
            seen.locations.entry(path.to_owned()).or_insert_with(|| place.to_string().into_boxed_str());
        // The box keeps its text where it is, whatever the map does.
        lend(text)
    })
}

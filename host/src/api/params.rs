//! `bridgehead.params/1`: parameters of an instance, with a note of what was asked for.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bridgehead_abi::host::HostParams;
use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_sdf::params::Params;

use super::Context;
use super::context::{lend, read};
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
    /// Paths that were asked for, without indices.
    asked: BTreeSet<String>,
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

    fn note(&self, path: &str) {
        let mut seen = self.seen();
        let plain = without_indices(path);
        if !seen.asked.contains(&plain) {
            seen.asked.insert(plain);
        }
    }

    /// Parameters that nobody asked for, with their places: misspelt, or not supported by the plugin.
    #[must_use]
    pub fn unread(&self) -> Vec<String> {
        let seen = self.seen();
        let mut unread = Vec::new();
        for child in self.tree.children() {
            collect_unread(child, child.name(), &seen.asked, &mut unread);
        }
        unread.sort();
        unread.dedup();
        unread
    }
}

/// `wheel[1]/radius` becomes `wheel/radius`.
fn without_indices(path: &str) -> String {
    let mut plain = String::with_capacity(path.len());
    let mut is_index = false;
    for character in path.chars() {
        match character {
            '[' => is_index = true,
            ']' => is_index = false,
            other if !is_index => plain.push(other),
            _ => {}
        }
    }
    plain
}

/// Collects leaves below `node` whose path was not asked for; a whole branch that nobody looked into is one. Whoever
/// asks for `path/*` takes everything below.
fn collect_unread(node: &Params, path: &str, asked: &BTreeSet<String>, unread: &mut Vec<String>) {
    if asked.contains(&format!("{path}/*")) {
        return;
    }
    let below = format!("{path}/");
    let is_opened = asked.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below));
    if !is_opened {
        if !asked.contains(path) {
            let place = node.place().map(|place| format!(" ({place})")).unwrap_or_default();
            unread.push(format!("{path}{place}"));
        }
        return;
    }
    for child in node.children() {
        collect_unread(child, &format!("{below}{}", child.name()), asked, unread);
    }
}

unsafe extern "C" fn get(host: *const Host, path: Str, out: *mut Str) -> Status {
    host_call("params.get", status::PANIC, || {
        // SAFETY: plugins pass back their host pointer and a text valid for this call.
        let (context, path) = unsafe { (Context::of(host), read(path)) };
        let Some(path) = path else {
            return status::INVALID_ARG;
        };
        context.params.note(path);
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
        // SAFETY: as in `get`.
        let (context, path) = unsafe { (Context::of(host), read(path)) };
        path.map_or(0, |path| {
            context.params.note(path);
            context.params.tree.count(path) as u64
        })
    })
}

unsafe extern "C" fn location(host: *const Host, path: Str) -> Str {
    host_call("params.location", Str::EMPTY, || {
        // SAFETY: as in `get`.
        let (context, path) = unsafe { (Context::of(host), read(path)) };
        let node = path.and_then(|path| context.params.tree.node(path.split("/@").next().unwrap_or(path)));
        let (Some(path), Some(place)) = (path, node.and_then(Params::place)) else {
            return Str::EMPTY;
        };
        let mut seen = context.params.seen();
        let text =
            seen.locations.entry(path.to_owned()).or_insert_with(|| place.to_string().into_boxed_str());
        // The box keeps its text where it is, whatever the map does.
        lend(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asked_for_is_named() {
        let tree = Params::new("plugin")
            .with_child(Params::new("radius").with_text("1"))
            .with_child(Params::new("raduis").with_text("2"))
            .with_child(
                Params::new("wheel").with_child(Params::new("joint")).with_child(Params::new("colour")),
            );
        let view = ParamsView::new(tree);
        view.note("radius");
        view.note("wheel[1]/joint");
        assert_eq!(view.unread(), ["raduis", "wheel/colour"]);
    }
}

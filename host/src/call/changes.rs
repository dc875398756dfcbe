//! Changes of the thread or the process that calls of plugins have left behind, until the result takes them.
//!
//! The process has one state, so this is a global. Usable from any thread.

use std::collections::BTreeSet;
use std::mem::take as replace;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Call, describe};
use crate::thread::lock;

/// Maximum number of changes that are reported; a plugin may make them in every step.
const MOST: usize = 1000;

static HAS_ANY: AtomicBool = AtomicBool::new(false);
static CHANGES: Mutex<Changes> = Mutex::new(Changes { waiting: Vec::new(), reported: BTreeSet::new() });

struct Changes {
    waiting: Vec<String>,
    /// Code and text of each change that was reported.
    reported: BTreeSet<(&'static str, String)>,
}

/// Logs a change and keeps it for the result, once for each plugin and call. `text` continues the sentence that begins
/// with the call. Without a call, one of the last steps has made the change.
#[cold]
pub(super) fn report(code: &'static str, call: Option<Call>, text: &str) {
    let (owner, subject) = match &call {
        Some(call) => (call.owner(), describe(*call)),
        None => ("", "a plugin, in one of the last steps,".to_owned()),
    };
    let advice = if call.is_none() { "; `--check-plugins` names the plugin and the call" } else { "" };
    let text = format!("{subject} {text}{advice}");
    let mut changes = lock(&CHANGES);
    let is_new = changes.reported.len() < MOST && changes.reported.insert((code, text.clone()));
    if !is_new {
        return;
    }
    changes.waiting.push(format!("[{code}] {text}"));
    drop(changes);
    HAS_ANY.store(true, Ordering::Release);
    if owner.is_empty() {
        log::error!("[{code}] {text}");
    } else {
        log::error!(target: owner, "[{code}] {text}");
    }
}

/// Takes the changes since the last call, in order. Cheap if there are none.
#[must_use]
pub fn take() -> Vec<String> {
    if !HAS_ANY.swap(false, Ordering::AcqRel) {
        return Vec::new();
    }
    replace(&mut lock(&CHANGES).waiting)
}

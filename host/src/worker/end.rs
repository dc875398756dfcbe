//! The end of a worker process: awaited, enforced, and in words.

use std::process::{Child, ExitStatus};
use std::time::Duration;

use crate::clock;
use crate::plugin::probe::{kill_group, signal_text};

/// How long a process may take to be gone after it has closed its sockets, or was told to end.
const GRACE: Duration = Duration::from_secs(2);

/// Waits for a process that has closed its sockets or was told to end; ends it after a while.
pub(super) fn await_end(child: &mut Child) -> Option<ExitStatus> {
    let deadline = clock::now() + GRACE;
    while clock::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
    end(child);
    None
}

/// Ends a process and those that it has started.
pub(super) fn end(child: &mut Child) {
    if matches!(child.try_wait(), Ok(None)) {
        kill_group(child.id());
    }
    if let Err(error) = child.kill().and_then(|()| child.wait().map(drop)) {
        log::warn!("worker process {} could not be ended: {error}", child.id());
    }
}

/// How a process ended, for messages.
pub(super) fn how(status: Option<ExitStatus>) -> String {
    let Some(status) = status else { return "after it had closed its sockets".to_owned() };
    signal_text(status).unwrap_or_else(|| match status.code() {
        Some(code) => format!("by `exit({code})`"),
        None => "in an unknown way".to_owned(),
    })
}

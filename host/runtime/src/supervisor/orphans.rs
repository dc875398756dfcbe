//! Processes that the host has started and left behind: those of plugins, their workers and triggers end with the run.

use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, wait};

use crate::clock;

/// Time in which they may end after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);
const LOOK: Duration = Duration::from_millis(10);

/// How often those that appear meanwhile are ended: one that forks without end wins.
const ROUNDS: u32 = 50;

/// Makes the descendants of the host children of this process when their parents end, whatever session they are in.
pub(super) fn adopt() {
    // Any process but none sets it.
    _ = set_child_subreaper(Some(getpid()));
}

/// Ends the children that are left: with SIGTERM, and with SIGKILL if that does not help. Those of `before` are not of the
/// run: a shell that became this process by `exec` may have had some, for example a `tee` that reads the log.
pub(super) fn end(before: &[libc::pid_t]) {
    let deadline = clock::now() + GRACE;
    send(&left(before), Signal::TERM);
    while !left(before).is_empty() && clock::now() < deadline {
        std::thread::sleep(LOOK);
    }
    for _ in 0..ROUNDS {
        let left = left(before);
        if left.is_empty() {
            return;
        }
        send(&left, Signal::KILL);
        std::thread::sleep(LOOK);
    }
}

/// Takes note of children that have ended, and returns the others without those of `before`.
fn left(before: &[libc::pid_t]) -> Vec<libc::pid_t> {
    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
    children().into_iter().filter(|child| !before.contains(child)).collect()
}

/// Sends a signal to children. They are not reaped, so their ids are not those of other processes.
fn send(children: &[libc::pid_t], signal: Signal) {
    for child in children.iter().filter_map(|child| Pid::from_raw(*child)) {
        _ = kill_process(child, signal);
    }
}

/// The ids of all children. This process has one thread, the main one.
pub(super) fn children() -> Vec<libc::pid_t> {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

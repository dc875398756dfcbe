//! Processes that the host has started and left behind: those of plugins, their workers and triggers end with the run.

use std::time::Duration;

use crate::clock;

/// Time in which they may end after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);
const LOOK: Duration = Duration::from_millis(10);

/// How often those that appear meanwhile are ended: one that forks without end wins.
const ROUNDS: u32 = 50;

/// Makes the descendants of the host children of this process when their parents end, whatever session they are in.
#[expect(unsafe_code, reason = "std has no such setting")]
pub(super) fn adopt() {
    // SAFETY: sets a number of the process.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
}

/// Ends the children that are left: with SIGTERM, and with SIGKILL if that does not help. Those of `before` are not of the
/// run: a shell that became this process by `exec` may have had some, for example a `tee` that reads the log.
pub(super) fn end(before: &[libc::pid_t]) {
    let deadline = clock::now() + GRACE;
    send(&left(before), libc::SIGTERM);
    while !left(before).is_empty() && clock::now() < deadline {
        std::thread::sleep(LOOK);
    }
    for _ in 0..ROUNDS {
        let left = left(before);
        if left.is_empty() {
            return;
        }
        send(&left, libc::SIGKILL);
        std::thread::sleep(LOOK);
    }
}

/// Takes note of children that have ended, and returns the others without those of `before`.
#[expect(unsafe_code, reason = "they are not children of std")]
fn left(before: &[libc::pid_t]) -> Vec<libc::pid_t> {
    // SAFETY: takes note of a child that has ended.
    while unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) } > 0 {}
    children().into_iter().filter(|child| !before.contains(child)).collect()
}

#[expect(unsafe_code, reason = "they are not children of std")]
fn send(children: &[libc::pid_t], signal: i32) {
    for child in children {
        // SAFETY: the child is not reaped, so its id is not that of another process.
        unsafe { libc::kill(*child, signal) };
    }
}

/// The ids of all children. This process has one thread, the main one.
pub(super) fn children() -> Vec<libc::pid_t> {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

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

/// Ends all children that are left: with SIGTERM, and with SIGKILL if that does not help.
pub(super) fn end() {
    let deadline = clock::now() + GRACE;
    send(libc::SIGTERM);
    while is_any() && clock::now() < deadline {
        std::thread::sleep(LOOK);
    }
    for _ in 0..ROUNDS {
        if !is_any() {
            return;
        }
        send(libc::SIGKILL);
        std::thread::sleep(LOOK);
    }
}

/// Takes note of children that have ended; returns true if others are left.
#[expect(unsafe_code, reason = "they are not children of std")]
fn is_any() -> bool {
    loop {
        // SAFETY: takes note of a child that has ended.
        match unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) } {
            0 => return true,
            -1 => return false,
            _ => {}
        }
    }
}

#[expect(unsafe_code, reason = "they are not children of std")]
fn send(signal: i32) {
    for child in children() {
        // SAFETY: the child is not reaped, so its id is not that of another process.
        unsafe { libc::kill(child, signal) };
    }
}

/// The ids of all children. This process has one thread, the main one.
fn children() -> Vec<libc::pid_t> {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

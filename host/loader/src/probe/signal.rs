//! Names of signals that end a process, and ending a process group.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, kill_process_group};

/// Returns "by SIGSEGV (…)" if a signal ended the process.
pub fn of(status: ExitStatus) -> Option<String> {
    let number = status.signal()?;
    let meaning = match number {
        libc::SIGSEGV => "SIGSEGV (invalid memory access)",
        libc::SIGBUS => "SIGBUS (memory behind a file is gone)",
        libc::SIGABRT => "SIGABRT (abort, a panic that cannot unwind, or an uncaught C++ exception)",
        libc::SIGILL => "SIGILL (illegal instruction)",
        libc::SIGFPE => "SIGFPE (arithmetic error)",
        libc::SIGTRAP => "SIGTRAP (trap)",
        libc::SIGSYS => "SIGSYS (forbidden system call)",
        libc::SIGXFSZ => "SIGXFSZ (wrote more than it may)",
        libc::SIGXCPU => "SIGXCPU (used more processor time than it may)",
        libc::SIGKILL => "SIGKILL (killed, perhaps for lack of memory)",
        libc::SIGTERM => "SIGTERM (asked to end)",
        _ => return Some(format!("by signal {number}")),
    };
    Some(format!("by {meaning}"))
}

/// Ends every process of the group of `leader`.
pub fn kill_group(leader: u32) {
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // The leader has not been waited for, so that its number still belongs to it.
        _ = kill_process_group(group, Signal::KILL);
    }
}

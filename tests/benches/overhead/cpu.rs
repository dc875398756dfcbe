//! Processor time: the cost of work, independent of other work on the machine.
//!
//! The wall clock of a shared machine includes other programs; these clocks stop while other programs run.

use std::fs;
use std::time::Duration;

/// Processor time of all threads of this process together.
pub(crate) fn process() -> Duration {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Processor time of the calling thread.
pub(crate) fn thread() -> Duration {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Processor time of all threads except the calling one.
pub(crate) fn others() -> Duration {
    process().saturating_sub(thread())
}

/// Processor time that `work` takes on the calling thread.
pub(crate) fn of(work: impl FnOnce()) -> Duration {
    let before = thread();
    work();
    thread().saturating_sub(before)
}

/// Processor time of all running processes that this one has started, together.
pub(crate) fn children() -> Duration {
    let own = std::process::id().to_string();
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<libc::pid_t>().ok());
    let is_child = |id: &libc::pid_t| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // The name of the program, in brackets, may have spaces.
        stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)) == Some(&own)
    };
    ids.filter(is_child).map(of_process).sum()
}

fn of_process(id: libc::pid_t) -> Duration {
    let mut clock = 0;
    // SAFETY: the pointer is valid for the call.
    match unsafe { libc::clock_getcpuclockid(id, &raw mut clock) } {
        0 => read(clock),
        // It has ended.
        _ => Duration::ZERO,
    }
}

fn read(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for the call. The time of a clock that does not exist is zero.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

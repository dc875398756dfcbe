//! Processor time: what work costs, whatever else the machine does meanwhile.
//!
//! The wall clock of a shared machine measures the others as well; these clocks stop while somebody else runs.

use std::time::Duration;

/// Processor time of all threads of this process together.
pub(crate) fn process() -> Duration {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Processor time of the thread that calls.
pub(crate) fn thread() -> Duration {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Processor time of all threads but the one that calls.
pub(crate) fn others() -> Duration {
    process().saturating_sub(thread())
}

/// What `work` costs the thread that calls.
pub(crate) fn of(work: impl FnOnce()) -> Duration {
    let before = thread();
    work();
    thread().saturating_sub(before)
}

fn read(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for the call. The clocks named here exist on every Linux.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

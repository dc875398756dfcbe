//! Processor time: the cost of work, independent of other work on the machine.
//!
//! The wall clock of a shared machine includes other programs; these clocks stop while other programs run.

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

fn read(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for the call. The clocks named here exist on every Linux.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

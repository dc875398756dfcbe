//! Threads of `rustdds` outlive a suspension of the process.
//!
//! If a process is suspended and continued, by a terminal, a debugger or a container that is paused, Linux interrupts
//! `epoll_wait` (signal(7)). `mio` reports that as an error, and the threads of `rustdds` for discovery and for messages end
//! at it: the participant would receive nothing for the rest of the run. As for the guard, the linker redirects the calls of
//! this library (`build.rs`). An interrupted wait counts as one in which nothing happened.

use std::ffi::c_int;

use nix::errno::Errno;

/// Waits for events; returns none if it is interrupted.
///
/// # Safety
/// As of `epoll_wait`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_epoll_wait(
    descriptor: c_int,
    events: *mut libc::epoll_event,
    length: c_int,
    timeout: c_int,
) -> c_int {
    let no_mask = std::ptr::null::<libc::sigset_t>();
    // SAFETY: as of this function; without a mask it is `epoll_wait`. The number of a system call is not redirected.
    let count = unsafe {
        libc::syscall(libc::SYS_epoll_pwait, descriptor, events, length, timeout, no_mask, size_of::<u64>())
    };
    if count < 0 && Errno::last() == Errno::EINTR {
        return 0;
    }
    c_int::try_from(count).unwrap_or(-1)
}

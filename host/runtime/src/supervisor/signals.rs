//! Signals of the supervisor: all are blocked, and waited for.

use std::ffi::c_int;
use std::mem::{MaybeUninit, zeroed};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, WaitOptions, getpid, kill_process, setrlimit, wait};

use super::Death;

/// A signal that the supervisor has received.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal {
    pub(super) number: c_int,
    /// True if the kernel has sent it, for example because of Ctrl+C: then the host has received it too.
    is_from_kernel: bool,
}

impl Signal {
    /// Returns its name if it must end a run. SIGHUP may be ignored.
    pub(super) fn ends_run(self) -> Option<&'static str> {
        match self.number {
            libc::SIGINT => Some("SIGINT"),
            libc::SIGTERM => Some("SIGTERM"),
            _ => None,
        }
    }
}

/// Blocks all signals; returns the mask of before. Children must be waited for, even if whoever started this process
/// ignores its own.
#[expect(unsafe_code, reason = "std has no signal masks")]
pub(super) fn block_all() -> libc::sigset_t {
    // SAFETY: all zeros is a valid set; both sets live for the calls.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let mut before: libc::sigset_t = zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, &every(), &raw mut before);
        before
    }
}

#[expect(unsafe_code, reason = "std has no signal masks")]
fn every() -> libc::sigset_t {
    // SAFETY: all zeros is a valid set, which the call fills.
    unsafe {
        let mut all: libc::sigset_t = zeroed();
        libc::sigfillset(&raw mut all);
        all
    }
}

/// Sets the mask of before.
#[expect(unsafe_code, reason = "std has no signal masks")]
pub(super) fn restore(mask: &libc::sigset_t) {
    // SAFETY: the set is initialised.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) };
}

/// Waits for the next signal, for at most this time.
#[expect(unsafe_code, reason = "std cannot wait for signals")]
pub(super) fn next(limit: Option<Duration>) -> Option<Signal> {
    let limit = limit.map(|limit| libc::timespec {
        tv_sec: libc::time_t::try_from(limit.as_secs()).unwrap_or(0),
        tv_nsec: limit.subsec_nanos().into(),
    });
    let limit = limit.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the set, the time and `info` live for the call; all zeros is a valid `info`.
    let (number, info) =
        unsafe { (libc::sigtimedwait(&every(), info.as_mut_ptr(), limit), info.assume_init()) };
    (number > 0).then_some(Signal { number, is_from_kernel: info.si_code == libc::SI_KERNEL })
}

/// Sends a signal to the host, unless it has received it like this process.
pub(super) fn pass_on(signal: &Signal, child: libc::pid_t) {
    if !signal.is_from_kernel {
        send(child, signal.number);
    }
}

/// Lets the supervisor look at the ledger.
pub(super) fn wake(supervisor: libc::pid_t) {
    // This process ends with the supervisor, so its id is not that of another process.
    send(supervisor, libc::SIGCHLD);
}

/// Kills the host.
pub(super) fn kill(child: libc::pid_t) {
    send(child, libc::SIGKILL);
}

/// Sends a signal to a process that is not reaped, so that its id is not that of another one.
#[expect(unsafe_code, reason = "the library sends no signals without a name")]
fn send(process: libc::pid_t, signal: c_int) {
    // SAFETY: sends a number.
    unsafe { libc::kill(process, signal) };
}

/// Takes note of all children that have changed. Returns how the host has ended, if it has.
pub(super) fn reap(host: libc::pid_t) -> Option<Death> {
    let mut death = None;
    while let Ok(Some((child, status))) = wait(WaitOptions::NOHANG | WaitOptions::UNTRACED) {
        if child.as_raw_nonzero().get() != host {
            continue;
        }
        if let Some(code) = status.exit_status() {
            death = Some(Death::Exit(u8::try_from(code).unwrap_or(u8::MAX)));
        } else if let Some(signal) = status.terminating_signal() {
            death = Some(Death::Signal(signal));
        } else if status.stopping_signal().is_some_and(|signal| signal != libc::SIGSTOP) {
            // This process stops like the host, so that a shell sees that its job has stopped (Ctrl+Z).
            _ = kill_process(getpid(), rustix::process::Signal::STOP);
        }
    }
    death
}

/// Ends this process by a signal, without a core file: that of the host has the cause.
#[expect(unsafe_code, reason = "std sends no signals")]
pub(super) fn end_by(signal: c_int) {
    _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    // SAFETY: the default action ends the process.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut only: libc::sigset_t = zeroed();
        libc::sigaddset(&raw mut only, signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const only, std::ptr::null_mut());
        libc::raise(signal);
    }
}

/// Returns the name of a signal.
pub(super) fn name(signal: c_int) -> String {
    signal_hook::low_level::signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
}

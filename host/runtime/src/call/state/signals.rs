//! The signal mask and the alternate signal stack of a thread, and the handlers of signals that end a run or report a crash.

use std::ffi::c_int;
use std::mem::zeroed;
use std::sync::OnceLock;

use super::super::{Call, Rule, breaches};
use super::{Cost, State};

/// The mask of all threads of the host.
static MASK: OnceLock<libc::sigset_t> = OnceLock::new();

/// Records the mask.
pub(super) fn keep_mask() {
    MASK.get_or_init(mask);
}

/// Restores and reports the mask of this thread.
pub(super) fn check_mask(call: Option<Call>) {
    let Some(kept) = MASK.get() else { return };
    if !is_same_mask(&mask(), kept) {
        restore_mask(kept);
        let text = "changed the signal mask of a thread of the host; it was restored";
        drop(breaches::change(Rule::SignalMask, call, text));
    }
}

#[expect(unsafe_code, reason = "std has no signal masks")]
pub(super) fn mask() -> libc::sigset_t {
    // SAFETY: all zeros is a valid set; without a new set the call only writes to `current`.
    unsafe {
        let mut current: libc::sigset_t = zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &raw mut current);
        current
    }
}

#[expect(unsafe_code, reason = "std has no signal masks")]
pub(super) fn is_same_mask(one: &libc::sigset_t, other: &libc::sigset_t) -> bool {
    // SAFETY: both sets are initialised; numbers outside of the set give -1 for both.
    (1..=libc::SIGRTMAX())
        .all(|signal| unsafe { libc::sigismember(one, signal) == libc::sigismember(other, signal) })
}

#[expect(unsafe_code, reason = "std has no signal masks")]
fn restore_mask(mask: &libc::sigset_t) {
    // SAFETY: the set is initialised.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) };
}

/// Signals that must end a run.
const ENDING: [c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Signals whose handlers report a crash, or keep a signal from ending the process.
const REPORTING: [c_int; 18] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGABRT,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGIO,
    libc::SIGPWR,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGPIPE,
    libc::SIGCHLD,
];

/// The handlers of the signals that end a run.
pub(super) struct Ending([libc::sigaction; ENDING.len()]);

/// The other handlers of the host.
pub(super) struct Crashes([libc::sigaction; REPORTING.len()]);

impl State for Ending {
    const RULE: Rule = Rule::SignalHandler;
    const COST: Cost = Cost::Low;

    fn read() -> Option<Self> {
        Some(Ending(ENDING.map(action)))
    }

    fn change(&self) -> Option<String> {
        let names = replaced(&ENDING, &self.0)?;
        Some(format!("replaced the handler of {names}, which ends a run"))
    }

    fn restore(&self) -> bool {
        restore_all(&ENDING, &self.0)
    }
}

impl State for Crashes {
    const RULE: Rule = Rule::SignalHandler;
    const COST: Cost = Cost::Medium;

    fn read() -> Option<Self> {
        Some(Crashes(REPORTING.map(action)))
    }

    fn change(&self) -> Option<String> {
        let names = replaced(&REPORTING, &self.0)?;
        Some(format!("replaced the handler of {names}, which belongs to the host"))
    }

    fn restore(&self) -> bool {
        restore_all(&REPORTING, &self.0)
    }
}

/// Names the signals whose handlers are others now.
fn replaced(signals: &[c_int], kept: &[libc::sigaction]) -> Option<String> {
    let changed = signals.iter().zip(kept).filter(|(signal, kept)| !is_action(**signal, kept));
    let name = |(signal, _): (&c_int, _)| signal_hook::low_level::signal_name(*signal).unwrap_or("a signal");
    let names: Vec<&str> = changed.map(name).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

#[expect(unsafe_code, reason = "std cannot read the actions of signals")]
pub(super) fn action(signal: c_int) -> libc::sigaction {
    // SAFETY: all zeros is a valid `sigaction`; without a new action the call only writes to `current`.
    unsafe {
        let mut current: libc::sigaction = zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut current);
        current
    }
}

fn is_action(signal: c_int, kept: &libc::sigaction) -> bool {
    action(signal).sa_sigaction == kept.sa_sigaction
}

#[cold]
#[expect(unsafe_code, reason = "std cannot write the actions of signals")]
fn restore_all(signals: &[c_int], kept: &[libc::sigaction]) -> bool {
    signals.iter().zip(kept).all(|(signal, kept)| {
        // SAFETY: the action was read from the system.
        is_action(*signal, kept) || unsafe { libc::sigaction(*signal, kept, std::ptr::null_mut()) == 0 }
    })
}

/// The stack on which handlers of signals run: without it, nobody reports a stack overflow.
pub(super) struct AlternateStack(libc::stack_t);

impl State for AlternateStack {
    const RULE: Rule = Rule::SignalStack;
    const COST: Cost = Cost::Medium;
    const IS_OF_THREAD: bool = true;

    #[expect(unsafe_code, reason = "std cannot read the stack")]
    fn read() -> Option<Self> {
        // SAFETY: all zeros is a valid description; without a new stack the call only writes to it.
        unsafe {
            let mut stack: libc::stack_t = zeroed();
            (libc::sigaltstack(std::ptr::null(), &raw mut stack) == 0).then_some(AlternateStack(stack))
        }
    }

    fn change(&self) -> Option<String> {
        let now = Self::read()?;
        let is_same = now.0.ss_sp == self.0.ss_sp && now.0.ss_size == self.0.ss_size;
        (!is_same).then(|| "replaced the alternate signal stack of a thread of the host".to_owned())
    }

    #[expect(unsafe_code, reason = "std cannot write the stack")]
    fn restore(&self) -> bool {
        // SAFETY: the stack is that of this thread from before the call.
        unsafe { libc::sigaltstack(&raw const self.0, std::ptr::null_mut()) == 0 }
    }
}

// SAFETY: the pointer is only compared, and given back to the system.
#[expect(unsafe_code, reason = "a pointer of the system")]
unsafe impl Send for AlternateStack {}

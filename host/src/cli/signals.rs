//! SIGINT, SIGTERM and SIGHUP: the first requests the end of the run, a later one ends the process at once.
//!
//! A separate thread waits for them, so that a run that hangs can still be ended. The process then ends without
//! running exit handlers, because those of a plugin may hang.
//!
//! A closed terminal may send SIGHUP several times, from the shell and from the kernel, and service managers send SIGTERM
//! together with SIGHUP. What comes within [`TOGETHER`] of the first signal is the same request, and SIGHUP is never a
//! second one, because the run should end with its result. `nohup` starts a program with SIGHUP ignored, and it stays
//! ignored.
//!
//! SIGXFSZ is handled by doing nothing, so that a write beyond the limit of file sizes (`ulimit -f`) fails like one on a
//! full disk, instead of ending the process.

use std::ffi::c_int;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::ledger;
use crate::{clock, crash, thread};

/// How long after the first signal another one is the same request: longer than two that are sent at once are apart, and
/// shorter than a person waits before pressing Ctrl+C again.
const TOGETHER: Duration = Duration::from_millis(500);

/// The reaction to a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaction {
    /// Request the end of the run because of this signal.
    Ask(&'static str),
    /// End the process with this code.
    Exit(c_int),
    /// None.
    Nothing,
}

/// Calls `ask` with the signal's name on the first signal that ends a run, on a separate thread. On a later one, calls
/// `leave` with its name and the exit code, and ends the process.
///
/// # Errors
/// Returns an error if the signals cannot be handled, or the thread cannot be created.
pub(super) fn watch(
    ask: impl FnOnce(&'static str) + Send + 'static,
    leave: impl Fn(&'static str, u8) + Send + 'static,
) -> io::Result<()> {
    // Not ignored with SIG_IGN, which the programs of triggers would inherit.
    signal_hook::flag::register(libc::SIGXFSZ, Arc::default())?;
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let mut ask = Some(ask);
    let waiting = move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            ledger::set_signal();
            let now = clock::now();
            let since = first.map(|first| now.saturating_duration_since(first));
            first.get_or_insert(now);
            match (react(signal, since), ask.take()) {
                (Reaction::Ask(name), Some(ask)) => ask(name),
                (Reaction::Ask(_), None) | (Reaction::Nothing, _) => {}
                (Reaction::Exit(code), _) => {
                    let code = u8::try_from(code).unwrap_or(u8::MAX);
                    leave(name(signal), code);
                    crash::leave(code);
                }
            }
        }
    };
    // The thread waits until the process ends; it is not joined.
    drop(thread::spawn("signals", waiting)?);
    ledger::set_takes_signals();
    Ok(())
}

/// Returns true if a signal was ignored when the program started.
#[expect(unsafe_code, reason = "std cannot read the actions of signals")]
fn is_ignored(signal: c_int) -> bool {
    // SAFETY: all zeros is a valid `sigaction`; without a new action the call only writes to `current`.
    unsafe {
        let mut current: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut current) == 0
            && current.sa_sigaction == libc::SIG_IGN
    }
}

/// Returns the reaction to a signal, `since` after the first one. The exit code is that of shells for processes ended by a
/// signal: 128 plus its number.
fn react(signal: c_int, since: Option<Duration>) -> Reaction {
    match since {
        None => Reaction::Ask(name(signal)),
        Some(since) if signal == SIGHUP || since < TOGETHER => Reaction::Nothing,
        Some(_) => Reaction::Exit(128 + signal),
    }
}

fn name(signal: c_int) -> &'static str {
    match signal {
        SIGTERM => "SIGTERM",
        SIGHUP => "SIGHUP",
        _ => "SIGINT",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [c_int; 3] = [SIGINT, SIGTERM, SIGHUP];

    #[test]
    fn the_first_signal_asks_for_the_end() {
        assert_eq!(ALL.map(|signal| react(signal, None)), ["SIGINT", "SIGTERM", "SIGHUP"].map(Reaction::Ask));
    }

    #[test]
    fn signals_sent_together_are_one_request() {
        for since in [Duration::ZERO, Duration::from_millis(50), TOGETHER - Duration::from_nanos(1)] {
            assert_eq!(ALL.map(|signal| react(signal, Some(since))), [Reaction::Nothing; 3]);
        }
    }

    #[test]
    fn a_later_signal_ends_the_process_but_a_closed_terminal_never_does() {
        for since in [TOGETHER, Duration::from_secs(60)] {
            let reactions = [Reaction::Exit(130), Reaction::Exit(143), Reaction::Nothing];
            assert_eq!(ALL.map(|signal| react(signal, Some(since))), reactions);
        }
    }
}

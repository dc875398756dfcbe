//! SIGINT, SIGTERM and SIGHUP: the first requests the end of the run, the second ends the process at once.
//!
//! A separate thread waits for them, so that a run that hangs can still be ended. The process then ends without
//! running exit handlers, because those of a plugin may hang.
//!
//! A closed terminal may send SIGHUP several times, from the shell and from the kernel. Only the first one counts,
//! because the run should end with its result. `nohup` starts a program with SIGHUP ignored, and it stays ignored.
//!
//! SIGXFSZ is handled by doing nothing, so that a write beyond the limit of file sizes (`ulimit -f`) fails like one on a
//! full disk, instead of ending the process.

use std::ffi::c_int;
use std::io;
use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::{terminal, thread};

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

/// Calls `ask` with the signal's name on the first signal that ends a run, on a separate thread. On the second, calls
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
        for signal in signals.forever() {
            match (react(signal, ask.is_none()), ask.take()) {
                (Reaction::Ask(name), Some(ask)) => ask(name),
                (Reaction::Ask(_), None) | (Reaction::Nothing, _) => {}
                (Reaction::Exit(code), _) => {
                    leave(name(signal), u8::try_from(code).unwrap_or(u8::MAX));
                    terminal::restore();
                    signal_hook::low_level::exit(code);
                }
            }
        }
    };
    // The thread waits until the process ends; it is not joined.
    drop(thread::spawn("signals", waiting)?);
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

/// Returns the exit code of shells for processes ended by a signal: 128 plus its number.
fn react(signal: c_int, was_asked: bool) -> Reaction {
    match signal {
        SIGHUP if was_asked => Reaction::Nothing,
        _ if was_asked => Reaction::Exit(128 + signal),
        _ => Reaction::Ask(name(signal)),
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

    #[test]
    fn the_second_signal_ends_the_process() {
        assert_eq!(react(SIGINT, false), Reaction::Ask("SIGINT"));
        assert_eq!(react(SIGTERM, false), Reaction::Ask("SIGTERM"));
        assert_eq!(react(SIGINT, true), Reaction::Exit(130));
        assert_eq!(react(SIGTERM, true), Reaction::Exit(143));
    }

    #[test]
    fn a_closed_terminal_ends_the_run_and_never_the_process_at_once() {
        assert_eq!(react(SIGHUP, false), Reaction::Ask("SIGHUP"));
        assert_eq!(react(SIGHUP, true), Reaction::Nothing);
    }
}

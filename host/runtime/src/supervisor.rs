//! The process that watches a run from outside, so that no run ends with nothing said.
//!
//! A plugin can do everything that its process can: call `_exit(0)`, close or replace standard error, kill the process, or
//! lower its limits so far that nothing can be written any more. So [`supervise`] forks: the child is the host, and the
//! parent waits with descriptors and limits of its own. It passes signals on, ends as the host has ended, and ends what the
//! host has left running. Both share a [`ledger`], in which the host says that it has ended and which calls are running;
//! if it ends without that, the supervisor says so. Main thread, before there are other ones.

mod orphans;
mod signals;

use std::ffi::c_int;
use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, getppid, set_parent_process_death_signal};

use crate::ledger::{self, Ending, Ledger, ResultFile};
use crate::{clock, terminal};

/// Exit code of a run that ended without a result: that of an aborted one.
const ABORTED: u8 = 16;

/// Time that the handlers of `exit` may take once the run is over.
const EXIT_GRACE: Duration = Duration::from_secs(10);

/// Time in which the thread that handles signals must have seen one: it does nothing else.
const SIGNAL_GRACE: Duration = Duration::from_millis(1500);

/// Interval of looking whether a deadline has passed.
const LOOK: Duration = Duration::from_millis(50);

/// How the process of a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Death {
    Exit(u8),
    Signal(c_int),
}

/// What is left to be said about a run.
#[derive(Debug)]
pub struct Remainder {
    /// What the process has not said about its end, `[CODE] text`; `None` if it has said everything.
    pub unsaid: Option<String>,
    /// Why the run has ended.
    pub cause: String,
    /// The exit code that its result must have.
    pub exit_code: u8,
    /// The last step.
    pub step: u64,
    /// Simulated time, ns.
    pub time_ns: i64,
    /// True if the process has written no result.
    pub lacks_result: bool,
}

/// Why the process was killed by its supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Killed {
    /// It did not end after the run.
    Lingering,
    /// No thread of it takes signals any more.
    Deaf(&'static str),
}

/// Runs `host` in a process of its own, and returns its exit code: in that process once the run is over, and in this one
/// after that process has ended and `report` has said what it has not. If a signal has ended that process, this one ends
/// likewise. Without a second process, which the system may refuse, `host` runs in this one. The caller must end the
/// process, in which signals may be blocked afterwards.
pub fn supervise(host: impl FnOnce() -> u8, report: impl FnOnce(&Remainder)) -> u8 {
    let Ok(ledger) = Ledger::shared() else { return host() };
    let (mask, supervisor) = (signals::block_all(), id());
    let before = orphans::children();
    terminal::remember();
    match fork() {
        Ok(0) => {
            die_with(supervisor);
            ledger::share(ledger);
            signals::restore(&mask);
            let exit_code = host();
            ledger::set_ending(Ending::Exit(exit_code));
            signals::wake(supervisor);
            exit_code
        }
        Ok(child) => {
            let (death, killed) = watch(child, ledger);
            orphans::end(&before);
            let remainder = remainder(ledger, death, killed);
            terminal::restore();
            report(&remainder);
            // Signals stay blocked: one that comes now does not change how the run has ended.
            if let Some(signal) = ends_by(ledger, death, killed) {
                signals::end_by(signal);
            }
            remainder.exit_code
        }
        Err(error) => {
            signals::restore(&mask);
            log::debug!("the run has no supervisor: {error}");
            host()
        }
    }
}

#[expect(unsafe_code, reason = "std does not fork")]
fn fork() -> io::Result<libc::pid_t> {
    // SAFETY: the process has one thread, so the child may do whatever its parent may.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        child => Ok(child),
    }
}

/// The id of this process.
fn id() -> libc::pid_t {
    getpid().as_raw_nonzero().get()
}

/// Makes the end of the supervisor that of the host: whoever kills the process that was started means the run.
fn die_with(supervisor: libc::pid_t) {
    _ = set_parent_process_death_signal(Some(Signal::KILL));
    // It may have ended before.
    if getppid() != Pid::from_raw(supervisor) {
        crate::crash::leave(ABORTED);
    }
}

/// Waits for the end of the host, and passes signals on.
fn watch(child: libc::pid_t, ledger: &Ledger) -> (Death, Option<Killed>) {
    orphans::adopt();
    let mut deadlines = Deadlines::default();
    let mut killed = None;
    loop {
        if let Some(signal) = signals::next(deadlines.is_any().then_some(LOOK)) {
            deadlines.woken(&signal, ledger, clock::now());
            if signal.number != libc::SIGCHLD {
                signals::pass_on(&signal, child);
            } else if let Some(death) = signals::reap(child) {
                return (death, killed);
            }
        }
        if let Some(reason) = deadlines.passed(ledger, clock::now()).filter(|_| killed.is_none()) {
            killed = Some(reason);
            signals::kill(child);
        }
    }
}

/// What the host must do in time.
#[derive(Debug, Default)]
struct Deadlines {
    /// A signal that must end the run, and its time.
    signal: Option<(&'static str, Instant)>,
    /// Since when the run is over.
    over: Option<Instant>,
}

impl Deadlines {
    fn is_any(&self) -> bool {
        self.signal.is_some() || self.over.is_some()
    }

    /// Takes note of a signal, and of what the host has said by now.
    fn woken(&mut self, signal: &signals::Signal, ledger: &Ledger, now: Instant) {
        if let Some(name) = signal.ends_run() {
            self.signal.get_or_insert((name, now));
        }
        if matches!(ledger.ending(), Some(Ending::Exit(_))) {
            self.over.get_or_insert(now);
        }
    }

    fn passed(&self, ledger: &Ledger, now: Instant) -> Option<Killed> {
        let is_over = |since: Instant, limit| now.saturating_duration_since(since) > limit;
        if self.over.is_some_and(|since| is_over(since, EXIT_GRACE)) {
            return Some(Killed::Lingering);
        }
        let (name, since) = self.signal?;
        let is_deaf = ledger.ending().is_none() && ledger.takes_signals() && !ledger.has_signal();
        (is_deaf && is_over(since, SIGNAL_GRACE)).then_some(Killed::Deaf(name))
    }
}

/// Finds out what the host has not said.
fn remainder(ledger: &Ledger, death: Death, killed: Option<Killed>) -> Remainder {
    let ending = ledger.ending();
    let was_said = match (ending, death) {
        (Some(Ending::Exit(code)), Death::Exit(exit)) => code == exit,
        (Some(Ending::Signal(_)), Death::Signal(_)) => true,
        _ => false,
    };
    let is_over = matches!(ending, Some(Ending::Exit(_)));
    let unsaid = (!was_said).then(|| match (killed, ending) {
        (Some(Killed::Deaf(signal)), _) => deaf(ledger, signal),
        (_, Some(Ending::Exit(code))) => late(death, code),
        _ => unsaid(ledger, death),
    });
    let words = ledger.words();
    let cause = match &unsaid {
        Some(text) => text.clone(),
        None if words.is_empty() => format!("[BH-SIM-904] {}; it could not write its result", died(death)),
        None => words.trim().trim_start_matches("error").replacen("]: ", "] ", 1),
    };
    Remainder {
        cause,
        exit_code: match (ending, death) {
            (Some(Ending::Exit(code)), _) => code,
            _ if killed.is_some() => ABORTED,
            (_, Death::Signal(signal)) => 128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)),
            (_, Death::Exit(_)) => ABORTED,
        },
        step: ledger.step(),
        time_ns: ledger.time_ns(),
        lacks_result: match ledger.result() {
            ResultFile::Written => false,
            ResultFile::Unwritten => true,
            // A command line that was wrong has been answered.
            ResultFile::None => !is_over,
        },
        unsaid,
    }
}

/// Describes an end of which the host has said nothing.
fn unsaid(ledger: &Ledger, death: Death) -> String {
    let calls = ledger.calls();
    let calls = match calls.len() {
        0 => "outside of any call to a plugin".to_owned(),
        _ => format!("in {}", calls.join(" and in ")),
    };
    let (what, step) = (died(death), ledger.step());
    let counts =
        if matches!(death, Death::Exit(_)) { "; the run counts as aborted (exit code 16)" } else { "" };
    format!("[BH-SIM-904] {what} before the run was over, after step {step}, {calls}{counts}")
}

fn deaf(ledger: &Ledger, signal: &str) -> String {
    let step = ledger.step();
    format!(
        "[BH-SIM-906] no thread of the process took {signal} within {SIGNAL_GRACE:?}, after step {step}; it was killed"
    )
}

fn late(death: Death, code: u8) -> String {
    format!(
        "[BH-SIM-905] the run was over with exit code {code}, but its process ended otherwise: {}",
        died(death)
    )
}

fn died(death: Death) -> String {
    match death {
        Death::Exit(code) => format!("the process of the run ended with exit code {code}"),
        Death::Signal(signal) => format!("the process of the run was ended by {}", signals::name(signal)),
    }
}

/// Returns the signal that must end this process too.
fn ends_by(ledger: &Ledger, death: Death, killed: Option<Killed>) -> Option<c_int> {
    match (death, ledger.ending()) {
        (Death::Exit(_), _) | (_, Some(Ending::Exit(_))) => None,
        (Death::Signal(signal), _) => killed.is_none().then_some(signal),
    }
}

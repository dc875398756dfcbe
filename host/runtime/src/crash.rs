//! Crash reports: names the plugin that ended the process by a crash, which cannot be contained within the process, or
//! by `exit`, which would make the run look successful.
//!
//! The handlers of [`watch`] report the call that [`call`] has recorded for the thread. A handler may neither
//! allocate nor lock; it makes one `write`, and lets [`last`] write the result. Usable from any thread.

mod last;

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::call::{self, Call, Rule};
use crate::ledger::{self, Ending};
use crate::terminal;

/// Exit code of a process that a plugin ended with `exit`: the code of an aborted run.
const ABORTED: u8 = 16;

/// Signals that end a faulty process.
const SIGNALS: [(c_int, &str); 7] = [
    (libc::SIGSEGV, "SIGSEGV (invalid memory access)"),
    (libc::SIGBUS, "SIGBUS (memory behind a file is gone)"),
    (libc::SIGABRT, "SIGABRT (abort, a panic that cannot unwind, or an uncaught C++ exception)"),
    (libc::SIGILL, "SIGILL (illegal instruction)"),
    (libc::SIGFPE, "SIGFPE (arithmetic error)"),
    (libc::SIGTRAP, "SIGTRAP (trap instruction)"),
    (libc::SIGSYS, "SIGSYS (forbidden system call)"),
];

/// Signals that end a process without a fault, if nobody handles them: plugins and other processes send them. The thread
/// that receives one has nothing to do with it.
const STRAY: [(c_int, &str); 9] = [
    (libc::SIGALRM, "SIGALRM (`alarm`, `setitimer`)"),
    (libc::SIGVTALRM, "SIGVTALRM (`setitimer`)"),
    (libc::SIGPROF, "SIGPROF (`setitimer`, profilers)"),
    (libc::SIGUSR1, "SIGUSR1"),
    (libc::SIGUSR2, "SIGUSR2"),
    (libc::SIGIO, "SIGIO (`O_ASYNC`)"),
    (libc::SIGPWR, "SIGPWR"),
    (libc::SIGSTKFLT, "SIGSTKFLT"),
    (libc::SIGXCPU, "SIGXCPU (`ulimit -t`)"),
];

// Handlers of signals and of `exit` get no custom arguments, so they use globals.

/// True while a run is in progress.
static IS_WATCHING: AtomicBool = AtomicBool::new(false);
/// True after a report was written: an abort may follow a segmentation fault.
static WAS_REPORTED: AtomicBool = AtomicBool::new(false);
/// Previous actions of the signals, in their order.
static PREVIOUS: OnceLock<[libc::sigaction; SIGNALS.len()]> = OnceLock::new();

/// A watched run; the watch ends on drop.
#[must_use]
#[derive(Debug)]
pub struct Watch(());

impl Drop for Watch {
    fn drop(&mut self) {
        // The run has ended on this thread, although another one crashes.
        last::stop_if_crashing();
        IS_WATCHING.store(false, Ordering::Release);
    }
}

/// Reports the plugin that ends the process, from now on. The handlers stay installed; a second watch uses them again.
pub fn watch() -> Watch {
    IS_WATCHING.store(true, Ordering::Release);
    PREVIOUS.get_or_init(|| {
        widen_signal_stack();
        install()
    });
    Watch(())
}

/// Bytes of the alternate signal stack: the handler for stack overflows, and within it that for its abort. Each signal
/// takes 3.6 KB for the registers of AVX-512, and std's stack has 8 KB.
const SIGNAL_STACK: usize = 64 * 1024;

/// Gives the thread of the simulation an alternate signal stack on which handlers have room within each other.
#[expect(unsafe_code, reason = "std does not set the size of its alternate stack")]
fn widen_signal_stack() {
    let room = Box::leak(vec![0_u8; SIGNAL_STACK].into_boxed_slice());
    // SAFETY: the stack lives as long as the process, and nothing else uses it. The thread is not on its alternate stack.
    unsafe {
        let stack = libc::stack_t { ss_sp: room.as_mut_ptr().cast(), ss_flags: 0, ss_size: room.len() };
        libc::sigaltstack(&raw const stack, std::ptr::null_mut());
    }
}

/// Ends the process at once, without any exit handlers: a thread does not respond, and a handler could wait for it
/// forever.
#[expect(unsafe_code, reason = "std runs the handlers of `exit`")]
pub fn leave(exit_code: u8) -> ! {
    ledger::set_ending(Ending::Exit(exit_code));
    terminal::restore();
    // SAFETY: ends the process.
    unsafe { libc::_exit(c_int::from(exit_code)) }
}

/// Ends the process at once, as an aborted run: a plugin has taken what the host cannot go on without. The cause was logged.
pub fn give_up(cause: String) {
    if let Some(hook) = take_hook() {
        drop(catch_unwind(AssertUnwindSafe(|| hook(cause, ABORTED))));
    }
    leave(ABORTED)
}

/// Kills the process with SIGABRT, without a report.
#[expect(unsafe_code, reason = "handlers do not see std's abort")]
pub fn kill() -> ! {
    ledger::set_ending(Ending::Signal(libc::SIGABRT));
    WAS_REPORTED.store(true, Ordering::Release);
    terminal::restore();
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

/// The callback for a watched run that does not end by itself; its arguments are the report and the exit code.
type Hook = Box<dyn FnOnce(String, u8) + Send>;

static AT_END: Mutex<Option<Hook>> = Mutex::new(None);

/// Sets a callback for the case that the process is ended by a crash or with `exit` while a run is watched. It must not
/// wait, because the thread that ends the process may hold any lock.
pub fn at_end(hook: impl FnOnce(String, u8) + Send + 'static) {
    *AT_END.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
}

fn take_hook() -> Option<Hook> {
    AT_END.try_lock().ok().and_then(|mut hook| hook.take())
}

/// Installs the handlers. Returns the previous actions.
#[expect(unsafe_code, reason = "std has no handlers for signals and exit")]
fn install() -> [libc::sigaction; SIGNALS.len()] {
    // SAFETY: the handler does only what a handler of `exit` may. If registration fails, exits are not reported.
    unsafe { libc::atexit(on_exit) };
    last::prepare();
    STRAY.iter().for_each(|(signal, _)| watch_stray(*signal));
    SIGNALS.map(|(signal, _)| {
        // SAFETY: all zeros is a valid `sigaction`; both pointers are valid for the calls, and the handler does
        // only what a signal handler may. It runs on the alternate stack, since a stack may be what has ended.
        unsafe {
            let mut ours: libc::sigaction = std::mem::zeroed();
            let mut before: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = on_signal as *const () as libc::sighandler_t;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const ours, &raw mut before);
            before
        }
    })
}

/// Reports a stray signal before it ends the process, unless something else is done with it.
#[expect(unsafe_code, reason = "std has no handlers for signals")]
fn watch_stray(signal: c_int) {
    // SAFETY: all zeros is a valid `sigaction`; the pointers are valid for the calls, and the handler does only what a
    // signal handler may.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action);
        if action.sa_sigaction == libc::SIG_DFL {
            action.sa_sigaction = on_stray as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Names the signal, then lets the default end the process.
#[expect(unsafe_code, reason = "a signal handler")]
extern "C" fn on_stray(signal: c_int) {
    let name = STRAY.iter().find(|(known, _)| *known == signal).map_or("a signal", |(_, name)| name);
    if IS_WATCHING.load(Ordering::Acquire) && !call::is_child() {
        terminal::restore();
        let mut line = Line::new();
        line.add("error[BH-SIM-903]: the process was ended by ")
            .add(name)
            .add(", which a plugin or another process has caused\n  try: `--check-plugins` names plugins that start the alarm timer\n")
            .write();
        line.tell(Ending::Signal(signal));
        last::write_result(&line, signal);
    }
    // SAFETY: restores the default, which ends the process.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Reports the crash, then lets the previous action or the default run.
#[expect(unsafe_code, reason = "a signal handler")]
extern "C" fn on_signal(signal: c_int, info: *const libc::siginfo_t, _: *mut c_void) {
    if !call::is_child() {
        terminal::restore();
    }
    let place = SIGNALS.iter().position(|(known, _)| *known == signal).unwrap_or_default();
    if IS_WATCHING.load(Ordering::Acquire) && !WAS_REPORTED.swap(true, Ordering::AcqRel) {
        let line = report_crash(SIGNALS[place].1);
        if !call::is_child() {
            line.tell(Ending::Signal(signal));
            last::write_result(&line, signal);
        }
    } else if !call::is_child() {
        // A second thread crashes, or the one that writes the result.
        last::write_result(&Line::new(), signal);
    }
    // SAFETY: a fault occurs again, because its instruction is repeated, and meets the previous action, which handles
    // stack overflows. A signal that was sent is sent again and meets the default.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        let was_sent = (*info).si_code <= 0;
        let before =
            PREVIOUS.get().filter(|_| !was_sent).map_or(&raw const default, |all| &raw const all[place]);
        libc::sigaction(signal, before, std::ptr::null_mut());
        if was_sent {
            libc::raise(signal);
        }
    }
}

fn report_crash(signal: &str) -> Line {
    let mut line = Line::new();
    match call::current() {
        Some(call) if call::is_child() => line
            .add("error[")
            .add(Rule::Fork.code())
            .add("]: a process that ")
            .add_call(call)
            .add(" has forked crashed: "),
        Some(call) => line.add("error[BH-PLG-108]: ").add_call(call).add(" crashed the process: "),
        None => line.add("error[BH-SIM-901]: the process crashed outside of any call to a plugin: "),
    };
    line.add(signal)
        .add("\n  try: run it under a debugger, or `bridgehead plugin probe` on its file\n")
        .write();
    line
}

/// Ends the process after `exit` in a plugin, with the exit code of an aborted run, because the run has no result.
#[expect(unsafe_code, reason = "a handler of `exit`")]
extern "C" fn on_exit() {
    // A process that a plugin has forked may end as it likes.
    if !IS_WATCHING.load(Ordering::Acquire) || call::is_child() {
        return;
    }
    let mut line = Line::new();
    line.add("error[BH-PLG-109]: ");
    match call::current() {
        Some(call) => line.add_call(call),
        None => line.add("a thread that the host does not know"),
    };
    line.add(" ended the process with `exit`; the run counts as aborted (exit code 16)\n").write();
    line.tell(Ending::Exit(ABORTED));
    terminal::restore();
    if let Some(hook) = take_hook() {
        // A panic must not leave a handler of C.
        drop(catch_unwind(AssertUnwindSafe(|| hook(line.finding(), ABORTED))));
    }
    // SAFETY: ends the process without running further handlers, which may be the plugin's.
    unsafe { libc::_exit(c_int::from(ABORTED)) };
}

/// Bytes of the longest line.
const LINE: usize = 512;

/// A text in a fixed buffer; longer text is truncated.
struct Line {
    bytes: [u8; LINE],
    len: usize,
}

impl Line {
    fn new() -> Self {
        Line { bytes: [0; LINE], len: 0 }
    }

    fn add(&mut self, text: &str) -> &mut Self {
        let room = self.bytes.iter_mut().skip(self.len);
        self.len += room.zip(text.bytes()).map(|(to, from)| *to = from).count();
        self
    }

    fn add_call(&mut self, call: Call) -> &mut Self {
        if call.name().is_empty() {
            return self.add("thread `").add(call.owner()).add("`");
        }
        self.add("`").add(call.name()).add("` of plugin `").add(call.owner()).add("`")
    }

    fn add_byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Returns the line in the form of results: `[CODE] text`, without advice.
    fn finding(&self) -> String {
        let text = String::from_utf8_lossy(self.bytes());
        let first = text.lines().next().unwrap_or_default();
        first.trim_end().trim_start_matches("error").replacen("]: ", "] ", 1)
    }

    /// Tells the supervisor how the process ends, and why.
    fn tell(&self, ending: Ending) {
        let text = self.bytes().split(|byte| *byte == b'\n').next().unwrap_or_default();
        ledger::set_words(text.strip_prefix(b"error").unwrap_or(text));
        ledger::set_ending(ending);
    }

    /// Writes to standard error without locks.
    #[expect(unsafe_code, reason = "std's standard error takes a lock")]
    fn write(&self) {
        // SAFETY: the first `len` bytes are initialised.
        unsafe { libc::write(libc::STDERR_FILENO, self.bytes.as_ptr().cast(), self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_truncated() {
        let mut line = Line::new();
        line.add(&"x".repeat(1000)).add("y");
        assert_eq!((line.len, line.bytes[511]), (512, b'x'));
    }
}

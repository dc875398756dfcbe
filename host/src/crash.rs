//! Crash reports: names the plugin that ended the process by a crash, which cannot be contained within the process, or
//! by `exit`, which would make the run look successful.
//!
//! Calls into plugins are made within [`during`], which records the call for its thread. The handlers of [`watch`]
//! report the recorded call. A handler may neither allocate nor lock; it makes one `write`. Usable from any thread.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::terminal;

/// Exit code of a process that a plugin ended with `exit`: the code of an aborted run.
const ABORTED: c_int = 16;

/// Signals that end a faulty process.
const SIGNALS: [(c_int, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV (invalid memory access)"),
    (libc::SIGBUS, "SIGBUS (memory behind a file is gone)"),
    (libc::SIGABRT, "SIGABRT (abort, a panic that cannot unwind, or an uncaught C++ exception)"),
    (libc::SIGILL, "SIGILL (illegal instruction)"),
    (libc::SIGFPE, "SIGFPE (arithmetic error)"),
];

/// A call into a plugin. Points to the name of its owner, which outlives the call.
#[derive(Clone, Copy)]
struct Call {
    owner: *const str,
    name: &'static str,
}

thread_local! {
    /// The current call of this thread. Const-initialised and without a destructor, so that a signal handler may read
    /// it.
    static CURRENT: Cell<Option<Call>> = const { Cell::new(None) };
}

// Handlers of signals and of `exit` get no custom arguments, so they use globals.

/// True while a run is in progress.
static IS_WATCHING: AtomicBool = AtomicBool::new(false);
/// True after a report was written: an abort may follow a segmentation fault.
static WAS_REPORTED: AtomicBool = AtomicBool::new(false);
/// Previous actions of the signals, in their order.
static PREVIOUS: OnceLock<[libc::sigaction; SIGNALS.len()]> = OnceLock::new();

/// Runs `body`, which calls the function `name` of the plugin instance `owner`. An empty name stands for the body of
/// the thread `owner`.
///
/// A C++ exception that leaves the plugin aborts the process here, while the call is still known. Otherwise it would
/// unwind the whole stack of the host.
pub fn during<T>(owner: &str, name: &'static str, body: impl FnOnce() -> T) -> T {
    let outer = CURRENT.replace(Some(Call { owner, name }));
    let outcome = catch(body);
    CURRENT.set(outer);
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Returns the plugin call that this thread executes: `sample` of plugin `car1/imu`, with its backquotes.
#[must_use]
pub fn current_call() -> Option<String> {
    let call = CURRENT.get()?;
    let mut line = Line::new();
    line.add_call(call);
    Some(String::from_utf8_lossy(line.bytes.get(..line.len).unwrap_or_default()).into_owned())
}

/// Runs `body` and stops all unwinding. The compiler assumes that functions of the C ABI never unwind and would
/// optimise the catch away, so the call is hidden from it.
fn catch<T>(body: impl FnOnce() -> T) -> std::thread::Result<T> {
    let (mut body, mut value) = (Some(body), None);
    let mut run = || value = body.take().map(|body| body());
    let hidden: &mut dyn FnMut() = black_box(&mut run);
    catch_unwind(AssertUnwindSafe(hidden))?;
    value.ok_or_else(|| -> Box<dyn std::any::Any + Send> { Box::new("the body did not run") })
}

/// A watched run; the watch ends on drop.
#[must_use]
#[derive(Debug)]
pub struct Watch(());

impl Drop for Watch {
    fn drop(&mut self) {
        IS_WATCHING.store(false, Ordering::Release);
    }
}

/// Reports the plugin that ends the process, from now on. The handlers stay installed; a second watch uses them again.
pub fn watch() -> Watch {
    IS_WATCHING.store(true, Ordering::Release);
    PREVIOUS.get_or_init(install);
    Watch(())
}

/// Ends the process at once, without any exit handlers: a thread does not respond, and a handler could wait for it
/// forever.
#[expect(unsafe_code, reason = "std runs the handlers of `exit`")]
pub fn leave(exit_code: u8) -> ! {
    terminal::restore();
    // SAFETY: ends the process.
    unsafe { libc::_exit(c_int::from(exit_code)) }
}

/// Kills the process with SIGABRT, without a report.
#[expect(unsafe_code, reason = "handlers do not see std's abort")]
pub fn kill() -> ! {
    WAS_REPORTED.store(true, Ordering::Release);
    terminal::restore();
    // SAFETY: ends the process.
    unsafe { libc::abort() }
}

/// The callback for a watched run that is ended with `exit`; its argument is the report.
type Hook = Box<dyn FnOnce(String) + Send>;

static ON_EXIT: Mutex<Option<Hook>> = Mutex::new(None);

/// Sets a callback for the case that the process is ended with `exit` while a run is watched. It must not wait, because
/// the exiting thread may hold any lock.
pub fn at_exit(hook: impl FnOnce(String) + Send + 'static) {
    *ON_EXIT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
}

/// Installs the handlers. Returns the previous actions.
#[expect(unsafe_code, reason = "std has no handlers for signals and exit")]
fn install() -> [libc::sigaction; SIGNALS.len()] {
    // SAFETY: the handler does only what a handler of `exit` may. If registration fails, exits are not reported.
    unsafe { libc::atexit(on_exit) };
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

/// Reports the crash, then lets the previous action or the default run.
#[expect(unsafe_code, reason = "a signal handler")]
extern "C" fn on_signal(signal: c_int, info: *const libc::siginfo_t, _: *mut c_void) {
    terminal::restore();
    let place = SIGNALS.iter().position(|(known, _)| *known == signal).unwrap_or_default();
    if IS_WATCHING.load(Ordering::Acquire) && !WAS_REPORTED.swap(true, Ordering::AcqRel) {
        report_crash(SIGNALS[place].1);
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

fn report_crash(signal: &str) {
    let mut line = Line::new();
    match CURRENT.get() {
        Some(call) => line.add("error[BH-PLG-108]: ").add_call(call).add(" crashed the process: "),
        None => line.add("error[BH-SIM-901]: the process crashed outside of any call to a plugin: "),
    };
    line.add(signal)
        .add("\n  try: run it under a debugger, or `bridgehead plugin probe` on its file\n")
        .write();
}

/// Ends the process after `exit` in a plugin, with the exit code of an aborted run, because the run has no result.
#[expect(unsafe_code, reason = "a handler of `exit`")]
extern "C" fn on_exit() {
    if !IS_WATCHING.load(Ordering::Acquire) {
        return;
    }
    let mut line = Line::new();
    line.add("error[BH-PLG-109]: ");
    match CURRENT.get() {
        Some(call) => line.add_call(call),
        None => line.add("a thread that the host does not know"),
    };
    line.add(" ended the process with `exit`; the run counts as aborted (exit code 16)\n").write();
    terminal::restore();
    let hook = ON_EXIT.try_lock().ok().and_then(|mut hook| hook.take());
    if let Some(hook) = hook {
        // A panic must not leave a handler of C.
        drop(catch_unwind(AssertUnwindSafe(|| hook(line.finding()))));
    }
    // SAFETY: ends the process without running further handlers, which may be the plugin's.
    unsafe { libc::_exit(ABORTED) };
}

/// A text in a fixed buffer; longer text is truncated.
struct Line {
    bytes: [u8; 512],
    len: usize,
}

impl Line {
    fn new() -> Self {
        Line { bytes: [0; 512], len: 0 }
    }

    fn add(&mut self, text: &str) -> &mut Self {
        let room = self.bytes.iter_mut().skip(self.len);
        self.len += room.zip(text.bytes()).map(|(to, from)| *to = from).count();
        self
    }

    #[expect(unsafe_code, reason = "a signal handler cannot borrow from the code it interrupts")]
    fn add_call(&mut self, call: Call) -> &mut Self {
        // SAFETY: `during` keeps the name alive as long as the call is current.
        let owner = unsafe { &*call.owner };
        if call.name.is_empty() {
            return self.add("thread `").add(owner).add("`");
        }
        self.add("`").add(call.name).add("` of plugin `").add(owner).add("`")
    }

    /// Returns the line in the form of results: `[CODE] text`.
    fn finding(&self) -> String {
        let text = String::from_utf8_lossy(self.bytes.get(..self.len).unwrap_or_default());
        text.trim_end().trim_start_matches("error").replacen("]: ", "] ", 1)
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
    fn the_innermost_call_is_the_current_one() {
        during("tx:car1/logging", "", || {
            assert_eq!(current_call().as_deref(), Some("thread `tx:car1/logging`"));
            during("car1/imu", "sample", || {
                assert_eq!(current_call().as_deref(), Some("`sample` of plugin `car1/imu`"));
            });
            assert_eq!(current_call().as_deref(), Some("thread `tx:car1/logging`"));
        });
        assert_eq!(current_call(), None);
    }

    #[test]
    fn a_call_that_panics_is_over() {
        let outcome = catch_unwind(|| during("car1/imu", "sample", || panic!("inside")));
        assert!(outcome.is_err());
        assert_eq!(current_call(), None);
    }

    #[test]
    fn a_long_name_is_truncated() {
        let mut line = Line::new();
        line.add(&"x".repeat(1000)).add("y");
        assert_eq!((line.len, line.bytes[511]), (512, b'x'));
    }
}

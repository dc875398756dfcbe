//! The boundary: runs plugin code so that no panic leaves it, and turns its result into a status code.
//!
//! While plugin code runs, its host is noted for this thread, so that log lines of the `log` crate and panic
//! messages carry the instance they come from. Every library has its own copy of `std` and `log`; without
//! this forwarding their output would be lost.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use bridgehead_abi::{Host, Status, status};

use crate::error::{Flow, Result};
use crate::host::{HostHandle, Level};

thread_local! {
    /// Host of the instance whose code this thread runs.
    static CURRENT: Cell<Option<HostHandle>> = const { Cell::new(None) };
}

/// The library's own host object, given to `init`.
static LIBRARY: OnceLock<HostHandle> = OnceLock::new();

/// The host that a log line or a panic on this thread goes to.
fn answerable() -> Option<HostHandle> {
    current().or_else(|| LIBRARY.get().copied())
}

/// The host of the instance whose code this thread runs.
pub(crate) fn current() -> Option<HostHandle> {
    CURRENT.get()
}

/// What plugin code may return, as a status code.
pub(crate) trait IntoStatus {
    fn into_status(self, host: HostHandle) -> Status;
}

impl IntoStatus for () {
    fn into_status(self, _: HostHandle) -> Status {
        status::OK
    }
}

impl IntoStatus for Flow {
    fn into_status(self, host: HostHandle) -> Status {
        match self {
            Flow::Continue => status::OK,
            Flow::Ask(request, reason) => {
                host.explain(&reason);
                request.status()
            }
        }
    }
}

impl IntoStatus for Status {
    fn into_status(self, _: HostHandle) -> Status {
        self
    }
}

/// Runs plugin code for `host`. A failure is explained to the host; a panic is logged with its place (by the
/// panic hook) and becomes PANIC.
pub(crate) fn run<T: IntoStatus>(host: HostHandle, call: &str, code: impl FnOnce() -> Result<T>) -> Status {
    let outer = CURRENT.replace(Some(host));
    let result = catch(code);
    CURRENT.set(outer);
    match result {
        Ok(Ok(value)) => value.into_status(host),
        Ok(Err(error)) => {
            host.explain(error.text());
            error.status()
        }
        Err(panic) => {
            host.explain(&format!("panicked in `{call}`: {panic}"));
            status::PANIC
        }
    }
}

/// Runs the last call on an instance, then ends the use of the handles that it was given.
pub(crate) fn run_last(host: HostHandle, call: &str, code: impl FnOnce()) {
    run(host, call, || {
        code();
        Ok(())
    });
    host.close();
}

/// Explains a failure of code that has no host of its own, through the library's host.
fn explain_unhosted(text: &str) {
    if let Some(host) = LIBRARY.get() {
        host.explain(text);
    }
}

/// Runs code that has no host of its own to answer to; failures go to the library's log.
pub(crate) fn run_unhosted(call: &str, code: impl FnOnce() -> Result) -> Status {
    match catch(code) {
        Ok(Ok(())) => status::OK,
        Ok(Err(error)) => {
            log::error!("{call} failed: {error}");
            explain_unhosted(error.text());
            error.status()
        }
        Err(panic) => {
            explain_unhosted(&format!("panicked: {panic}"));
            status::PANIC
        }
    }
}

/// Runs code and gives the text of its panic, if it panics.
pub(crate) fn catch<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| {
        let text = panic_text(&*panic).to_owned();
        discard(panic);
        text
    })
}

/// Drops what a panic carried. Its destructor is plugin code and may panic again; what that second panic
/// carries is leaked, because dropping it could go on forever.
fn discard(panic: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        #[expect(clippy::mem_forget, reason = "a payload that panics on drop cannot be dropped")]
        std::mem::forget(second);
    }
}

/// The text of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("(no text)")
}

/// Takes the library's host and sends `log` and panics of this library to it. Called once by `init`.
///
/// # Safety
/// `host` must be the pointer that the host passed to the library's `init`.
pub unsafe fn adopt(host: *const Host) -> Status {
    // SAFETY: the library's host object lives until the process ends.
    let host = unsafe { HostHandle::from_raw(host) };
    if LIBRARY.set(host).is_ok() {
        listen(most_detailed(host));
    }
    status::OK
}

/// Sends panics and `log` lines of this library to the host they belong to. A panic that belongs to none
/// goes where it went before.
pub(crate) fn listen(level: log::LevelFilter) {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if answerable().is_none() {
            return previous(panic);
        }
        let (file, line) = panic.location().map_or(("", 0), |place| (place.file(), place.line()));
        forward(Level::Error, "panic", panic_text(panic.payload()), file, line);
    }));
    if log::set_logger(&Forward).is_ok() {
        log::set_max_level(level);
    }
}

fn forward(level: Level, target: &str, text: &str, file: &str, line: u32) {
    if let Some(log) = answerable().and_then(|host| host.log().ok()) {
        log.write(level, target, text, file, line);
    }
}

/// The most detailed level the host wants, so that `log`'s own check stays cheap.
fn most_detailed(host: HostHandle) -> log::LevelFilter {
    let Ok(log) = host.log() else {
        return log::LevelFilter::Off;
    };
    if log.enabled(Level::Trace) {
        log::LevelFilter::Trace
    } else if log.enabled(Level::Debug) {
        log::LevelFilter::Debug
    } else {
        log::LevelFilter::Info
    }
}

/// Sends `log` records to the host.
struct Forward;

impl log::Log for Forward {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        let level = level_of(metadata.level());
        if crate::host::is_left_out(metadata.target(), level) {
            return false;
        }
        answerable().and_then(|host| host.log().ok()).is_some_and(|log| log.enabled(level))
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = record.args().to_string();
            let file = record.file().unwrap_or("");
            forward(level_of(record.level()), record.target(), &text, file, record.line().unwrap_or(0));
        }
    }

    fn flush(&self) {}
}

fn level_of(level: log::Level) -> Level {
    match level {
        log::Level::Error => Level::Error,
        log::Level::Warn => Level::Warn,
        log::Level::Info => Level::Info,
        log::Level::Debug => Level::Debug,
        log::Level::Trace => Level::Trace,
    }
}

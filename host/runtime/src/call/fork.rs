//! A call that forks the process: the child must not continue as a second host, which would write the same files.
//!
//! `fork` calls the handlers of `pthread_atfork`; `posix_spawn`, `system` and `popen` do not fork in that sense. A child
//! that executes another program at once is fine. One that returns from the plugin's call ends there.

use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Call, Rule, breaches, describe};

/// True in a child process.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// True if the current call of this thread has forked. Const-initialised and without a destructor.
    static HAS_FORKED: Cell<bool> = const { Cell::new(false) };
}

/// Exit code of a child that returns to the host: the code of an aborted run.
const ABORTED: libc::c_int = 16;

/// Returns true in a process that was forked.
#[must_use]
pub fn is_child() -> bool {
    IS_CHILD.load(Ordering::Relaxed)
}

/// Recognises forks from now on.
#[expect(unsafe_code, reason = "std has no handlers of forks")]
pub(super) fn watch() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: the handlers only set a flag. If registration fails, forks are not recognised.
        unsafe { libc::pthread_atfork(None, Some(in_parent), Some(in_child)) };
    });
}

/// Runs `body`, in which the host itself forks to start a program, so that this is not taken for a fork of the plugin whose
/// call is running.
pub(super) fn by_host<T>(body: impl FnOnce() -> T) -> T {
    let before = HAS_FORKED.get();
    let value = body();
    HAS_FORKED.set(before);
    value
}

extern "C" fn in_parent() {
    HAS_FORKED.set(true);
}

extern "C" fn in_child() {
    IS_CHILD.store(true, Ordering::Relaxed);
}

/// Ends a child that has returned from the call, and reports the fork in the parent.
pub(super) fn check(call: Call) {
    if HAS_FORKED.get() {
        HAS_FORKED.set(false);
        breaches::change(
            Rule::Fork,
            Some(call),
            "forked the process; the child may only execute another program",
        );
    }
    if is_child() {
        leave(call);
    }
}

#[cold]
#[expect(unsafe_code, reason = "std runs the handlers of `exit`")]
fn leave(call: Call) -> ! {
    let line = format!(
        "error[{}]: {} returned in a process that it has forked; that process ends\n",
        Rule::Fork.code(),
        describe(call)
    );
    // SAFETY: writes the line, and ends the child without the handlers of the parent.
    unsafe {
        libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len());
        libc::_exit(ABORTED)
    }
}

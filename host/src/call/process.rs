//! The state of the process that calls must not change: signal mask, working directory, handlers of the signals that end
//! a run, and the alarm timer, whose signal would end the process.

use std::ffi::{CString, c_int};
use std::mem::zeroed;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{Call, Rule, breaches};

/// Signals that must end a run.
const ENDING: [(c_int, &str); 3] =
    [(libc::SIGINT, "SIGINT"), (libc::SIGTERM, "SIGTERM"), (libc::SIGHUP, "SIGHUP")];

/// The state at the beginning. Not set in commands that run no plugin for long, which check nothing.
static KEPT: OnceLock<Kept> = OnceLock::new();

/// Held while a change is undone and reported.
static RESTORING: Mutex<()> = Mutex::new(());

struct Kept {
    mask: libc::sigset_t,
    /// The working directory; `None` if it was deleted or cannot be opened.
    folder: Option<Folder>,
    actions: [libc::sigaction; ENDING.len()],
}

struct Folder {
    path: PathBuf,
    descriptor: OwnedFd,
    /// Device and number of the folder.
    identity: (libc::dev_t, libc::ino_t),
}

/// Records the state.
pub(super) fn keep() {
    KEPT.get_or_init(|| Kept {
        mask: mask(),
        folder: Folder::current(),
        actions: ENDING.map(|(signal, _)| action(signal)),
    });
}

/// Undoes and reports what has changed since [`keep`].
pub(super) fn check(call: Option<Call>) {
    let Some(kept) = KEPT.get() else { return };
    if !is_same_mask(&mask(), &kept.mask) {
        restore_mask(&kept.mask);
        breaches::change(
            Rule::SignalMask,
            call,
            "changed the signal mask of a thread of the host; it was restored",
        );
    }
    if kept.is_current() {
        return;
    }
    // Calls that end at the same time find the same change: the first one restores and reports it.
    let _alone = RESTORING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(folder) = kept.folder.as_ref().filter(|folder| !folder.is_current()) {
        folder.restore(call);
    }
    for ((signal, name), action) in ENDING.iter().zip(&kept.actions) {
        if !is_action(*signal, action) {
            restore_action(*signal, name, action, call);
        }
    }
    if is_alarm_set() {
        stop_alarm(call);
    }
}

impl Kept {
    /// Returns true if the process is as it was. Threads have their own signal masks.
    fn is_current(&self) -> bool {
        self.folder.as_ref().is_none_or(Folder::is_current)
            && ENDING.iter().zip(&self.actions).all(|((signal, _), action)| is_action(*signal, action))
            && !is_alarm_set()
    }
}

#[expect(unsafe_code, reason = "std has no signal masks")]
fn mask() -> libc::sigset_t {
    // SAFETY: all zeros is a valid set; without a new set the call only writes to `current`.
    unsafe {
        let mut current: libc::sigset_t = zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &raw mut current);
        current
    }
}

#[expect(unsafe_code, reason = "std has no signal masks")]
fn is_same_mask(one: &libc::sigset_t, other: &libc::sigset_t) -> bool {
    // SAFETY: both sets are initialised; numbers outside of the set give -1 for both.
    (1..=libc::SIGRTMAX())
        .all(|signal| unsafe { libc::sigismember(one, signal) == libc::sigismember(other, signal) })
}

#[expect(unsafe_code, reason = "std has no signal masks")]
fn restore_mask(mask: &libc::sigset_t) {
    // SAFETY: the set is initialised.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, std::ptr::null_mut()) };
}

#[expect(unsafe_code, reason = "std cannot read the actions of signals")]
fn action(signal: c_int) -> libc::sigaction {
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
fn restore_action(signal: c_int, name: &str, kept: &libc::sigaction, call: Option<Call>) {
    // SAFETY: the action was read from the system.
    unsafe { libc::sigaction(signal, kept, std::ptr::null_mut()) };
    breaches::change_of_process(
        Rule::SignalHandler,
        call,
        &format!("replaced the handler of {name}, which ends a run; it was restored"),
    );
}

#[expect(unsafe_code, reason = "std has no timers")]
fn is_alarm_set() -> bool {
    // SAFETY: all zeros is a valid timer; the call only writes to it.
    let timer = unsafe {
        let mut timer: libc::itimerval = zeroed();
        libc::getitimer(libc::ITIMER_REAL, &raw mut timer);
        timer
    };
    timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0
}

#[cold]
#[expect(unsafe_code, reason = "std has no timers")]
fn stop_alarm(call: Option<Call>) {
    // SAFETY: all zeros is a valid timer, which is not running; the call only reads it.
    unsafe {
        let off: libc::itimerval = zeroed();
        libc::setitimer(libc::ITIMER_REAL, &raw const off, std::ptr::null_mut());
    }
    breaches::change_of_process(
        Rule::Alarm,
        call,
        "started the alarm timer, whose SIGALRM ends the process; it was stopped",
    );
}

impl Folder {
    #[expect(unsafe_code, reason = "std opens no folders as paths")]
    fn current() -> Option<Self> {
        use std::os::fd::FromRawFd as _;
        let path = std::env::current_dir().ok()?;
        let here = CString::new(".").ok()?;
        // SAFETY: the path ends with a zero byte; a descriptor that was opened belongs to nobody else.
        let descriptor = unsafe {
            let descriptor = libc::open(here.as_ptr(), libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC);
            (descriptor >= 0).then(|| OwnedFd::from_raw_fd(descriptor))?
        };
        Some(Folder { path, descriptor, identity: identity()? })
    }

    /// Returns true if it is the working directory, or if that was deleted, which no call can help.
    fn is_current(&self) -> bool {
        identity().is_none_or(|identity| identity == self.identity)
    }

    #[cold]
    #[expect(unsafe_code, reason = "std changes to paths only, and the path may lead elsewhere by now")]
    fn restore(&self, call: Option<Call>) {
        let to =
            std::env::current_dir().map_or_else(|error| error.to_string(), |path| path.display().to_string());
        // SAFETY: the descriptor is open.
        let code = unsafe { libc::fchdir(self.descriptor.as_raw_fd()) };
        let outcome = if code == 0 { "it was restored" } else { "it cannot be restored" };
        let path = self.path.display();
        let text = format!("changed the working directory of the host from `{path}` to `{to}`; {outcome}");
        breaches::change_of_process(Rule::WorkingFolder, call, &text);
    }
}

/// Device and number of the working directory.
#[expect(unsafe_code, reason = "std allocates for a path")]
fn identity() -> Option<(libc::dev_t, libc::ino_t)> {
    // SAFETY: the path ends with a zero byte; the struct is read only if the call has filled it in.
    unsafe {
        let mut facts: libc::stat = zeroed();
        (libc::stat(c".".as_ptr(), &raw mut facts) == 0).then_some((facts.st_dev, facts.st_ino))
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "does what plugins must not do")]
mod tests {
    use super::*;
    use crate::call::breaches::take_of;
    use crate::call::during;
    use std::sync::mpsc::channel;
    use std::thread;

    fn change_of(owner: &str) -> String {
        take_of(owner).pop().expect("reported")
    }

    /// The whole state is that of the process, so that one test looks at all of it.
    #[test]
    fn what_a_call_changes_of_the_process_is_undone_and_named() {
        keep();
        let before = std::env::current_dir().expect("a folder");
        during("car1/mask", "start", || {
            // SAFETY: a set of one signal, which the code under test unblocks.
            unsafe {
                let mut set: libc::sigset_t = zeroed();
                libc::sigaddset(&raw mut set, libc::SIGTERM);
                libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
            }
        });
        assert!(is_same_mask(&mask(), &KEPT.get().expect("kept").mask));
        assert!(change_of("car1/mask").contains("`start` of plugin"));

        // SAFETY: the action is valid and is replaced by the code under test.
        during("car1/deaf", "awake", || unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) });
        assert_ne!(action(libc::SIGTERM).sa_sigaction, libc::SIG_IGN);
        assert!(change_of("car1/deaf").contains("SIGTERM"));

        // SAFETY: the timer is stopped by the code under test.
        during("car1/alarm", "awake", || unsafe { libc::alarm(100) });
        // SAFETY: stops the timer; returns the rest of its time.
        assert_eq!(unsafe { libc::alarm(0) }, 0);
        assert!(change_of("car1/alarm").starts_with(&format!("[{}]", Rule::Alarm.code())));

        during("car1/mover", "awake", || std::env::set_current_dir("/").expect("moved"));
        assert_eq!(std::env::current_dir().expect("a folder"), before);
        assert!(change_of("car1/mover").contains("to `/`; it was restored"));

        let ((change, changed), (end, ended)) = (channel(), channel());
        thread::scope(move |scope| {
            scope.spawn(move || {
                during("car2/deaf", "awake", || {
                    // SAFETY: the action is valid and is replaced by the code under test.
                    unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
                    change.send(()).expect("the other call");
                    ended.recv().expect("the other call");
                });
            });
            during("car1/innocent", "awake", || changed.recv().expect("the change"));
            // The call that made the change is running when another one finds it: that of this test, or one of a test
            // on another thread.
            let found = change_of("car2/deaf");
            end.send(()).expect("the other call");
            assert!(found.contains("`awake` of plugin `car2/deaf`"), "{found}");
            assert!(found.contains("which ran at the same time"), "{found}");
        });
        assert!(take_of("car2/deaf").is_empty(), "it was reported once");
    }
}

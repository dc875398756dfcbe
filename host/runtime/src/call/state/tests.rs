//! Each row finds, undoes and names a change. The whole state is that of the process, so one test looks at all of it.

use std::mem::zeroed;
use std::sync::mpsc::channel;
use std::thread;

use super::signals::{action, is_same_mask, mask};
use super::*;
use crate::call::breaches::take_of;
use crate::call::{Owner, StepCall, during};

/// What `change` of an instance is reported as, after it has made one in `awake`.
#[track_caller]
fn change_of(owner: &str, change: impl FnOnce()) -> String {
    during(owner, "awake", change);
    take_of(owner).pop().unwrap_or_else(|| panic!("the change of {owner} is reported"))
}

/// Changes that a call must not make, each with the end of its report. Every plugin makes them in C, too.
#[expect(unsafe_code, reason = "does what plugins must not do")]
const CHANGES: &[(Rule, fn(), &str)] = {
    // SAFETY: what the calls change is restored by the code under test; all texts end with zero bytes.
    unsafe {
        &[
            (
                Rule::SignalMask,
                || {
                    let mut set: libc::sigset_t = zeroed();
                    libc::sigaddset(&raw mut set, libc::SIGTERM);
                    libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
                },
                "changed the signal mask of a thread of the host; it was restored",
            ),
            (
                Rule::SignalHandler,
                || {
                    libc::signal(libc::SIGTERM, libc::SIG_IGN);
                },
                "replaced the handler of SIGTERM, which ends a run; it was restored",
            ),
            (
                Rule::SignalHandler,
                || {
                    libc::signal(libc::SIGBUS, libc::SIG_IGN);
                },
                "replaced the handler of SIGBUS, which belongs to the host; it was restored",
            ),
            (
                Rule::Timer,
                || {
                    libc::alarm(100);
                },
                "started the alarm timer, whose SIGALRM ends the process; it was stopped",
            ),
            (
                Rule::Timer,
                || {
                    let mut timer: libc::itimerval = zeroed();
                    timer.it_value.tv_sec = 100;
                    libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut());
                },
                "started the timer ITIMER_PROF, whose SIGPROF ends the process; it was stopped",
            ),
            (
                Rule::WorkingFolder,
                || std::env::set_current_dir("/").expect("moved"),
                "to `/`; it was restored",
            ),
            (
                Rule::Umask,
                || {
                    libc::umask(0o7);
                },
                "to 007; it was restored",
            ),
            (
                Rule::Limit,
                || {
                    let mut limit: libc::rlimit = zeroed();
                    libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit);
                    limit.rlim_cur = if limit.rlim_cur == 0 { limit.rlim_max.min(4096) } else { 0 };
                    libc::setrlimit(libc::RLIMIT_CORE, &raw const limit);
                },
                "; it was restored",
            ),
            (
                Rule::Environment,
                || {
                    libc::setenv(c"BRIDGEHEAD_TEST_OF_STATE".as_ptr(), c"1".as_ptr(), 1);
                },
                "changed the environment variable `BRIDGEHEAD_TEST_OF_STATE`; it was restored",
            ),
            (
                Rule::Environment,
                || {
                    libc::unsetenv(c"PATH".as_ptr());
                },
                "changed the environment variable `PATH`; it was restored",
            ),
            (
                Rule::Locale,
                || {
                    libc::setlocale(libc::LC_NUMERIC, c"C.UTF-8".as_ptr());
                },
                "changed the locale of the process from `C` to `LC_CTYPE=C;LC_NUMERIC=C.UTF-8;LC_TIME=C;LC_COLLATE=C;\
                 LC_MONETARY=C;LC_MESSAGES=C;LC_PAPER=C;LC_NAME=C;LC_ADDRESS=C;LC_TELEPHONE=C;LC_MEASUREMENT=C;\
                 LC_IDENTIFICATION=C`; it was restored",
            ),
            (
                Rule::Locale,
                || {
                    let locale = libc::newlocale(libc::LC_ALL_MASK, c"C".as_ptr(), std::ptr::null_mut());
                    libc::uselocale(locale);
                },
                "changed the locale of a thread of the host; it was restored",
            ),
            (
                Rule::Descriptor,
                || {
                    libc::close(0);
                },
                "closed or replaced standard input of the host; it was restored",
            ),
            (
                Rule::Descriptor,
                || {
                    libc::dup2(1, 0);
                },
                "closed or replaced standard input of the host; it was restored",
            ),
            (
                Rule::SignalStack,
                || {
                    let off = libc::stack_t { ss_flags: libc::SS_DISABLE, ..zeroed() };
                    libc::sigaltstack(&raw const off, std::ptr::null_mut());
                },
                "replaced the alternate signal stack of a thread of the host; it was restored",
            ),
        ]
    }
};

#[test]
fn what_a_call_changes_of_the_process_is_undone_and_named() {
    keep();
    let before = (mask(), action(libc::SIGTERM).sa_sigaction, std::env::current_dir().expect("a folder"));
    for (number, (rule, change, text)) in CHANGES.iter().enumerate() {
        let owner = format!("car{number}/changer");
        let found = change_of(&owner, *change);
        let start = format!("[{}] `awake` of plugin `{owner}` changed", rule.code());
        let start = start.trim_end_matches(" changed");
        assert!(found.starts_with(start) && found.ends_with(*text), "{found}\ndoes not end with\n{text}");
        // Everything is as it was, so the next call is innocent.
        during("car/innocent", "awake", || ());
        assert!(take_of("car/innocent").is_empty());
    }
    assert!(is_same_mask(&mask(), &before.0));
    assert_eq!(action(libc::SIGTERM).sa_sigaction, before.1);
    assert_eq!(std::env::current_dir().expect("a folder"), before.2);
    overlapping_calls_are_all_named();
    what_calls_of_steps_have_changed_is_not_blamed_on_the_next_call();
}

#[expect(unsafe_code, reason = "does what plugins must not do")]
fn overlapping_calls_are_all_named() {
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
        let found = take_of("car2/deaf").pop().expect("reported");
        end.send(()).expect("the other call");
        assert!(found.contains("`awake` of plugin `car2/deaf`"), "{found}");
        assert!(found.contains("which ran at the same time"), "{found}");
    });
    assert!(take_of("car2/deaf").is_empty(), "it was reported once");
}

#[expect(unsafe_code, reason = "does what plugins must not do")]
fn what_calls_of_steps_have_changed_is_not_blamed_on_the_next_call() {
    // SAFETY: the timer is stopped by the code under test.
    crate::call::in_step(&Owner::new("car1/stepper"), StepCall::Sample, || unsafe { libc::alarm(100) });
    during("car1/stopped", "stop", || ());
    let found = take_of("the alarm timer").pop().expect("reported");
    // Calls of other tests may be running, so that it cannot be told apart.
    let is_open = found.contains("which ran at the same time");
    assert!(is_open || found.contains("a plugin, in one of the last steps"), "{found}");
}

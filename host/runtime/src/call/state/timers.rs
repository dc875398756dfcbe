//! The interval timers of the process, whose signals would end it.

use std::mem::zeroed;

use super::super::Rule;
use super::{Cost, State};

const TIMERS: [(libc::c_int, &str); 3] = [
    (libc::ITIMER_REAL, "the alarm timer, whose SIGALRM"),
    (libc::ITIMER_VIRTUAL, "the timer ITIMER_VIRTUAL, whose SIGVTALRM"),
    (libc::ITIMER_PROF, "the timer ITIMER_PROF, whose SIGPROF"),
];

/// Which of them are running.
#[derive(PartialEq)]
pub(super) struct Timers([bool; TIMERS.len()]);

impl State for Timers {
    const RULE: Rule = Rule::Timer;
    const COST: Cost = Cost::Low;
    const UNDONE: &'static str = "it was stopped";

    fn read() -> Option<Self> {
        Some(Timers(TIMERS.map(|(timer, _)| is_running(timer))))
    }

    fn change(&self) -> Option<String> {
        let mut started = TIMERS.iter().zip(self.0).filter(|((timer, _), was)| !was && is_running(*timer));
        let ((_, name), _) = started.next()?;
        Some(format!("started {name} ends the process"))
    }

    #[expect(unsafe_code, reason = "std has no timers")]
    fn restore(&self) -> bool {
        TIMERS.iter().zip(self.0).filter(|(_, was)| !was).all(|((timer, _), _)| {
            // SAFETY: all zeros is a valid timer, which is not running; the call only reads it.
            unsafe {
                let off: libc::itimerval = zeroed();
                libc::setitimer(*timer, &raw const off, std::ptr::null_mut()) == 0
            }
        })
    }
}

#[expect(unsafe_code, reason = "std has no timers")]
fn is_running(timer: libc::c_int) -> bool {
    // SAFETY: all zeros is a valid timer; the call only writes to it.
    let timer = unsafe {
        let mut found: libc::itimerval = zeroed();
        libc::getitimer(timer, &raw mut found);
        found
    };
    timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0
}

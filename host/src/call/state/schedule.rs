//! Where and when the system runs a thread: its processors, its scheduling policy and its priority.

use std::mem::zeroed;

use super::super::Rule;
use super::{Cost, State};

/// The processors on which this thread may run.
pub(super) struct Affinity(libc::cpu_set_t);

impl State for Affinity {
    const RULE: Rule = Rule::Schedule;
    const COST: Cost = Cost::Medium;
    const IS_OF_THREAD: bool = true;

    #[expect(unsafe_code, reason = "std has no processors of threads")]
    fn read() -> Option<Self> {
        // SAFETY: all zeros is a valid set, which the call fills.
        unsafe {
            let mut set: libc::cpu_set_t = zeroed();
            (libc::sched_getaffinity(0, size_of_val(&set), &raw mut set) == 0).then_some(Affinity(set))
        }
    }

    #[expect(unsafe_code, reason = "std has no processors of threads")]
    fn change(&self) -> Option<String> {
        let Affinity(now) = Self::read()?;
        // SAFETY: both sets are initialised.
        let (before, now, is_same) =
            unsafe { (libc::CPU_COUNT(&self.0), libc::CPU_COUNT(&now), libc::CPU_EQUAL(&self.0, &now)) };
        (!is_same).then(|| format!("changed the processors of a thread of the host, from {before} to {now}"))
    }

    #[expect(unsafe_code, reason = "std has no processors of threads")]
    fn restore(&self) -> bool {
        // SAFETY: the set was read from the system.
        unsafe { libc::sched_setaffinity(0, size_of_val(&self.0), &raw const self.0) == 0 }
    }
}

/// The policy of this thread, its priority in it, and its nice value.
#[derive(PartialEq)]
pub(super) struct Priority {
    policy: i32,
    real_time: i32,
    nice: i32,
}

impl State for Priority {
    const RULE: Rule = Rule::Schedule;
    const COST: Cost = Cost::Medium;
    const IS_OF_THREAD: bool = true;

    #[expect(unsafe_code, reason = "std has no priorities")]
    fn read() -> Option<Self> {
        // SAFETY: all zeros is a valid parameter, which the call fills; the others ask for numbers.
        unsafe {
            let mut parameter: libc::sched_param = zeroed();
            let policy = libc::sched_getscheduler(0);
            let is_known = libc::sched_getparam(0, &raw mut parameter) == 0;
            let nice = libc::getpriority(libc::PRIO_PROCESS, 0);
            is_known.then_some(Priority { policy, real_time: parameter.sched_priority, nice })
        }
    }

    fn change(&self) -> Option<String> {
        let now = Self::read()?;
        let (from, to) = (self.nice, now.nice);
        if from != to {
            return Some(format!("changed the priority of a thread of the host from {from} to {to}"));
        }
        (now != *self).then(|| "changed the scheduling policy of a thread of the host".to_owned())
    }

    #[expect(unsafe_code, reason = "std has no priorities")]
    fn restore(&self) -> bool {
        // SAFETY: all zeros is a valid parameter; the calls set numbers of this thread.
        unsafe {
            let mut parameter: libc::sched_param = zeroed();
            parameter.sched_priority = self.real_time;
            libc::sched_setscheduler(0, self.policy, &raw const parameter) == 0
                && libc::setpriority(libc::PRIO_PROCESS, 0, self.nice) == 0
        }
    }
}

//! Where and when the system runs a thread: its processors, its scheduling policy and its priority.

use std::mem::zeroed;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::super::Rule;
use super::{Cost, State};

/// The processors on which this thread may run.
pub(super) struct Affinity(CpuSet);

impl State for Affinity {
    const RULE: Rule = Rule::Schedule;
    const COST: Cost = Cost::Medium;
    const IS_OF_THREAD: bool = true;

    fn read() -> Option<Self> {
        sched_getaffinity(None).ok().map(Affinity)
    }

    fn change(&self) -> Option<String> {
        let Affinity(now) = Self::read()?;
        (now != self.0).then(|| {
            let (before, now) = (self.0.count(), now.count());
            format!("changed the processors of a thread of the host, from {before} to {now}")
        })
    }

    fn restore(&self) -> bool {
        sched_setaffinity(None, &self.0).is_ok()
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

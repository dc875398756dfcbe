//! The hold of one bridge: which steps it has released, and how long one may wait for it.

use std::time::{Duration, Instant};

/// After this time, it is said that a step waits.
const NOTICEABLE: Duration = Duration::from_secs(1);

/// How long a step waits for a bridge that holds the simulation, if the configuration says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepLimits {
    /// The time limit.
    pub timeout: Option<Duration>,
    /// What happens after it.
    pub late: Option<Late>,
}

/// What happens to a step that has waited too long for a bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Late {
    /// It goes on waiting.
    #[default]
    Wait,
    /// It runs without the bridge, as do all further ones until the bridge releases a step again.
    Continue,
    /// The run ends.
    End,
}

/// Why a step that waits is noteworthy now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// It waits noticeably; the time limit, if there is one, is not over.
    Waits(Duration),
    /// The time limit is over.
    Over(Late, Duration),
}

/// The hold of a bridge.
#[derive(Debug, Default)]
pub(crate) struct Hold {
    /// First step that the bridge does not allow yet.
    first_held: u64,
    /// How long a step may wait; `None` for no limit.
    limit: Option<Duration>,
    late: Late,
    /// The step that waits, since when, and what is still to be said about it.
    waiting: Option<Waiting>,
    /// The first step that ran without the bridge, until it releases one again.
    absent_since: Option<u64>,
}

#[derive(Debug)]
struct Waiting {
    step: u64,
    since: Instant,
    is_said: bool,
    is_over: bool,
}

impl Hold {
    /// Creates a hold with a time limit.
    #[must_use]
    pub(crate) fn with_limit(limit: Option<Duration>, late: Late) -> Self {
        Hold { limit, late, ..Hold::default() }
    }

    /// Returns true if this step may not run.
    pub(super) fn holds(&self, step: u64) -> bool {
        self.absent_since.is_none() && self.awaits(step)
    }

    /// Returns true if the bridge has not released this step, whether or not it may run.
    pub(super) fn awaits(&self, step: u64) -> bool {
        self.first_held <= step
    }

    /// Allows the steps before `step`. Returns the first one that ran without the bridge, if it was absent.
    pub(super) fn release_before(&mut self, step: u64) -> Option<u64> {
        self.first_held = self.first_held.max(step);
        self.absent_since.take()
    }

    /// Holds every step again, after a reset.
    pub(super) fn rearm(&mut self) {
        self.first_held = 0;
        self.waiting = None;
        self.absent_since = None;
    }

    /// Returns what is to be said or done about a step that it holds, once for each.
    pub(super) fn lateness(&mut self, step: u64, now: Instant) -> Option<Lateness> {
        if self.waiting.as_ref().is_none_or(|waiting| waiting.step != step) {
            self.waiting = Some(Waiting { step, since: now, is_said: false, is_over: false });
        }
        let waiting = self.waiting.as_mut()?;
        let waited = now.saturating_duration_since(waiting.since);
        if self.limit.is_some_and(|limit| waited >= limit) && !waiting.is_over {
            (waiting.is_over, waiting.is_said) = (true, true);
            if self.late == Late::Continue {
                self.absent_since = Some(step);
            }
            return Some(Lateness::Over(self.late, waited));
        }
        let is_new = waited >= NOTICEABLE && !waiting.is_said;
        is_new.then(|| {
            waiting.is_said = true;
            Lateness::Waits(waited)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of step 7 in a wait that is looked at every 100 ms for 5 s, with the time in milliseconds.
    fn said(hold: &mut Hold) -> Vec<(u64, Lateness)> {
        let begin = crate::clock::now();
        let at = |millis: u64| begin + Duration::from_millis(millis);
        let times = (0..=5000).step_by(100);
        times.filter_map(|millis| Some((millis, hold.lateness(7, at(millis))?))).collect()
    }

    fn of_limit(millis: u64, late: Late) -> Hold {
        Hold::with_limit(Some(Duration::from_millis(millis)), late)
    }

    #[test]
    fn a_wait_without_a_limit_is_said_once() {
        let mut hold = Hold::default();
        assert_eq!(said(&mut hold), [(1000, Lateness::Waits(NOTICEABLE))]);
        assert!(hold.holds(7));
    }

    #[test]
    fn the_limit_is_said_once_after_the_wait() {
        let mut hold = of_limit(3000, Late::Wait);
        let limit = Lateness::Over(Late::Wait, Duration::from_secs(3));
        assert_eq!(said(&mut hold), [(1000, Lateness::Waits(NOTICEABLE)), (3000, limit)]);
        assert!(hold.holds(7));
        let mut hold = of_limit(500, Late::End);
        assert_eq!(said(&mut hold), [(500, Lateness::Over(Late::End, Duration::from_millis(500)))]);
    }

    #[test]
    fn steps_go_on_without_the_bridge_until_it_releases_one() {
        let mut hold = of_limit(500, Late::Continue);
        let over = Some(Lateness::Over(Late::Continue, Duration::from_millis(500)));
        let begin = crate::clock::now();
        assert_eq!(hold.lateness(7, begin), None);
        assert_eq!(hold.lateness(7, begin + Duration::from_millis(500)), over);
        assert!(!hold.holds(7) && !hold.holds(300) && hold.awaits(7));
        assert_eq!(hold.release_before(8), Some(7), "the answer that comes late");
        assert!(hold.holds(301));
        assert_eq!(hold.release_before(302), None);
        assert!(!hold.holds(301) && hold.holds(302));
    }
}

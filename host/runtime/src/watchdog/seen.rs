//! How long a call has been seen running.

use std::time::Duration;

use super::waits::{self, Looks};

/// How often the watchdog looks at the current call within the limit of a call, at least.
pub(super) const LOOKS_PER_LIMIT: u32 = 8;

/// A call that was running when the watchdog last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// The call and its count.
    call: (u64, u64),
    /// How long it has been seen running, without the time in which it waited for a processor.
    running: Duration,
}

impl Seen {
    /// Returns what is known about the call `running` `elapsed` after `before` was seen. Only a part of a long pause
    /// between two looks counts: the whole process was suspended meanwhile.
    fn again(
        before: Option<Self>,
        running: Option<(u64, u64)>,
        elapsed: Duration,
        limit: Duration,
    ) -> Option<Self> {
        let call = running?;
        let counted = elapsed.min(limit / LOOKS_PER_LIMIT * 2);
        let already = before.filter(|seen| seen.call == call).map(|seen| seen.running + counted);
        Some(Self { call, running: already.unwrap_or_default() })
    }
}

/// The running call, as consecutive looks of the watchdog thread have seen it.
#[derive(Debug, Default)]
pub(super) struct Tracked {
    looks: Looks,
    seen: Option<Seen>,
}

impl Tracked {
    /// Looks at the call `running`, `elapsed` after the last look. Returns which part of `elapsed` does not count, because
    /// threads waited for a processor.
    pub(super) fn look(
        &mut self,
        running: Option<(u64, u64)>,
        elapsed: Duration,
        limit: Duration,
    ) -> Duration {
        let excused = waits::excusable(self.looks.again(running), elapsed);
        self.seen = Seen::again(self.seen, running, elapsed - excused, limit);
        excused
    }

    /// How long the call has been seen running, without the time in which it waited for a processor.
    pub(super) fn running(&self) -> Duration {
        self.seen.map(|seen| seen.running).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_short_calls_are_no_long_one() {
        let (limit, period) = (Duration::from_secs(8), Duration::from_secs(1));
        let mut seen = None;
        for count in 0..1000 {
            seen = Seen::again(seen, Some((1, count)), period, limit);
            assert_eq!(seen, Some(Seen { call: (1, count), running: Duration::ZERO }));
        }
        assert_eq!(Seen::again(seen, None, period, limit), None);
    }

    #[test]
    fn a_call_counts_from_when_it_was_first_seen() {
        let (limit, period) = (Duration::from_secs(8), Duration::from_secs(1));
        let first = Seen::again(None, Some((1, 7)), period, limit);
        let later = (0..8).fold(first, |seen, _| Seen::again(seen, Some((1, 7)), period, limit));
        assert_eq!(later.map(|seen| seen.running), Some(limit));
    }

    #[test]
    fn a_process_that_was_suspended_is_given_time() {
        let limit = Duration::from_secs(8);
        let seen = Some(Seen { call: (1, 7), running: Duration::ZERO });
        let resumed = Seen::again(seen, Some((1, 7)), Duration::from_secs(3600), limit);
        assert_eq!(resumed.map(|seen| seen.running), Some(Duration::from_secs(2)));
    }
}

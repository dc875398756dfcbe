//! What one instance has used of what all share: log lines, resets, topics. Usable from any thread.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

/// Log lines that may be written at once: an instance that starts, or ends, has more to say than one that runs.
pub(in crate::api) const LINES: u64 = 2000;
/// Further lines for each step.
pub(in crate::api) const LINES_PER_STEP: u64 = 20;
/// Further lines for each second of wall time: bridges also have something to say while the run is paused.
const LINES_PER_SECOND: u64 = 200;

/// Resets that may be requested one after the other.
pub(in crate::api) const RESETS: u64 = 100;
/// Steps after which a further one may be requested. Episodes of a training are longer.
pub(in crate::api) const STEPS_PER_RESET: u64 = 4;

/// What an instance has left.
#[derive(Debug, Default)]
pub(in crate::api) struct Budgets {
    pub(in crate::api) lines: Mutex<Lines>,
    pub(in crate::api) resets: Mutex<Resets>,
    pub(in crate::api) topics: AtomicUsize,
}

/// What becomes of one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum Verdict {
    Allowed,
    /// Refused for the first time.
    Exceeded,
    Refused,
}

/// Steps since the last look, also after resets, with which the number of the step begins again.
#[derive(Debug, Default)]
struct Passed {
    step: u64,
    epoch: u32,
}

impl Passed {
    fn until(&mut self, step: u64, epoch: u32) -> u64 {
        let since = if self.epoch == epoch { step.saturating_sub(self.step) } else { step };
        *self = Passed { step, epoch };
        since
    }
}

#[derive(Debug)]
pub(in crate::api) struct Lines {
    left: u64,
    passed: Passed,
    last: Option<Instant>,
    pub(in crate::api) dropped: u64,
}

impl Default for Lines {
    fn default() -> Self {
        Lines { left: LINES, passed: Passed::default(), last: None, dropped: 0 }
    }
}

impl Lines {
    pub(in crate::api) fn take(&mut self, (step, epoch): (u64, u32), now: Instant) -> Verdict {
        let steps = self.passed.until(step, epoch);
        let elapsed = self.last.map_or(0, |last| now.saturating_duration_since(last).as_millis());
        let by_time = u64::try_from(elapsed).unwrap_or(u64::MAX).saturating_mul(LINES_PER_SECOND) / 1000;
        // Parts of a line are kept for the next look.
        if by_time > 0 || self.last.is_none() {
            self.last = Some(now);
        }
        let more = steps.saturating_mul(LINES_PER_STEP).saturating_add(by_time);
        self.left = self.left.saturating_add(more).min(LINES);
        if self.left > 0 {
            self.left -= 1;
            return Verdict::Allowed;
        }
        self.dropped += 1;
        if self.dropped == 1 { Verdict::Exceeded } else { Verdict::Refused }
    }
}

#[derive(Debug)]
pub(in crate::api) struct Resets {
    left: u64,
    /// Steps that count for the next one.
    steps: u64,
    passed: Passed,
    is_exceeded: bool,
}

impl Default for Resets {
    fn default() -> Self {
        Resets { left: RESETS, steps: 0, passed: Passed::default(), is_exceeded: false }
    }
}

impl Resets {
    pub(in crate::api) fn take(&mut self, step: u64, epoch: u32) -> Verdict {
        // For good: a run that is reset every few steps would never end.
        if self.is_exceeded {
            return Verdict::Refused;
        }
        self.steps = self.steps.saturating_add(self.passed.until(step, epoch));
        let more = self.steps / STEPS_PER_RESET;
        self.steps %= STEPS_PER_RESET;
        self.left = self.left.saturating_add(more).min(RESETS);
        if self.left > 0 {
            self.left -= 1;
            return Verdict::Allowed;
        }
        self.is_exceeded = true;
        Verdict::Exceeded
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_runtime::clock;
    use std::time::Duration;

    use super::*;

    #[test]
    fn lines_come_back_with_steps_and_with_time() {
        let (mut lines, begin) = (Lines::default(), clock::now());
        let mut take =
            |step: u64, epoch: u32, ms: u64| lines.take((step, epoch), begin + Duration::from_millis(ms));
        assert!((0..LINES).all(|_| take(0, 0, 0) == Verdict::Allowed));
        assert_eq!((take(0, 0, 0), take(0, 0, 0)), (Verdict::Exceeded, Verdict::Refused));
        assert!((0..LINES_PER_STEP).all(|_| take(1, 0, 0) == Verdict::Allowed));
        assert_eq!(take(1, 0, 4), Verdict::Refused, "less than a line");
        assert_eq!((take(1, 0, 5), take(1, 0, 5)), (Verdict::Allowed, Verdict::Refused));
        assert_eq!(take(0, 1, 5), Verdict::Refused, "no step since the reset");
        assert_eq!(take(1, 1, 5), Verdict::Allowed);
    }

    #[test]
    fn ten_lines_in_each_step_are_always_written() {
        let (mut lines, now) = (Lines::default(), clock::now());
        let written = (0..100_000).filter(|line| lines.take((line / 10, 0), now) == Verdict::Allowed).count();
        assert_eq!(written, 100_000);
    }

    #[test]
    fn a_reset_in_every_step_ends_and_episodes_of_a_training_do_not() {
        let mut resets = Resets::default();
        let exceeded = (0..10_000_u32).find(|epoch| resets.take(1, *epoch) == Verdict::Exceeded);
        assert!(exceeded.is_some_and(|epoch| (RESETS..2 * RESETS).contains(&epoch.into())), "{exceeded:?}");
        assert_eq!(resets.take(1_000_000, 20_000), Verdict::Refused, "for good");
        let mut resets = Resets::default();
        assert!((0..10_000).all(|epoch| resets.take(STEPS_PER_RESET, epoch) == Verdict::Allowed));
    }
}

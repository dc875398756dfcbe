//! The start of the plugins of a world: which of them have started, and what follows.

use std::time::{Duration, Instant};

use bridgehead_lifecycle::StartTracker;

use crate::clock;
use crate::report::StartProgress;

/// The start of the plugins of a world.
pub(in crate::sim) struct StartUp {
    pub(in crate::sim) tracker: StartTracker,
    pub(super) phase: StartPhase,
    /// Origin of the clock of start deadlines.
    began: Instant,
    /// Something was added during a pause, and the next step waits until it has started and connected.
    pub(super) has_additions: bool,
    /// Entities requested during a pause that are still being prepared. The next step waits for them too.
    pub(super) expected_spawns: usize,
}

/// The work that follows once all plugins have started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartPhase {
    /// The first reset, and the beginning of the run.
    FirstReset,
    /// The run continues after a reset: only plugins that were added since then are reset.
    Continue,
    /// Nothing: it has been done.
    Done,
}

impl StartUp {
    pub(in crate::sim) fn new(now: Instant) -> Self {
        StartUp {
            tracker: StartTracker::default(),
            phase: StartPhase::Done,
            began: now,
            has_additions: false,
            expected_spawns: 0,
        }
    }

    /// Schedules the first reset for when all plugins have started.
    pub(in crate::sim) fn expect_first_reset(&mut self) {
        self.phase = StartPhase::FirstReset;
    }

    /// Schedules the beginning of the run, or its continuation after a reset, for when all plugins have started.
    pub(in crate::sim) fn expect_begin(&mut self) {
        if self.phase != StartPhase::FirstReset {
            self.phase = StartPhase::Continue;
        }
    }

    /// Returns true if a plugin is starting whose deadline has not passed.
    pub(super) fn is_starting(&self) -> bool {
        self.tracker.waiting().count() > self.tracker.late().count()
    }

    fn elapsed_ns(&self) -> u64 {
        let elapsed = clock::now().saturating_duration_since(self.began);
        u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)
    }

    /// Returns the deadline of a plugin that starts now.
    pub(super) fn deadline_ns(&self, timeout: Duration) -> u64 {
        self.elapsed_ns() + u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX / 2)
    }

    /// Returns the labels of plugins whose deadline has just passed.
    pub(super) fn take_late(&mut self) -> Vec<String> {
        let now_ns = self.elapsed_ns();
        self.tracker.expire(now_ns)
    }

    pub(super) fn progress(&self) -> StartProgress {
        let progress = self.tracker.progress();
        StartProgress {
            started: progress.started,
            total: progress.total,
            waiting: self.tracker.waiting().map(str::to_owned).collect(),
        }
    }
}

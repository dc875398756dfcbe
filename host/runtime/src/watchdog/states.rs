//! Time limits of lifecycle states: reports a state that exceeds its limit, and what it waits for.
//!
//! The simulation thread records each state in one word; the watchdog thread polls it. The caller of
//! [`Watchdog::watch_states`] decides what happens then.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bridgehead_lifecycle::State;

use super::{Watch, Watchdog};
use crate::thread::{lock, spawn};

/// What happens if a lifecycle state exceeds its time limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing; states are not watched.
    Off,
    /// A warning is logged periodically.
    #[default]
    Log,
    /// The run is aborted. If that does not help, the process exits after writing its result.
    Abort,
    /// The process is killed.
    Kill,
}

/// Maximum poll interval.
const PERIOD: Duration = Duration::from_millis(500);
/// Flag for a state without a limit for this time.
const IS_UNLIMITED: u64 = 0x80;

/// The state that the run is in.
#[derive(Debug, Default)]
pub(super) struct States {
    /// `count << 8 | (index in State::ALL + 1)`, with [`IS_UNLIMITED`] while the run waits for its time.
    word: AtomicU64,
    count: AtomicU64,
    has_waits: AtomicBool,
    waits: Mutex<Vec<String>>,
}

/// A state that exceeds its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Late {
    /// The state.
    pub state: State,
    /// How long it has lasted.
    pub lasted: Duration,
    /// Its limit.
    pub limit: Duration,
    /// What it waits for, as far as known.
    pub waits: Vec<String>,
}

impl Watchdog {
    /// Records that the run has entered a state. `[simulation thread]`
    #[inline]
    pub fn enter(&self, state: State) {
        let states = &self.states;
        if states.has_waits.load(Ordering::Relaxed) {
            self.waits_for(Vec::new());
        }
        let count = states.count.load(Ordering::Relaxed).wrapping_add(1);
        states.count.store(count, Ordering::Relaxed);
        states.word.store(count << 8 | (state as u64 + 1), Ordering::Release);
    }

    /// Records that the run waits for its scheduled time, without a limit, until it enters a state. `[simulation
    /// thread]`
    pub fn rest(&self) {
        self.states.word.store(self.states.word.load(Ordering::Relaxed) | IS_UNLIMITED, Ordering::Release);
    }

    /// Sets what the state waits for, in addition to a call.
    pub fn waits_for(&self, what: Vec<String>) {
        self.states.has_waits.store(!what.is_empty(), Ordering::Relaxed);
        *lock(&self.states.waits) = what;
    }

    /// The current state; `None` before the first one.
    #[must_use]
    pub fn state(&self) -> Option<State> {
        state_of(self.states.word.load(Ordering::Acquire))
    }

    fn late(&self, state: State, lasted: Duration, limit: Duration) -> Late {
        let mut waits = lock(&self.states.waits).clone();
        let call = self.running().and_then(|(word, _)| self.describe(word, lasted));
        waits.extend(call.map(|hang| format!("`{}` of `{}`", hang.call, hang.owner)));
        Late { state, lasted, limit, waits }
    }

    /// Calls `on_late` from another thread when a state exceeds its limit, and again after each further period while it
    /// lasts.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub fn watch_states(
        self: &Arc<Self>,
        limit: impl Fn(State) -> Option<Duration> + Send + 'static,
        on_late: impl FnMut(&Late) + Send + 'static,
    ) -> std::io::Result<Watch> {
        let shortest = State::ALL.into_iter().filter_map(&limit).min().unwrap_or(PERIOD);
        let period = (shortest / 8).clamp(Duration::from_millis(1), PERIOD);
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let (watchdog, end) = (Arc::clone(self), Arc::clone(&ended));
        let thread = spawn("watchdog:states", move || watchdog.look_at_states(period, limit, &end, on_late))?;
        Ok(Watch { ended, thread: Some(thread) })
    }

    fn look_at_states(
        &self,
        period: Duration,
        limit: impl Fn(State) -> Option<Duration>,
        ended: &(Mutex<bool>, Condvar),
        mut on_late: impl FnMut(&Late),
    ) {
        let mut seen: Option<(u64, Instant)> = None;
        loop {
            let guard = lock(&ended.0);
            let waited = ended.1.wait_timeout_while(guard, period, |is_over| !*is_over);
            if *waited.unwrap_or_else(PoisonError::into_inner).0 {
                return;
            }
            let (now, word) = (crate::clock::now(), self.states.word.load(Ordering::Acquire));
            // The state may have begun after `now`, if this thread had no processor meanwhile.
            let since = match seen {
                Some((before, since)) if before == word => since,
                Some(_) | None => crate::clock::now(),
            };
            seen = Some((word, since));
            let supervised = state_of(word).filter(|_| word & IS_UNLIMITED == 0);
            let Some((state, limit)) = supervised.and_then(|state| Some((state, limit(state)?))) else {
                continue;
            };
            let lasted = now.saturating_duration_since(since);
            if lasted >= limit {
                on_late(&self.late(state, lasted, limit));
            }
        }
    }
}

fn state_of(word: u64) -> Option<State> {
    let place = usize::try_from((word & 0x7f).checked_sub(1)?).ok()?;
    State::ALL.get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watchdog::Call;
    use std::sync::mpsc::{Receiver, channel};

    const LIMIT: Duration = Duration::from_millis(40);
    const LONG: Duration = Duration::from_secs(10);

    /// Returns the first report that `is_wanted`. On a busy machine, a state may be late before the test has set all of it.
    fn await_report(reports: &Receiver<Late>, is_wanted: impl Fn(&Late) -> bool) -> Late {
        (0..1000)
            .map(|_| reports.recv_timeout(LONG).expect("a report"))
            .find(is_wanted)
            .expect("one of 1,000 reports")
    }

    #[test]
    fn a_late_state_is_reported_with_its_pending_work() {
        let watchdog = Arc::new(Watchdog::default());
        let lidar = watchdog.register("car1/lidar");
        let (report_sender, reports) = channel();
        let limit = |state| (state == State::Stop).then_some(LIMIT);
        let watch = watchdog
            .watch_states(limit, move |late| drop(report_sender.send(late.clone())))
            .expect("a thread");
        watchdog.enter(State::StepEnd);
        watchdog.enter(State::Stop);
        watchdog.waits_for(vec![String::from("the bridge `car1/zmq`")]);
        let both = ["the bridge `car1/zmq`", "`stop` of `car1/lidar`"];
        let waits = || await_report(&reports, |late| late.waits == both);
        let late = watchdog.during(lidar, Call::Stop, waits);
        assert_eq!((late.state, late.limit), (State::Stop, LIMIT));
        let again = reports.recv_timeout(LONG).expect("late again");
        assert!(again.lasted > late.lasted && late.lasted >= LIMIT);
        watchdog.enter(State::Disconnect);
        watchdog.enter(State::Stop);
        // Another state waits for nothing yet.
        await_report(&reports, |late| late.waits.is_empty());
        drop(watch);
    }

    /// Expects that the state is not late. The watch begins with it: entering it may take long on a busy machine.
    #[track_caller]
    fn expect_endless(watchdog: &Arc<Watchdog>, state: State) {
        let (report_sender, reports) = channel();
        let limit = |state| (state != State::Pause).then_some(LIMIT);
        let watch = watchdog
            .watch_states(limit, move |late: &Late| drop(report_sender.send(late.clone())))
            .expect("a thread");
        // Wall time: shows that nothing is reported.
        assert!(reports.recv_timeout(LIMIT * 4).is_err());
        assert_eq!(watchdog.state(), Some(state));
        drop(watch);
    }

    #[test]
    fn states_without_a_limit_and_waits_for_time_last_for_ever() {
        let watchdog = Arc::new(Watchdog::default());
        watchdog.enter(State::Pause);
        expect_endless(&watchdog, State::Pause);
        watchdog.enter(State::StepBegin);
        watchdog.rest();
        expect_endless(&watchdog, State::StepBegin);
    }

    #[test]
    fn many_short_states_are_no_long_one() {
        let watchdog = Arc::new(Watchdog::default());
        let (report_sender, reports) = channel();
        let watch = watchdog
            .watch_states(|_| Some(LIMIT), move |late: &Late| drop(report_sender.send(late.clone())))
            .expect("a thread");
        let (start, mut before, mut longest) = (crate::clock::now(), crate::clock::now(), Duration::ZERO);
        // Wall time: the thread of the watchdog reads its own clock.
        while start.elapsed() < LIMIT * 5 {
            let entering = crate::clock::now();
            watchdog.enter(State::StepBegin);
            watchdog.enter(State::StepEnd);
            longest = longest.max(before.elapsed());
            before = entering;
            std::thread::yield_now();
        }
        drop(watch);
        longest = longest.max(before.elapsed());
        // This thread may have had no processor for longer than the limit.
        assert_eq!(reports.try_iter().find(|late| late.lasted > longest), None, "{longest:?}");
    }

    #[test]
    fn every_state_has_its_place() {
        for state in State::ALL {
            let watchdog = Watchdog::default();
            watchdog.enter(state);
            assert_eq!(watchdog.state(), Some(state));
        }
    }
}

//! Simulated time and its pace: step, time and reset epoch, when the next step is due, and the sums of a run.
//!
//! Nothing here reads a clock: the wall time comes in as instants. Belongs to the simulation thread.

use std::time::{Duration, Instant};

use bridgehead_abi::model::StepInfo;

use crate::bus::Moment;
use crate::clock::{Pacer, RealTimeFactor, Speed};

/// Simulated time of a run.
#[derive(Debug)]
pub struct Timeline {
    now: Moment,
    width: Duration,
    pacer: Pacer,
    factor: RealTimeFactor,
    totals: Totals,
    /// Whether counted steps keep the pace.
    paces_steps: bool,
    /// Time since which the clock runs; `None` while it is held.
    running_since: Option<Instant>,
}

/// Sums over all resets and worlds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Completed steps.
    pub steps: u64,
    /// Simulated time.
    pub simulated: Duration,
    /// Wall time during which the clock ran.
    pub wall: Duration,
    /// Resets.
    pub resets: u32,
}

impl Totals {
    /// Returns the simulated seconds per wall second; 0 before the clock ran.
    pub(super) fn real_time_factor(&self) -> f64 {
        if self.wall.is_zero() { 0.0 } else { self.simulated.as_secs_f64() / self.wall.as_secs_f64() }
    }
}

impl Timeline {
    pub(super) fn new(speed: Speed, width: Duration, now: Instant) -> Self {
        Timeline {
            now: Moment::default(),
            width,
            pacer: Pacer::new(speed),
            factor: RealTimeFactor::new(now),
            totals: Totals::default(),
            paces_steps: false,
            running_since: None,
        }
    }

    /// Returns step, simulated time and reset epoch.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// Returns the simulated time since the last reset of time.
    pub(super) fn elapsed(&self) -> Duration {
        Duration::from_nanos(u64::try_from(self.now.time_ns).unwrap_or(0))
    }

    /// Returns the width of a step.
    #[must_use]
    pub fn width(&self) -> Duration {
        self.width
    }

    /// Returns the width of a step in nanoseconds.
    #[must_use]
    pub fn width_ns(&self) -> i64 {
        nanoseconds(self.width)
    }

    pub(super) fn set_width(&mut self, width: Duration) {
        self.width = width;
    }

    /// Returns the requested speed of simulated time.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.pacer.speed()
    }

    /// Changes the speed from now on, also that of the wait for the next step.
    pub fn set_speed(&mut self, speed: Speed, now: Instant) {
        self.pacer.set_speed(speed, self.width, now);
    }

    /// Sets whether counted steps keep the pace: those of a goal do, because somebody follows its feedback, and those of a
    /// call do not, because its client waits for their end.
    pub fn set_paces_steps(&mut self, paces_steps: bool) {
        self.paces_steps = paces_steps;
    }

    pub(super) fn paces_steps(&self) -> bool {
        self.paces_steps
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals
    }

    /// Holds the clock.
    pub(super) fn hold(&mut self, now: Instant) {
        if let Some(since) = self.running_since.take() {
            self.totals.wall += now.saturating_duration_since(since);
            self.pacer.hold(self.width, now);
        }
    }

    /// Starts the clock. The run does not catch up after a pause.
    pub(super) fn release(&mut self, now: Instant) {
        self.pacer.release(now);
        self.factor.restart(now);
        self.running_since = Some(now);
    }

    /// Returns how long the next step still waits; zero if it is due. Only time makes a step due.
    pub(super) fn wait(&mut self, now: Instant) -> Duration {
        self.pacer.limit_lateness(self.width, now);
        self.pacer.wait_before(self.width, now)
    }

    /// Advances time by one step. Steps count from 1, so that simulated time is always `step × width`.
    pub(super) fn advance(&mut self) {
        self.now.step += 1;
        self.now.time_ns = self.now.time_ns.saturating_add(self.width_ns());
        self.pacer.count(self.width);
    }

    /// Adds the completed step to the sums. Returns the achieved real-time factor.
    pub(super) fn complete_step(&mut self, now: Instant) -> f64 {
        self.totals.steps += 1;
        self.totals.simulated += self.width;
        self.factor.step(self.width, now)
    }

    /// Begins the epoch of a reset. Time itself goes back in [`Self::rewind`].
    pub(super) fn begin_reset(&mut self) {
        self.now.reset_epoch += 1;
        self.totals.resets += 1;
    }

    /// Sets step and time to 0 and keeps the epoch.
    pub(super) fn rewind(&mut self) {
        self.now = Moment { reset_epoch: self.now.reset_epoch, ..Moment::default() };
    }

    /// Begins the time of a world. After another world it begins a new epoch, because messages are ordered by epoch
    /// and time.
    pub(super) fn begin_world(&mut self, is_first: bool) {
        self.now.reset_epoch += u32::from(!is_first);
        self.pacer.discard();
        self.rewind();
    }

    /// Continues from the moment of a snapshot, in the current epoch.
    pub(super) fn continue_from(&mut self, step: u64, time_ns: i64) {
        self.now = Moment { reset_epoch: self.now.reset_epoch, step, time_ns };
    }

    /// Returns the current step for plugins.
    pub(super) fn step_info(&self) -> StepInfo {
        StepInfo {
            struct_size: StepInfo::SIZE,
            reset_epoch: self.now.reset_epoch,
            time_ns: self.now.time_ns,
            width_ns: self.width_ns(),
            step: self.now.step,
        }
    }
}

/// Returns a duration in nanoseconds.
pub(super) fn nanoseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WIDTH: Duration = Duration::from_millis(10);

    fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn running(speed: Speed) -> (Timeline, Instant) {
        let start = crate::clock::now();
        let mut timeline = Timeline::new(speed, WIDTH, start);
        timeline.release(start);
        (timeline, start)
    }

    /// Runs one step that is due at once or was waited for.
    fn step(timeline: &mut Timeline, now: Instant) {
        timeline.advance();
        timeline.complete_step(now);
    }

    #[test]
    fn steps_are_due_at_the_pace_of_the_run() {
        let (mut timeline, start) = running(Speed::Factor(2.0));
        assert_eq!(timeline.wait(start), millis(5));
        // A request woke the simulation: the step is due at the same instant.
        assert_eq!(timeline.wait(start + millis(3)), millis(2));
        step(&mut timeline, start + millis(5));
        assert_eq!(timeline.wait(start + millis(6)), millis(4), "the schedule is absolute");
        let moment = timeline.now();
        assert_eq!((moment.step, moment.time_ns, moment.reset_epoch), (1, 10_000_000, 0));
    }

    #[test]
    fn an_unlimited_run_never_waits() {
        let (mut timeline, start) = running(Speed::Unlimited);
        assert_eq!(timeline.wait(start), Duration::ZERO);
    }

    #[test]
    fn a_pause_is_not_caught_up_and_not_counted() {
        let (mut timeline, start) = running(Speed::Factor(1.0));
        assert_eq!(timeline.wait(start), millis(10));
        step(&mut timeline, start + millis(10));
        timeline.hold(start + millis(10));
        timeline.hold(start + millis(500));
        let again = start + Duration::from_secs(60);
        timeline.release(again);
        assert_eq!(timeline.wait(again), millis(10));
        step(&mut timeline, again + millis(10));
        timeline.hold(again + millis(10));
        let totals = timeline.totals();
        assert_eq!((totals.steps, totals.simulated, totals.wall), (2, millis(20), millis(20)));
        assert!((totals.real_time_factor() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_change_of_speed_applies_to_the_rest_of_the_wait() {
        let (mut timeline, start) = running(Speed::Factor(0.1));
        assert_eq!(timeline.wait(start), millis(100));
        timeline.set_speed(Speed::Factor(1.0), start + millis(20));
        assert_eq!(timeline.wait(start + millis(20)), millis(8), "2 ms of the step have passed");
        timeline.set_speed(Speed::Factor(1.0), start + millis(24));
        assert_eq!(timeline.wait(start + millis(24)), millis(4), "the speed is the same");
    }

    #[test]
    fn a_new_world_begins_with_a_whole_wait() {
        let (mut timeline, start) = running(Speed::Factor(1.0));
        timeline.hold(start + millis(9));
        timeline.begin_world(false);
        timeline.release(start);
        assert_eq!(timeline.wait(start), millis(10));
    }

    /// A call of a client during a run.
    #[derive(Clone, Copy, Debug)]
    enum Call {
        /// It changes nothing: a refused command, a refused goal, a reader.
        Nothing,
        /// Sets the speed that is set.
        SameSpeed,
        /// Sets a slightly different speed, then the one before.
        OtherSpeed,
        /// Pauses for these microseconds, then continues.
        Pause(u64),
    }

    fn call() -> impl Strategy<Value = Call> {
        prop_oneof![
            Just(Call::Nothing),
            Just(Call::SameSpeed),
            Just(Call::OtherSpeed),
            (0..100_000u64).prop_map(Call::Pause)
        ]
    }

    /// Makes the call at that time. Returns the time after it.
    fn make(timeline: &mut Timeline, call: Call, now: Instant) -> Instant {
        let speed = timeline.speed();
        match call {
            Call::Nothing => now,
            Call::SameSpeed => {
                timeline.set_speed(speed, now);
                now
            }
            Call::OtherSpeed => {
                let Speed::Factor(factor) = speed else { return now };
                timeline.set_speed(Speed::Factor(factor * 1.001), now);
                timeline.set_speed(speed, now);
                now
            }
            Call::Pause(micros) => {
                timeline.hold(now);
                let again = now + Duration::from_micros(micros);
                timeline.release(again);
                again
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The loop waits for the next step or the next call, whichever comes first.
        #[test]
        fn calls_of_clients_do_not_change_the_pace(
            factor in 0.05..20.0,
            width_us in 200..50_000u64,
            calls in proptest::collection::vec((1..5000u64, call()), 1..2000),
        ) {
            let start = crate::clock::now();
            let mut timeline = Timeline::new(Speed::Factor(factor), Duration::from_micros(width_us), start);
            timeline.release(start);
            let mut now = start;
            for (after_us, call) in calls {
                let at = now + Duration::from_micros(after_us);
                loop {
                    let due = now + timeline.wait(now);
                    if due > at {
                        break;
                    }
                    now = due;
                    step(&mut timeline, now);
                }
                now = make(&mut timeline, call, at);
            }
            timeline.hold(now);
            let totals = timeline.totals();
            let expected = totals.wall.as_secs_f64() * factor;
            let width = timeline.width().as_secs_f64();
            let simulated = totals.simulated.as_secs_f64();
            prop_assert!(simulated <= expected * 1.002 + 1e-6, "{simulated} s instead of {expected} s");
            prop_assert!(simulated >= expected * 0.998 - width - 1e-6, "{simulated} s instead of {expected} s");
        }
    }

    #[test]
    fn a_reset_begins_an_epoch_and_rewinds_only_on_request() {
        let (mut timeline, start) = running(Speed::Unlimited);
        step(&mut timeline, start);
        timeline.begin_reset();
        assert_eq!((timeline.now().step, timeline.now().reset_epoch), (1, 1));
        timeline.rewind();
        assert_eq!((timeline.now().step, timeline.now().time_ns, timeline.now().reset_epoch), (0, 0, 1));
        let totals = timeline.totals();
        assert_eq!((totals.steps, totals.resets), (1, 1), "sums go over all resets");
    }

    #[test]
    fn only_a_later_world_begins_an_epoch_and_a_snapshot_continues_in_it() {
        let (mut timeline, start) = running(Speed::Unlimited);
        timeline.begin_world(true);
        assert_eq!(timeline.now().reset_epoch, 0);
        step(&mut timeline, start);
        timeline.begin_world(false);
        assert_eq!((timeline.now().step, timeline.now().reset_epoch), (0, 1));
        timeline.continue_from(7, 70_000_000);
        let moment = timeline.now();
        assert_eq!((moment.step, moment.time_ns, moment.reset_epoch), (7, 70_000_000, 1));
        let info = timeline.step_info();
        assert_eq!((info.step, info.time_ns, info.width_ns), (7, 70_000_000, 10_000_000));
    }

    #[test]
    fn the_factor_is_zero_before_the_clock_ran() {
        assert_eq!(Totals::default().real_time_factor(), 0.0);
    }
}

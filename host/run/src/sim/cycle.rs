//! Times of the parts of each step: the clock is read once after each phase.

use std::time::{Duration, Instant};

use crate::clock::{self, Speed};
use crate::report::Statistics;
use crate::statistics::Accumulator;

/// Weight of the newest step in the moving average of the achievable factor.
const NEWEST: f64 = 1.0 / 64.0;

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The host itself: requests, bridges, bookkeeping.
    Engine,
    /// Physics and sensors.
    Simulator,
    /// Received messages and controllers.
    Controller,
    /// Waiting until the step is due, or for lockstep bridges.
    Padding,
}

/// Times of the current step, and sums over the steps before.
#[derive(Debug)]
pub(super) struct Cycle {
    last: Instant,
    parts: [Duration; 4],
    /// Number of waits in which a lockstep bridge held this step.
    retries: u64,
    sums: [Accumulator; 4],
    whole: Accumulator,
    all_retries: Accumulator,
    overruns: u64,
    achievable: f64,
    achievable_average: f64,
}

impl Cycle {
    pub(super) fn new(now: Instant) -> Self {
        Cycle {
            last: now,
            parts: Default::default(),
            retries: 0,
            sums: Default::default(),
            whole: Accumulator::default(),
            all_retries: Accumulator::default(),
            overruns: 0,
            achievable: 0.0,
            achievable_average: 0.0,
        }
    }

    /// Adds the time since the last mark to `part`. Returns the time now.
    pub(super) fn mark(&mut self, part: Part) -> Instant {
        let now = clock::now();
        self.note(part, now);
        now
    }

    fn note(&mut self, part: Part, now: Instant) {
        if let Some(sum) = self.parts.get_mut(part as usize) {
            *sum += now.saturating_duration_since(self.last);
        }
        self.last = now;
    }

    /// Counts a wait in which a bridge held the step.
    pub(super) fn add_retry(&mut self) {
        self.mark(Part::Padding);
        self.retries += 1;
    }

    /// Drops the time since the last mark: a pause or a reset is part of no step.
    pub(super) fn restart(&mut self, now: Instant) {
        self.last = now;
        self.parts = Default::default();
        self.retries = 0;
    }

    /// Ends the step. Returns the time now.
    pub(super) fn close(&mut self, width: Duration, speed: Speed) -> Instant {
        let now = self.mark(Part::Engine);
        self.count(width, speed);
        now
    }

    fn count(&mut self, width: Duration, speed: Speed) {
        let parts = std::mem::take(&mut self.parts);
        for (sum, part) in self.sums.iter_mut().zip(parts) {
            sum.add_time(part);
        }
        let [engine, simulator, controller, _] = parts;
        let whole = engine + simulator + controller;
        self.whole.add_time(whole);
        self.all_retries.add(std::mem::take(&mut self.retries));
        let (whole, width) = (whole.as_secs_f64(), width.as_secs_f64());
        if let Speed::Factor(factor) = speed
            && whole * factor > width
        {
            self.overruns += 1;
        }
        if whole > 0.0 {
            self.achievable = width / whole;
            let is_first = self.achievable_average == 0.0;
            let weight = if is_first { 1.0 } else { NEWEST };
            self.achievable_average += (self.achievable - self.achievable_average) * weight;
        }
    }

    /// Returns the times of the steps so far. `effective_factor` is the achieved real-time factor.
    pub(super) fn statistics(&self, effective_factor: f64) -> Statistics {
        let [engine, simulator, controller, padding] = &self.sums;
        Statistics {
            engine_time: engine.seconds(),
            simulator_time: simulator.seconds(),
            controller_time: controller.seconds(),
            cycle_time: self.whole.seconds(),
            padding_time: padding.seconds(),
            controller_retries: self.all_retries.figures(1.0),
            achievable_factor: self.achievable,
            achievable_factor_average: self.achievable_average,
            effective_factor,
            overruns: self.overruns,
        }
    }

    /// Clears all statistics.
    pub(super) fn clear(&mut self) {
        self.sums.iter_mut().for_each(Accumulator::clear);
        self.whole.clear();
        self.all_retries.clear();
        self.overruns = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: Duration = Duration::from_millis(10);

    /// Makes a step whose parts take `millis` milliseconds each.
    fn step(cycle: &mut Cycle, millis: [u64; 4], speed: Speed) {
        let parts = [Part::Padding, Part::Simulator, Part::Controller, Part::Engine];
        for (part, millis) in parts.into_iter().zip(millis) {
            let now = cycle.last + Duration::from_millis(millis);
            cycle.note(part, now);
        }
        cycle.count(WIDTH, speed);
    }

    #[test]
    fn each_part_is_counted_and_padding_is_no_part_of_the_cycle() {
        let mut cycle = Cycle::new(clock::now());
        step(&mut cycle, [5, 2, 1, 2], Speed::Factor(1.0));
        step(&mut cycle, [0, 6, 1, 4], Speed::Factor(1.0));
        let mean = |sum: &Accumulator| (sum.seconds().mean * 1e3).round();
        assert_eq!(cycle.sums.each_ref().map(mean), [3.0, 4.0, 1.0, 3.0]);
        assert_eq!((mean(&cycle.whole), cycle.whole.seconds().count), (8.0, 2));
        assert_eq!(cycle.overruns, 1, "11 ms are more than the step has");
    }

    #[test]
    fn overruns_are_those_of_the_pace() {
        let mut cycle = Cycle::new(clock::now());
        step(&mut cycle, [0, 6, 0, 0], Speed::Factor(2.0));
        step(&mut cycle, [0, 60, 0, 0], Speed::Unlimited);
        assert_eq!(cycle.overruns, 1);
    }

    #[test]
    fn the_achievable_factor_is_that_of_the_last_step_and_an_average() {
        let mut cycle = Cycle::new(clock::now());
        for _ in 0..200 {
            step(&mut cycle, [3, 5, 0, 0], Speed::Factor(1.0));
        }
        assert!((cycle.achievable - 2.0).abs() < 1e-9 && (cycle.achievable_average - 2.0).abs() < 1e-9);
        step(&mut cycle, [0, 1, 0, 0], Speed::Factor(1.0));
        assert!((cycle.achievable - 10.0).abs() < 1e-9);
        assert!((cycle.achievable_average - 2.125).abs() < 1e-9);
    }

    #[test]
    fn a_pause_is_no_part_of_a_step() {
        let mut cycle = Cycle::new(clock::now());
        cycle.restart(cycle.last + Duration::from_secs(100));
        step(&mut cycle, [0, 1, 1, 1], Speed::Factor(1.0));
        assert!(cycle.whole.seconds().max < 0.1);
        cycle.clear();
        assert_eq!(cycle.whole.seconds().count, 0);
    }
}

//! One step, in its four phases.

use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_abi::model::StepInfo;
use bridgehead_lifecycle::{Cause, Interrupt, Report, Request, State};

use super::Simulation;
use super::cycle::Part;
use super::load::width_ns;
use super::topics::Insider;
use crate::bus::Moment;
use crate::report::Watcher;
use crate::trigger::Signal;

/// How long a wait before a step lasts at once; requests end it early.
const SLICE: Duration = Duration::from_millis(20);

impl Simulation {
    /// A step begins: what waits for it is done, and then for its time.
    pub(super) fn begin_step(&mut self) {
        self.may_step = false;
        self.fire(Signal::Loop);
    }

    /// Waits until the time of the step has come. Bridges that feed exact steps were waited for at the end of
    /// the step before, where a request can be taken; here they matter only after a pause.
    pub(super) fn poll_step_begin(&mut self) -> Option<Report> {
        if self.is_held() && !self.shared.asks.wants_end() {
            return None;
        }
        if !self.may_step {
            self.may_step = self.wait_until_due();
        }
        self.may_step.then_some(Report::PhaseDone)
    }

    /// Waits for the time of the step, which is over as well when a request is there. Whoever wakes the simulation for
    /// something else than a request does not make the step come early.
    fn wait_until_due(&mut self) -> bool {
        let now = self.cycle.mark(Part::Engine);
        let due = match self.step_due {
            Some(due) => due,
            None => now + self.pacer.wait_before(self.width, now),
        };
        if due > now && !self.lifecycle.has_requests() {
            self.shared.watchdog.rest();
            self.shared.asks.wait(due.saturating_duration_since(now));
            self.shared.watchdog.enter(State::StepBegin);
            if self.cycle.mark(Part::Padding) < due && !self.shared.asks.has_requests() {
                self.step_due = Some(due);
                return false;
            }
        }
        self.step_due = None;
        true
    }

    /// Waits until bridges that feed exact steps allow the next one. Requests are taken meanwhile: the lifecycle
    /// may leave the end of a step for a pause or a stop.
    pub(super) fn poll_step_end(&mut self) -> Option<Report> {
        (!self.is_held()).then_some(Report::PhaseDone)
    }

    /// Whether a bridge holds the next step, after a short wait. Keeps the other bridges going meanwhile.
    pub(super) fn is_held(&mut self) -> bool {
        let holders = self.shared.lockstep.wait_for(self.now.step + 1, SLICE);
        let is_held = !holders.is_empty();
        if is_held {
            self.cycle.was_held();
            let holders = self.bridges.labels(&holders);
            self.shared.watchdog.waits_for(vec![format!("a release of the step by {holders}")]);
            self.tend_bridges();
        }
        is_held
    }

    /// Physics, then sensors.
    pub(super) fn step_simulator(&mut self) -> Report {
        let Some(world) = &self.world else {
            return Report::PhaseDone;
        };
        let stepped = world.borrow_mut().step();
        let width = width_ns(self.width);
        // Steps count from 1, so that simulated time is always `step × width`.
        self.now.step += 1;
        self.now.time_ns += width;
        self.shared.clock.set(self.now, width);
        if let Err(error) = stepped {
            self.note_error(error.to_string());
            self.shared.asks.push(Request::new(Interrupt::Abort, Cause::Host(error.to_string())));
            return Report::PhaseDone;
        }
        let has_news = world.borrow().has_changes();
        if has_news {
            self.follow_news();
        }
        let Some(world) = &self.world else {
            return Report::PhaseDone;
        };
        let step = self.step_info();
        let faults = self.models.sample(world, &step);
        self.route();
        self.handle_faults(faults);
        self.cycle.mark(Part::Simulator);
        Report::PhaseDone
    }

    /// Received commands are latched in, then controllers run.
    pub(super) fn step_controllers(&mut self) -> Report {
        self.latch();
        let Some(world) = &self.world else {
            return Report::PhaseDone;
        };
        let step = self.step_info();
        let faults = self.models.control(world, &step);
        self.route();
        self.handle_faults(faults);
        self.cycle.mark(Part::Controller);
        Report::PhaseDone
    }

    /// Accounts for the step, looks after bridges and shows the state.
    pub(super) fn end_step(&mut self, watcher: &mut dyn Watcher) {
        self.write_hash();
        self.totals.steps += 1;
        self.totals.simulated += self.width;
        let now = self.cycle.close(self.width, self.pacer.speed());
        let factor = self.factor.step(self.width, now);
        self.shared.clock.set_factor(factor);
        self.adopt_late_starters();
        self.tend_bridges();
        self.report_overflows();
        self.show_status(watcher);
        if self.config.duration.is_some_and(|duration| super::nanos(self.now.time_ns) >= duration) {
            self.shared.asks.push(Request::new(Interrupt::Stop, Cause::Duration));
        }
        self.run_due_triggers();
    }

    fn step_info(&self) -> StepInfo {
        StepInfo {
            struct_size: StepInfo::SIZE,
            reset_epoch: self.now.reset_epoch,
            time_ns: self.now.time_ns,
            width_ns: width_ns(self.width),
            step: self.now.step,
        }
    }

    /// Routes what plugins published in this phase.
    fn route(&mut self) {
        if !self.shared.has_published.swap(false, Ordering::Acquire) {
            return;
        }
        if self.sensors_paused {
            self.models.discard();
            return;
        }
        let shared = &self.shared;
        self.models.route(&mut self.router, self.now, &|| shared.asks.is_urgent());
    }

    /// Hands what came from peers to those who listen, once per step.
    fn latch(&mut self) {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        self.shared.inbox.latch(self.now.step, &mut arrivals);
        for arrival in arrivals.drain(..) {
            self.latch_one(arrival, self.now);
        }
        self.arrivals = arrivals;
    }

    fn latch_one(&mut self, arrival: crate::bus::Arrival, now: Moment) {
        let is_ours = arrival.source == Insider::Triggers.number();
        let (topic, shared) = (arrival.topic, &self.shared);
        let Some(delivery) = self.router.route_arrival(arrival, now, &|| shared.asks.is_urgent()) else {
            return;
        };
        // A run made again has its triggers too.
        if is_ours || !self.files.records_commands() {
            return;
        }
        let Some(topic) = self.shared.bus.get(topic) else {
            return;
        };
        if let Some(problem) = self.files.write_command(&topic, &delivery) {
            self.note_error(problem);
        }
    }

    fn write_hash(&mut self) {
        if !self.files.wants_hash() {
            return;
        }
        if let Some(world) = &self.world {
            self.state_hash = world.borrow().state_hash();
        }
        if let Some(problem) = self.files.write_hash(self.now, self.state_hash) {
            self.note_error(problem);
        }
    }

    fn report_overflows(&mut self) {
        let ids = self.router.take_overflowed();
        if !ids.is_empty() {
            let labels = self.bridges.labels(&ids);
            log::error!("[BH-BRG-032] the queue of {labels} is full and set to `error`: messages are lost");
        }
    }
}

//! One step in its four phases, and the waits before it.

use std::time::{Duration, Instant};

use bridgehead_lifecycle::{Cause, Interrupt, Report, Request, State};

use super::cycle::Part;
use super::scene::When;
use super::simulation::Simulation;
use crate::report::Watcher;
use crate::trigger::Signal;
use crate::{call, clock};

/// Maximum time of one wait for the due time of a step, so that the thread is known to respond.
const NAP: Duration = Duration::from_millis(200);
/// Maximum time of one wait for lockstep bridges; requests are taken between two waits.
const SLICE: Duration = Duration::from_millis(20);

impl Simulation {
    pub(super) fn release_clock(&mut self) {
        let now = clock::now();
        self.shared.clock.set_paused(false);
        self.timeline.release(now);
        self.cycle.restart(now);
    }

    /// Waits until the step is due. A request ends the wait, and the lifecycle takes it before the step; the step itself
    /// runs only when it is due, so that a request that is refused or must wait leaves the pace alone.
    ///
    /// The wait for lockstep bridges is at the end of the previous step; here they matter only after a pause.
    pub(super) fn poll_step_begin(&mut self) -> Option<Report> {
        let is_held = self.is_awaiting_additions() || self.is_step_held();
        (!is_held && self.is_due()).then_some(Report::PhaseDone)
    }

    /// Returns true if the step is due. Otherwise it waits a while first, unless there is a request to take.
    fn is_due(&mut self) -> bool {
        let now = self.cycle.mark(Part::Engine);
        self.shared.watchdog.beat(now);
        let wait = self.wait_for_step(now);
        if wait.is_zero() || self.lifecycle.has_due_requests() {
            return wait.is_zero();
        }
        self.shared.watchdog.rest();
        self.shared.requests.wait(wait.min(NAP));
        self.shared.watchdog.enter(State::StepBegin);
        let now = self.cycle.mark(Part::Padding);
        self.wait_for_step(now).is_zero()
    }

    /// Returns how long the next step still waits. Steps of a call are not paced: its client waits for their end, and sets
    /// the pace by its next request.
    fn wait_for_step(&mut self, now: Instant) -> Duration {
        let is_unpaced = self.machine().steps_left().is_some() && !self.timeline.paces_steps();
        if is_unpaced { Duration::ZERO } else { self.timeline.wait(now) }
    }

    /// Waits until lockstep bridges allow the next step. Requests are taken meanwhile: the lifecycle may leave the end
    /// of a step for a pause or a stop.
    pub(super) fn poll_step_end(&mut self) -> Option<Report> {
        (!self.is_step_held()).then_some(Report::PhaseDone)
    }

    /// Returns true if a bridge still holds the next step after a short wait. In that case all bridges are polled.
    pub(super) fn is_step_held(&mut self) -> bool {
        let holders = self.shared.lockstep.wait_after(self.timeline.now(), SLICE);
        let is_held = !holders.is_empty();
        if is_held {
            self.cycle.add_retry();
            let holders = self.traffic.bridges.labels(&holders);
            self.shared.watchdog.waits_for(vec![format!("a release of the step by {holders}")]);
            self.shared.watchdog.beat(clock::now());
            self.note_late_bridges();
            self.poll_bridges();
        }
        is_held
    }

    /// Begins the step: runs the triggers that wait for it. Returns false if they abort the run.
    fn begin_step(&mut self) -> bool {
        self.triggers.begin_step();
        if !self.triggers.listen(Signal::Loop) {
            return true;
        }
        self.signal_triggers(Signal::Loop);
        !self.shared.requests.has_abort()
    }

    /// Begins the step, then runs physics, then sensors.
    pub(super) fn step_simulator(&mut self) -> Report {
        if !self.begin_step() {
            return Report::PhaseDone;
        }
        let Some(loaded) = &mut self.loaded else {
            return Report::PhaseDone;
        };
        let world = loaded.world.get_mut();
        let stepped = world.step();
        let has_changes = world.has_changes();
        self.timeline.advance();
        self.shared.clock.set(self.timeline.now(), self.timeline.width_ns());
        if let Err(error) = stepped {
            self.record.error(error.to_string());
            self.shared.requests.push(Request::new(Interrupt::Abort, Cause::Host(error.to_string())));
            return Report::PhaseDone;
        }
        if has_changes {
            self.apply_entity_changes();
        }
        let Some(loaded) = &mut self.loaded else {
            return Report::PhaseDone;
        };
        let faults = loaded.sample(&self.timeline.step_info());
        self.traffic.route_published(&mut loaded.models, self.timeline.now());
        loaded.publish_scene(&mut self.traffic, self.timeline.now(), When::Due);
        self.handle_faults(faults);
        self.cycle.mark(Part::Simulator);
        Report::PhaseDone
    }

    /// Latches in received commands, then runs controllers.
    pub(super) fn step_controllers(&mut self) -> Report {
        self.traffic.latch(self.timeline.now(), &mut self.record);
        let Some(loaded) = &mut self.loaded else {
            return Report::PhaseDone;
        };
        let faults = loaded.control(&self.timeline.step_info());
        self.traffic.route_published(&mut loaded.models, self.timeline.now());
        self.handle_faults(faults);
        self.cycle.mark(Part::Controller);
        Report::PhaseDone
    }

    /// Completes the statistics of the step, polls bridges, shows the status and runs due triggers.
    pub(super) fn end_step(&mut self, watcher: &mut dyn Watcher) {
        if let (true, Some(loaded)) = (self.record.wants_hashes(), &self.loaded) {
            self.record.write_hash(self.timeline.now(), loaded.state_hash());
        }
        let now = self.cycle.close(self.timeline.width(), self.timeline.speed());
        let factor = self.timeline.complete_step(now);
        self.shared.clock.set_factor(factor);
        self.adopt_late_starters();
        self.poll_bridges();
        self.traffic.report_overflows();
        let now = self.timeline.now();
        call::check_steps(now.step, now.time_ns);
        self.show_status(watcher);
        if self.time_limit().is_some_and(|limit| self.timeline.elapsed() >= limit) {
            self.shared.requests.push(Request::new(Interrupt::Stop, Cause::Duration));
        }
        self.run_due_triggers();
    }
}

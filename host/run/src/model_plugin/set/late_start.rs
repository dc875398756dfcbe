//! Instances that are added, started and removed while the others run. Simulation thread only.

use std::cell::RefCell;

use bridgehead_lifecycle::{Need, StartTracker};

use super::removed::Removed;
use super::{ModelSet, START_DEADLINE, state};
use crate::api::enter_world;
use crate::api::shared::Shared;
use crate::bus::Moment;
use crate::clock;
use crate::model_plugin::fault::{Fault, LabelledFault};
use crate::model_plugin::instance::ModelPlugin;
use crate::watchdog::Stopwatch;
use crate::world::World;

/// First rank after those of a world file.
const FIRST_SPAWNED: u64 = 1 << 32;

impl ModelSet {
    /// Returns a rank after all ranks returned so far.
    pub fn next_rank(&mut self) -> u64 {
        self.spawned += 1;
        FIRST_SPAWNED + self.spawned
    }

    /// Starts the instances that were not started yet, and registers them with the tracker.
    pub fn start_new(&mut self, tracker: &mut StartTracker, need: Need, deadline_ns: u64) {
        for instance in self.instances.iter_mut().filter(|instance| instance.is_new()) {
            super::begin_start(instance, tracker, need, deadline_ns);
        }
    }

    /// Stops and destroys the instances of a model, the last one first.
    pub fn remove(&mut self, model: usize, tracker: &mut StartTracker) -> Removed {
        let mut removed = Removed::default();
        let (leaving, staying): (Vec<_>, Vec<_>) =
            self.instances.drain(..).partition(|instance| instance.belongs_to(model));
        self.instances = staying;
        for mut instance in leaving.into_iter().rev() {
            instance.await_start(clock::now() + START_DEADLINE);
            let label = instance.label().to_owned();
            removed.faults.extend(instance.stop().map(|fault| (label.clone(), fault)));
            tracker.forget(&label);
            removed.subscriptions.extend(instance.subscriptions());
            removed.results.push(instance.result());
            removed.problems.extend(instance.destroy());
        }
        removed
    }

    /// Polls late starts, and makes the missed lifecycle calls on instances that have started. Returns the faults.
    pub fn adopt_late(
        &mut self,
        shared: &Shared,
        tracker: &mut StartTracker,
        world: &RefCell<World>,
        now: Moment,
    ) -> Vec<LabelledFault> {
        let failed = self.poll_starts(shared, tracker).into_iter();
        let mut faults: Vec<_> = failed.map(|(label, reason)| (label, Fault::Failed(reason))).collect();
        faults.extend(self.catch_up(world, now));
        faults
    }

    /// Makes the first reset of instances that started after the others, and loads their states.
    pub fn reset_new(&mut self, world: &RefCell<World>, now: Moment) -> Vec<LabelledFault> {
        let (expected, limits) = (&mut self.expected, self.limits);
        let mut faults = Vec::new();
        for instance in self.instances.iter_mut().filter(|instance| instance.lacks_reset()) {
            let mut watch = Stopwatch::new(limits, 0);
            let reset = || instance.reset(bridgehead_abi::bridge::SCOPE_ALL, &mut watch);
            let fault = enter_world(world, reset);
            faults.extend(fault.map(|fault| (instance.label().to_owned(), fault)));
            faults.extend(enter_world(world, || state::load(instance, expected, now, limits)));
        }
        faults
    }

    /// Makes the missed lifecycle calls on instances that started after the others.
    pub fn catch_up(&mut self, world: &RefCell<World>, now: Moment) -> Vec<LabelledFault> {
        let mut faults = self.reset_new(world, now);
        for instance in self.instances.iter_mut().filter(|instance| instance.lacks_all_started()) {
            log::info!(target: instance.label(), "takes part from now on");
            faults.extend(instance.all_started().map(|fault| (instance.label().to_owned(), fault)));
        }
        faults
    }

    /// Calls `pause` on instances that started during the pause.
    pub fn pause_new(&mut self) -> Vec<LabelledFault> {
        self.each(ModelPlugin::pause_once)
    }
}

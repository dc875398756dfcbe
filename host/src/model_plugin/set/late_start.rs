//! Instances that come and go while the others run.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{Need, StartTracker};

use super::{LabelledFault, ModelSet, state};
use crate::api::{Shared, enter_world};
use crate::bus::{Moment, Subscription};
use crate::model_plugin::instance::{Fault, ModelPlugin};
use crate::report::PluginResult;
use crate::watchdog::Stopwatch;
use crate::world::World;

/// How long the start of an instance may still take that is to go.
const PATIENCE: Duration = Duration::from_secs(2);
/// Behind everything that a world file has.
const FIRST_SPAWNED: u64 = 1 << 32;

/// What is left of instances that are gone.
#[derive(Default)]
pub struct Gone {
    /// What stopping them led to.
    pub faults: Vec<LabelledFault>,
    /// What could not be destroyed.
    pub problems: Vec<String>,
    /// What they listened to.
    pub subscriptions: Vec<Arc<Subscription>>,
}

impl ModelSet {
    /// A place in the order of calls behind all that were given so far.
    pub fn next_rank(&mut self) -> u64 {
        self.spawned += 1;
        FIRST_SPAWNED + self.spawned
    }

    /// Starts the instances that nobody has asked to start yet, and tracks them.
    pub fn start_new(&mut self, tracker: &mut StartTracker, need: Need, deadline_ns: u64) {
        for instance in self.instances.iter_mut().filter(|instance| instance.is_new()) {
            super::begin_start(instance, tracker, need, deadline_ns);
        }
    }

    /// Stops and destroys the instances of a model, the last one first.
    pub fn remove(&mut self, model: usize, tracker: &mut StartTracker) -> Gone {
        let mut gone = Gone::default();
        let (leaving, staying): (Vec<_>, Vec<_>) =
            self.instances.drain(..).partition(|instance| instance.belongs_to(model));
        self.instances = staying;
        for mut instance in leaving.into_iter().rev() {
            instance.await_start(PATIENCE);
            let label = instance.label().to_owned();
            gone.faults.extend(instance.stop().map(|fault| (label.clone(), fault)));
            tracker.forget(&label);
            gone.subscriptions.extend(instance.subscriptions());
            self.remember(instance.result());
            gone.problems.extend(instance.destroy());
        }
        gone
    }

    /// Keeps what became of an instance. Of several with one name, as when a vehicle is spawned again and again, the
    /// last counts, but for a failure.
    pub(super) fn remember(&mut self, result: PluginResult) {
        let same = |known: &&mut PluginResult| known.label == result.label && known.plugin == result.plugin;
        match self.past.iter_mut().find(same) {
            None => self.past.push(result),
            Some(known) if result.failure.is_empty() && !known.failure.is_empty() => {}
            Some(known) => *known = result,
        }
    }

    /// Looks which late starts have ended. Brings those instances up to where the others are, and gives what
    /// that led to.
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

    /// Gives instances that have started behind the others their first reset, and what they are to remember.
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

    /// Brings instances that have started behind the others up to where those are.
    pub fn catch_up(&mut self, world: &RefCell<World>, now: Moment) -> Vec<LabelledFault> {
        let mut faults = self.reset_new(world, now);
        for instance in self.instances.iter_mut().filter(|instance| instance.lacks_all_started()) {
            log::info!(target: instance.label(), "takes part from now on");
            faults.extend(instance.all_started().map(|fault| (instance.label().to_owned(), fault)));
        }
        faults
    }

    /// Tells those of a pause that began before they had started.
    pub fn pause_new(&mut self) -> Vec<LabelledFault> {
        self.each(ModelPlugin::pause_once)
    }
}

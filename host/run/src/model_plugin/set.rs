//! All model plugins of a run, in document order. Owned by the simulation thread.

mod late_start;
mod removed;
mod state;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_abi::model::{ModelInstance, StepInfo};
use bridgehead_lifecycle::{Need, StartTracker};
use bridgehead_plugin_api::objects::ModelRef;
use thiserror::Error;

pub use removed::Removed;

use super::fault::{Fault, LabelledFault, Stage};
use super::instance::{ModelPlugin, PluginState};
use crate::api::context::params::ParamsView;
use crate::api::context::{Context, Owner};
use crate::api::enter_world;
use crate::api::shared::Shared;
use crate::bus::{Moment, Router};
use crate::clock;
use crate::description::Server;
use crate::plugin::{Kind, Library, PluginSet, create_instance, free_label};
use crate::report::PluginResult;
use crate::thread::lock;
use crate::watchdog::{CallLimits, Stopwatch};
use crate::world::{PluginSlot, SlotKind, World};

/// Why an instance could not be added.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum AddError {
    /// No such plugin, with the available ones. The caller counts such names and reports each once.
    #[error("{0}")]
    NoSuchPlugin(String),
    /// The factory did not create an instance.
    #[error("[BH-PLG-094] {place}plugin `{plugin}` could not be created for `{label}`: {reason}")]
    Create {
        /// `file:line: `, or empty.
        place: String,
        /// The plugin.
        plugin: String,
        /// The slot.
        label: String,
        /// Reason given by the plugin.
        reason: String,
    },
}

/// The model plugins of a run.
#[derive(Default)]
pub struct ModelSet {
    instances: Vec<ModelPlugin>,
    /// States of a snapshot that instances load after their first reset.
    expected: Vec<PluginState>,
    limits: CallLimits,
    /// Number of slots added during the run.
    spawned: u64,
}

impl ModelSet {
    /// Creates an empty set with time limits for its calls.
    #[must_use]
    pub fn new(limits: CallLimits) -> Self {
        ModelSet { limits, ..ModelSet::default() }
    }

    /// Creates an instance of `plugin`, whose library is open, for a slot. Instances are called in the order of their
    /// `rank`.
    ///
    /// # Errors
    /// Returns an error if there is no such plugin or if it creates no instance.
    pub fn add(
        &mut self,
        plugins: &PluginSet,
        shared: &Arc<Shared>,
        plugin: &str,
        slot: &PluginSlot,
        rank: u64,
    ) -> Result<(), AddError> {
        let Some((loaded, factory)) = plugins.model(plugin) else {
            return Err(AddError::NoSuchPlugin(plugins.explain_missing(Kind::Model, plugin)));
        };
        let is_taken = |label: &str| self.instances.iter().any(|instance| instance.label() == label);
        let label = free_label(slot.label().to_owned(), is_taken);
        let params = ParamsView::new((*slot.params).clone());
        let context = Context::new(Owner::Model, label, Arc::clone(shared), params, slot.attachment.clone());
        let refuse = |reason| AddError::Create {
            place: slot.place_prefix(),
            plugin: loaded.metadata.name.clone(),
            label: slot.label().to_owned(),
            reason,
        };
        // SAFETY: the loader checked the factory, whose `create` fills in its argument or fails.
        let created: Result<ModelInstance, _> =
            unsafe { create_instance(&context.label, &context, |out| (factory.create)(context.host(), out)) };
        let instance = created.map_err(|error| refuse(error.reason(|| context.take_explanation())))?;
        // SAFETY: the struct is checked, and the instance is destroyed last.
        let instance = unsafe { ModelRef::new(instance) };
        let library = loaded.loaded.and_then(|(_, library)| plugins.library(library));
        let plugin = &loaded.metadata;
        let mut instance = ModelPlugin::new(plugin, slot, context, instance);
        instance.is_isolated = library.is_some_and(Library::is_isolated);
        instance.rank = rank;
        let place = self.instances.partition_point(|other| other.rank <= rank);
        self.instances.insert(place, instance);
        Ok(())
    }

    /// Returns the plugin that serves the slot of that rank.
    #[must_use]
    pub fn server_at(&self, rank: u64) -> Option<Server> {
        let place = self.instances.partition_point(|instance| instance.rank < rank);
        let instance = self.instances.get(place).filter(|instance| instance.rank == rank)?;
        Some(instance.server())
    }

    /// The instances in document order.
    #[must_use]
    pub fn instances(&self) -> &[ModelPlugin] {
        &self.instances
    }

    /// Calls `awake` on every instance, without starting it. Returns the labels of those that refuse, with the reasons.
    pub fn try_awake(&mut self) -> Vec<(String, String)> {
        let refusal = |instance: &mut ModelPlugin| Some((instance.label().to_owned(), instance.try_awake()?));
        self.instances.iter_mut().filter_map(refusal).collect()
    }

    /// Returns true if the instance with that label serves a `<sensor>`.
    #[must_use]
    pub fn is_sensor(&self, label: &str) -> bool {
        self.instances.iter().any(|instance| instance.kind == SlotKind::Sensor && instance.label() == label)
    }

    /// Starts every instance that is not running, and registers it with the tracker.
    pub fn start(&mut self, tracker: &mut StartTracker, need: Need, deadline_ns: u64) {
        for instance in &mut self.instances {
            begin_start(instance, tracker, need, deadline_ns);
        }
    }

    /// Reports finished starts to the tracker. Returns the failures, with the labels of the instances.
    pub fn poll_starts(&mut self, shared: &Shared, tracker: &mut StartTracker) -> Vec<(String, String)> {
        let reports = std::mem::take(&mut *lock(&shared.started));
        let mut failures = Vec::new();
        for instance in &mut self.instances {
            let mut ended = instance.poll_start();
            if let Some(report) = reports.iter().find(|report| report.label == instance.label())
                && *instance.stage() == Stage::Pending
            {
                ended = Some(instance.end_start(report.failure.clone().map_or(Ok(()), Err)));
            }
            let tracked = match ended {
                None => continue,
                Some(Ok(())) => tracker.ready(instance.label()).map(drop),
                Some(Err(reason)) => {
                    let tracked = tracker.failed(instance.label(), &reason);
                    failures.push((instance.label().to_owned(), reason));
                    tracked
                }
            };
            if let Err(error) = tracked {
                log::debug!(target: instance.label(), "{error}");
            }
        }
        // A report may arrive before `start` has returned PENDING.
        let known =
            |label: &str| self.instances.iter().any(|i| i.label() == label && *i.stage() == Stage::Starting);
        let early = reports.into_iter().filter(|report| known(&report.label));
        lock(&shared.started).extend(early);
        failures
    }

    /// Makes one call on every instance, in order, and collects the faults.
    fn each(&mut self, mut call: impl FnMut(&mut ModelPlugin) -> Option<Fault>) -> Vec<LabelledFault> {
        let mut faults = Vec::new();
        for instance in &mut self.instances {
            if let Some(fault) = call(instance) {
                faults.push((instance.label().to_owned(), fault));
            }
        }
        faults
    }

    /// `all_started` on every instance.
    pub fn all_started(&mut self) -> Vec<LabelledFault> {
        self.each(ModelPlugin::all_started)
    }

    /// `pause` on every instance; `counted` if the pause follows counted steps.
    pub fn pause(&mut self, counted: bool) -> Vec<LabelledFault> {
        self.each(|instance| instance.pause(counted))
    }

    /// `resume` on every instance; `counted` if counted steps follow.
    pub fn resume(&mut self, counted: bool) -> Vec<LabelledFault> {
        self.each(|instance| instance.resume(counted))
    }

    /// `reset` on every instance.
    pub fn reset(&mut self, world: &RefCell<World>, scope: u32) -> Vec<LabelledFault> {
        let mut watch = Stopwatch::new(self.limits, 0);
        enter_world(world, || self.each(|instance| instance.reset(scope, &mut watch)))
    }

    /// `sample` on every instance.
    pub fn sample(&mut self, world: &RefCell<World>, step: &StepInfo) -> Vec<LabelledFault> {
        let mut watch = Stopwatch::new(self.limits, step.step);
        enter_world(world, || self.each(|instance| instance.sample(step, &mut watch)))
    }

    /// `control` on every instance.
    pub fn control(&mut self, world: &RefCell<World>, step: &StepInfo) -> Vec<LabelledFault> {
        let mut watch = Stopwatch::new(self.limits, step.step);
        enter_world(world, || self.each(|instance| instance.control(step, &mut watch)))
    }

    /// Ends the wait for starts that have not exceeded their deadline, because the run ends.
    pub fn interrupt_starts(&mut self, tracker: &StartTracker) {
        for instance in &mut self.instances {
            if !tracker.late().any(|late| late == instance.label()) {
                instance.interrupt_start();
            }
        }
    }

    /// `stop` on every instance, the last one first. Running starts get a moment to end, because an instance can
    /// neither be stopped nor destroyed while it starts.
    pub fn stop(&mut self) -> Vec<LabelledFault> {
        let end = clock::now() + START_DEADLINE;
        self.instances.iter_mut().for_each(|instance| instance.await_start(end));
        let mut faults = Vec::new();
        for instance in self.instances.iter_mut().rev() {
            if let Some(fault) = instance.stop() {
                faults.push((instance.label().to_owned(), fault));
            }
        }
        faults
    }

    /// Routes what every instance published, in document order.
    pub fn route(&mut self, router: &mut Router, now: Moment, give_up: &dyn Fn() -> bool) {
        for instance in &mut self.instances {
            let (label, published) = instance.published();
            if !published.is_empty() {
                router.route(label, published, now, give_up);
            }
        }
    }

    /// Drops published messages that were not routed, at a reset.
    pub fn discard(&mut self) {
        self.instances.iter_mut().for_each(|instance| instance.published().1.clear());
    }

    /// Registers new subscriptions with the router.
    pub fn route_subscriptions(&mut self, router: &mut Router) {
        for instance in &mut self.instances {
            for subscription in instance.new_subscriptions() {
                router.subscribe(&subscription);
            }
        }
    }

    /// Destroys every instance, the last one first.
    pub fn destroy(&mut self) -> Removed {
        let results = self.instances.iter().map(ModelPlugin::result).collect();
        let problems = self.instances.drain(..).rev().filter_map(ModelPlugin::destroy).collect();
        Removed { results, problems, ..Removed::default() }
    }

    /// Resets the call statistics of all plugins.
    pub fn reset_timings(&mut self) {
        self.instances.iter_mut().for_each(ModelPlugin::reset_timing);
    }

    /// Results of the present instances, in document order.
    pub fn results(&self) -> impl Iterator<Item = PluginResult> {
        self.instances.iter().map(ModelPlugin::result)
    }
}

fn begin_start(instance: &mut ModelPlugin, tracker: &mut StartTracker, need: Need, deadline_ns: u64) {
    instance.begin_start();
    if let Err(error) = tracker.track(instance.label(), need, deadline_ns) {
        log::error!(target: instance.label(), "{error}");
    }
    if let Stage::Failed(reason) = instance.stage() {
        drop(tracker.failed(instance.label(), reason));
    }
}

/// Time limit for the running starts of instances that are removed, or of a run that ends.
pub(in crate::model_plugin::set) const START_DEADLINE: Duration = Duration::from_secs(2);

//! All model plugins of a run, in document order.

mod joining;
mod state;

use std::cell::RefCell;
use std::sync::Arc;

use bridgehead_abi::model::StepInfo;
use bridgehead_lifecycle::{Need, StartTracker};
use thiserror::Error;

pub use joining::Gone;

use super::instance::{Fault, ModelPlugin, PluginState, Stage};
use crate::api::{Context, Owner, ParamsView, Shared, create_instance, enter_world, free_label};
use crate::bus::{Moment, Router};
use crate::description::Server;
use crate::plugin::{Kind, PluginSet};
use crate::report::PluginResult;
use crate::thread::lock;
use crate::watchdog::{CallLimits, Stopwatch};
use crate::world::{PluginSlot, SlotKind, World};

/// Why a plugin could not be made.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MakeError {
    /// No such plugin; what is available. Whoever asked counts such names, to report each once.
    #[error("{0}")]
    NoSuchPlugin(String),
    /// The factory could not make an instance.
    #[error("[BH-PLG-094] {place}plugin `{plugin}` could not be made for `{label}`: {reason}")]
    Create {
        /// `file:line: `, or empty.
        place: String,
        /// The plugin.
        plugin: String,
        /// The slot.
        label: String,
        /// Why.
        reason: String,
    },
}

/// Children of a `<sensor>` that the host reads itself.
const HOST_READS_OF_SENSORS: &[&str] =
    &["pose", "topic", "update_rate", "always_on", "visualize", "enable_metrics", "plugin", "frame_id"];

/// The model plugins of a run.
#[derive(Default)]
pub struct ModelSet {
    instances: Vec<ModelPlugin>,
    /// What instances are to remember as soon as they have started: the run goes on from a snapshot.
    expected: Vec<PluginState>,
    limits: CallLimits,
    /// How many came during the run.
    spawned: u64,
}

/// A fault with the label of its plugin.
pub(super) type LabelledFault = (String, Fault);

impl ModelSet {
    /// An empty set whose calls may take so long.
    #[must_use]
    pub fn new(limits: CallLimits) -> Self {
        ModelSet { limits, ..ModelSet::default() }
    }

    /// Makes an instance of `plugin` for a slot. It is called before those of a higher `rank`.
    ///
    /// # Errors
    /// Where there is no such plugin or it makes no instance.
    pub fn add(
        &mut self,
        plugins: &PluginSet,
        shared: &Arc<Shared>,
        plugin: &str,
        slot: &PluginSlot,
        rank: u64,
    ) -> Result<(), MakeError> {
        let Some((loaded, factory)) = plugins.model(plugin) else {
            return Err(MakeError::NoSuchPlugin(plugins.explain_missing(Kind::Model, plugin)));
        };
        let is_taken = |label: &str| self.instances.iter().any(|instance| instance.label() == label);
        let label = free_label(slot.label(), is_taken);
        let params = ParamsView::new((*slot.params).clone());
        let context = Context::new(Owner::Model, label, Arc::clone(shared), params, slot.attachment.clone());
        let refuse = |reason| MakeError::Create {
            place: slot.place_prefix(),
            plugin: loaded.metadata.name.clone(),
            label: slot.label().to_owned(),
            reason,
        };
        // SAFETY: the loader checked the factory.
        let instance = unsafe { create_instance(&context, factory.create) }.map_err(refuse)?;
        let read_by_host = match slot.kind {
            SlotKind::Sensor => HOST_READS_OF_SENSORS,
            SlotKind::Plugin => &[],
        };
        let plugin = &loaded.metadata;
        let mut instance = ModelPlugin::new(plugin, slot, read_by_host, context, instance);
        instance.rank = rank;
        let place = self.instances.partition_point(|other| other.rank <= rank);
        self.instances.insert(place, instance);
        Ok(())
    }

    /// Who serves the slot of that rank.
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

    /// Starts every instance that is not running, and tracks it.
    pub fn start(&mut self, tracker: &mut StartTracker, need: Need, deadline_ns: u64) {
        for instance in &mut self.instances {
            begin_start(instance, tracker, need, deadline_ns);
        }
    }

    /// Looks which starts have ended, and tells the tracker. Gives the failures.
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
            let told = match ended {
                None => continue,
                Some(Ok(())) => tracker.ready(instance.label()).map(drop),
                Some(Err(reason)) => {
                    let told = tracker.failed(instance.label(), &reason);
                    failures.push((instance.label().to_owned(), reason));
                    told
                }
            };
            if let Err(error) = told {
                log::debug!(target: instance.label(), "{error}");
            }
        }
        // A report may come before the start that announced it has returned.
        let known =
            |label: &str| self.instances.iter().any(|i| i.label() == label && *i.stage() == Stage::Starting);
        let early = reports.into_iter().filter(|report| known(&report.label));
        lock(&shared.started).extend(early);
        failures
    }

    /// Makes one call on every instance, in order, and collects what came of it.
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

    /// `pause` on every instance.
    pub fn pause(&mut self) -> Vec<LabelledFault> {
        self.each(ModelPlugin::pause)
    }

    /// `resume` on every instance.
    pub fn resume(&mut self) -> Vec<LabelledFault> {
        self.each(ModelPlugin::resume)
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

    /// `stop` on every instance, the last one first.
    pub fn stop(&mut self) -> Vec<LabelledFault> {
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
            let published = instance.published();
            if !published.is_empty() {
                router.route(published, now, give_up);
            }
        }
    }

    /// Forgets what was published and not routed, at a reset.
    pub fn discard(&mut self) {
        self.instances.iter_mut().for_each(|instance| instance.published().clear());
    }

    /// Tells the router of new subscriptions.
    pub fn route_subscriptions(&mut self, router: &mut Router) {
        for instance in &mut self.instances {
            for subscription in instance.new_subscriptions() {
                router.subscribe(&subscription);
            }
        }
    }

    /// Destroys every instance, the last one first.
    pub fn destroy(&mut self) -> Gone {
        let results = self.instances.iter().map(ModelPlugin::result).collect();
        let problems = self.instances.drain(..).rev().filter_map(ModelPlugin::destroy).collect();
        Gone { results, problems, ..Gone::default() }
    }

    /// Begins to measure the calls of all plugins anew.
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

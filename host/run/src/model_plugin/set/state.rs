//! The states of all plugins in a snapshot, and the elements they add to a saved world. Simulation thread only.

use std::cell::RefCell;

use bridgehead_sdf::save::Contribution;

use super::ModelSet;
use crate::api::enter_world;
use crate::bus::Moment;
use crate::model_plugin::fault::{Fault, LabelledFault, Stage};
use crate::model_plugin::instance::{ModelPlugin, PluginState};
use crate::watchdog::{CallLimits, Stopwatch};
use crate::world::World;

impl ModelSet {
    /// Returns the state of every instance, and one message for each that could not be saved.
    pub fn save(&mut self, world: &RefCell<World>) -> (Vec<PluginState>, Vec<String>) {
        let saved =
            enter_world(world, || -> Vec<_> { self.instances.iter_mut().map(ModelPlugin::save).collect() });
        let mut problems = Vec::new();
        let states = saved.into_iter().map(|(state, problem)| {
            problems.extend(problem.map(|problem| {
                format!(
                    "[BH-SIM-223] the state of `{}` (plugin `{}`) is not in the snapshot: {problem}; in a restored \
                     run it begins as after a reset",
                    state.label, state.plugin
                )
            }));
            state
        });
        (states.collect(), problems)
    }

    /// Keeps states until each instance has had its first reset. Returns one message for each instance that is only in
    /// the snapshot or only in this run.
    pub fn expect(&mut self, states: Vec<PluginState>) -> Vec<String> {
        let is_of = |state: &PluginState, instance: &ModelPlugin| state.label == instance.label();
        let gone =
            states.iter().filter(|state| !self.instances.iter().any(|instance| is_of(state, instance)));
        let new = self.instances.iter().filter(|instance| !states.iter().any(|state| is_of(state, instance)));
        let problems = gone
            .map(|state| {
                format!("[BH-SIM-225] plugin `{}` is in the snapshot but not in this run", state.label)
            })
            .chain(new.map(|instance| {
                format!("[BH-SIM-225] plugin `{}` is in this run but not in the snapshot", instance.label())
            }))
            .collect();
        self.expected = states;
        problems
    }

    /// Loads the kept states into all instances that take part. Returns the faults.
    pub fn load(&mut self, world: &RefCell<World>, now: Moment) -> Vec<LabelledFault> {
        let (expected, limits) = (&mut self.expected, self.limits);
        let started = self.instances.iter_mut().filter(|instance| instance.is_started());
        let faults = started.filter_map(|instance| load(instance, expected, now, limits));
        enter_world(world, || faults.collect())
    }

    /// Drops the kept states, because they belong to another world.
    pub fn expect_nothing(&mut self) {
        self.expected.clear();
    }

    /// Returns the elements of all instances for a saved world, and one message for each failure.
    pub fn saved_elements(&mut self, world: &RefCell<World>) -> (Vec<Contribution>, Vec<String>) {
        let (mut contributions, mut problems) = (Vec::new(), Vec::new());
        enter_world(world, || {
            for instance in &mut self.instances {
                let (label, element) = (instance.label().to_owned(), instance.element.clone());
                match instance.saved_elements() {
                    Ok(None) => {}
                    Ok(Some(xml)) => contributions.push(Contribution { label, element, xml }),
                    Err(reason) => problems.push(format!(
                        "[BH-SIM-209] the elements of `{label}` are not in the saved world: {reason}"
                    )),
                }
            }
        });
        (contributions, problems)
    }
}

/// Loads the kept state of one instance, if there is one. If that fails, the instance is reset again, because half a
/// state is worse than none. Returns the fault of that reset.
pub(super) fn load(
    instance: &mut ModelPlugin,
    expected: &mut Vec<PluginState>,
    now: Moment,
    limits: CallLimits,
) -> Option<LabelledFault> {
    let index = expected.iter().position(|state| state.label == instance.label())?;
    let state = expected.swap_remove(index);
    let outcome = if state.plugin == instance.plugin {
        instance.load(&state, now)
    } else {
        Err(format!("its state in the snapshot is of plugin `{}`", state.plugin))
    };
    let reason = outcome.err()?;
    let then = if instance.is_started() { "it begins as after a reset" } else { "it is disabled" };
    log::warn!(
        "[BH-SIM-224] `{}` (plugin `{}`) failed to load its state: {reason}; {then}",
        instance.label(),
        instance.plugin
    );
    if let Stage::Failed(reason) = instance.stage() {
        return Some((instance.label().to_owned(), Fault::FailedToLoad(reason.clone())));
    }
    let mut watch = Stopwatch::new(limits, 0);
    let fault = instance.reset(bridgehead_abi::bridge::SCOPE_ALL, &mut watch)?;
    Some((instance.label().to_owned(), fault))
}

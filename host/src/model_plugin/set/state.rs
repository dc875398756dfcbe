//! What the plugins of a run remember, in a snapshot and back, and what they add to a saved world.

use std::cell::RefCell;

use bridgehead_sdf::save::Contribution;

use super::{LabelledFault, ModelSet};
use crate::api::enter_world;
use crate::bus::Moment;
use crate::model_plugin::instance::{ModelPlugin, PluginState};
use crate::watchdog::{CallLimits, Stopwatch};
use crate::world::World;

impl ModelSet {
    /// What every instance remembers, and a line about each that cannot give it away.
    pub fn save(&mut self, world: &RefCell<World>) -> (Vec<PluginState>, Vec<String>) {
        let saved =
            enter_world(world, || -> Vec<_> { self.instances.iter_mut().map(ModelPlugin::save).collect() });
        let mut problems = Vec::new();
        let states = saved.into_iter().map(|(state, problem)| {
            problems.extend(problem.map(|problem| {
                format!(
                    "[BH-SIM-223] what `{}` (plugin `{}`) remembers is not in the snapshot: {problem}; where the run is \
                     restored it begins as after a reset",
                    state.label, state.plugin
                )
            }));
            state
        });
        (states.collect(), problems)
    }

    /// Keeps what instances of this run are to remember, until each has had its first reset. Names those that are in
    /// one of the two and not in the other.
    pub fn expect(&mut self, states: Vec<PluginState>) -> Vec<String> {
        let is_of = |state: &PluginState, instance: &ModelPlugin| state.label == instance.label();
        let gone =
            states.iter().filter(|state| !self.instances.iter().any(|instance| is_of(state, instance)));
        let new = self.instances.iter().filter(|instance| !states.iter().any(|state| is_of(state, instance)));
        let problems = gone
            .map(|state| {
                format!("[BH-SIM-225] the snapshot has a plugin `{}` that this run has not", state.label)
            })
            .chain(new.map(|instance| {
                format!("[BH-SIM-225] this run has a plugin `{}` that the snapshot has not", instance.label())
            }))
            .collect();
        self.expected = states;
        problems
    }

    /// Gives every instance that has had its first reset what it remembered; gives what that led to.
    pub fn load(&mut self, world: &RefCell<World>, now: Moment) -> Vec<LabelledFault> {
        let (expected, limits) = (&mut self.expected, self.limits);
        let started = self.instances.iter_mut().filter(|instance| instance.is_started());
        let faults = started.filter_map(|instance| load(instance, expected, now, limits));
        enter_world(world, || faults.collect())
    }

    /// What instances were to remember is of no use any more: the world is not the one it was about.
    pub fn expect_nothing(&mut self) {
        self.expected.clear();
    }

    /// The elements that instances have for a saved world, and a line about each that fails to give them.
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

/// Hands one instance its state, if there is one for it. Where it does not take it, it is reset once more: half a state
/// would be worse than none. Gives what that led to.
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
        Err(format!("the snapshot has a state of plugin `{}` for it", state.plugin))
    };
    let reason = outcome.err()?;
    log::warn!(
        "[BH-SIM-224] `{}` (plugin `{}`) does not take back what it remembered: {reason}; it begins as after a reset",
        instance.label(),
        instance.plugin
    );
    let mut watch = Stopwatch::new(limits, 0);
    let fault = instance.reset(bridgehead_abi::bridge::SCOPE_ALL, &mut watch)?;
    Some((instance.label().to_owned(), fault))
}

//! What the plugins of a run remember, in a snapshot and back, and what they add to a saved world.

use std::cell::RefCell;

use super::ModelSet;
use crate::api::enter_world;
use crate::bus::Moment;
use crate::model_plugin::instance::{ModelPlugin, PluginState};
use crate::sdf::save::Contribution;
use crate::watchdog::{CallLimits, Stopwatch};
use crate::world::World;

impl ModelSet {
    /// What every instance remembers, and a line about each that cannot give it away.
    pub fn save(&mut self, world: &RefCell<World>) -> (Vec<PluginState>, Vec<String>) {
        let saved = enter_world(world, || -> Vec<_> {
            self.instances.iter_mut().filter_map(ModelPlugin::save).collect()
        });
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

    /// Keeps what instances of this run are to remember, until each has had its first reset.
    pub fn expect(&mut self, states: Vec<PluginState>) {
        self.expected = states;
    }

    /// Gives every instance that has had its first reset what it remembered. A line about each that does not take it.
    pub fn load(&mut self, world: &RefCell<World>, now: Moment) -> Vec<String> {
        let (expected, limits) = (&mut self.expected, self.limits);
        let started = self.instances.iter_mut().filter(|instance| instance.is_started());
        enter_world(world, || started.filter_map(|instance| load(instance, expected, now, limits)).collect())
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

/// Hands one instance its state, if there is one for it.
pub(super) fn load(
    instance: &mut ModelPlugin,
    expected: &mut Vec<PluginState>,
    now: Moment,
    limits: CallLimits,
) -> Option<String> {
    let index = expected.iter().position(|state| state.label == instance.label())?;
    let state = expected.swap_remove(index);
    let outcome = if state.plugin == instance.plugin {
        instance.load(&state, now)
    } else {
        Err(format!("the snapshot has a state of plugin `{}` for it", state.plugin))
    };
    let reason = outcome.err()?;
    let mut watch = Stopwatch::new(limits, 0);
    // Half a state would be worse than none; a reset that fails is noticed in the next call.
    instance.reset(bridgehead_abi::bridge::SCOPE_ALL, &mut watch);
    Some(format!(
        "[BH-SIM-224] `{}` (plugin `{}`) does not take back what it remembered: {reason}; it begins as after a reset",
        instance.label(),
        instance.plugin
    ))
}

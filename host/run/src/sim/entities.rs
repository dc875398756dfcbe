//! Entities that are deleted, spawned or restored between two steps, with their plugins, topics, services and bridges.
//!
//! [`crate::world::entities`] changes the world itself. Runs on the simulation thread between two turns of the loop, in
//! every state that has a world.

mod restore;
mod spawn;
#[cfg(test)]
mod tests;

pub(super) use restore::RestoreWorldError;

use super::record::plugin_is_disabled;
use super::simulation::Simulation;
use crate::model_plugin::Fault;
use crate::world::entities::DeleteError;

impl Simulation {
    /// Removes an entity at once, whether it was loaded or spawned: its plugins are stopped and destroyed, its topics
    /// and services withdrawn, its bridges disconnected.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, there is no such entity, or it is an actor. If physics fails, the entity
    /// is removed all the same.
    pub fn delete(&mut self, name: &str) -> Result<(), DeleteError> {
        let index = self.world().ok_or(DeleteError::NoWorld)?.deletable(name)?;
        self.remove_parts(index);
        let deleted = self.world_mut().map(|mut world| world.delete_now(index));
        log::info!("`{name}` is deleted");
        deleted.unwrap_or(Ok(())).map_err(DeleteError::Failed)
    }

    /// Removes the plugins, services, bridges and topics of an entity.
    fn remove_parts(&mut self, model: usize) {
        let Some(loaded) = &mut self.loaded else { return };
        let Some(name) = loaded.model_name(model) else { return };
        self.shared.description.remove(model);
        self.shared.scene.remove(model);
        let mut removed = loaded.models.remove(model, &mut loaded.start.tracker);
        for (label, fault) in std::mem::take(&mut removed.faults) {
            match fault {
                Fault::Failed(reason) | Fault::FailedToLoad(reason) => {
                    self.record.error(plugin_is_disabled(&label, &reason))
                }
                Fault::Requested(interrupt, reason) => {
                    log::debug!(target: &label, "requested {} while it was stopped: {reason}", interrupt.name());
                }
            }
        }
        self.traffic.withdraw_services(&name, &removed.subscriptions);
        self.record.removed(removed);
        self.end_bridges(|bridge| bridge.vehicle == name);
        self.traffic.withdraw_topics(&name);
        if let Some(loaded) = &mut self.loaded {
            loaded.scene.remove(&name);
        }
    }

    /// Adds and removes the parts of the entities that plugins spawned and deleted in the last step.
    pub(in crate::sim) fn apply_entity_changes(&mut self) {
        let Some(changes) = self.world_mut().and_then(|mut world| world.take_changes()) else { return };
        changes.removed.into_iter().for_each(|model| self.remove_parts(model));
        for spawned in changes.spawned {
            let is_present = self.world().is_some_and(|world| world.entity(spawned.model).is_some());
            if is_present && let Err(error) = self.add_spawned_parts(spawned) {
                self.record.error(error.to_string());
            }
        }
    }
}

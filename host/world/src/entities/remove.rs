//! Removal of entities, at once or by command. Simulation thread only.

use std::collections::BTreeSet;

use bridgehead_physics::PhysicsError;

use super::error::DeleteError;
use crate::world::World;

impl World {
    /// Returns the index of the entity of that name, if it may be deleted.
    ///
    /// # Errors
    /// Returns an error if there is none, or if it is an actor.
    pub fn deletable(&self, name: &str) -> Result<usize, DeleteError> {
        let index = self.find_entity(name).ok_or_else(|| DeleteError::NotFound(name.to_owned()))?;
        match self.models.get(index).is_some_and(|model| model.is_actor) {
            true => Err(DeleteError::Actor(name.to_owned())),
            false => Ok(index),
        }
    }

    /// Removes a model at once, spawned or not. Its plugins must be destroyed before.
    ///
    /// # Errors
    /// Returns an error if physics fails; the model is removed nevertheless.
    pub fn delete_now(&mut self, index: usize) -> Result<(), PhysicsError> {
        self.take_out(index)
    }

    /// Returns the models of the file that were removed.
    #[must_use]
    pub fn missing(&self) -> BTreeSet<usize> {
        let is_missing = |model: &crate::entity::ModelEntity| model.is_removed && !model.is_spawned;
        self.models.iter().filter(|(_, model)| is_missing(model)).map(|(index, _)| index).collect()
    }

    /// Returns the spawned entities in the world.
    #[must_use]
    pub fn spawned(&self) -> Vec<usize> {
        let present = |(index, model): (usize, &crate::entity::ModelEntity)| {
            (model.is_spawned && model.is_present).then_some(index)
        };
        self.models.iter().filter_map(present).collect()
    }

    /// Removes a model from physics and the ray scene, with its bonds.
    pub(crate) fn take_out(&mut self, index: usize) -> Result<(), PhysicsError> {
        let Some(entity) = self.models.get_mut(index).filter(|entity| entity.is_present) else {
            return Ok(());
        };
        entity.is_present = false;
        entity.is_removed = true;
        entity.canonical = None;
        let (physics, is_spawned) = (entity.physics.take(), entity.is_spawned);
        self.mark_entities_changed();
        self.detach_all_of(index)?;
        for (handle, link) in self.links.iter().filter(|(_, link)| link.model == index) {
            self.sight.remove(handle, link.frame);
        }
        self.sight.expire();
        if is_spawned {
            self.discard_spawned(index);
        }
        physics.map_or(Ok(()), |model| self.physics.remove_model(model))
    }

    /// Frees all data of a removed spawned model: it never returns, and a run may have thousands of them.
    fn discard_spawned(&mut self, index: usize) {
        let Some(entity) = self.models.remove(index) else { return };
        let [links, joints, collisions] = entity.places;
        links.for_each(|link| drop(self.links.remove(link)));
        joints.for_each(|joint| drop(self.joints.remove(joint)));
        self.collisions.forget(collisions);
    }
}

//! Entities that go, at once or by command.

use std::collections::BTreeSet;

use bridgehead_physics::PhysicsError;

use super::DeleteError;
use crate::world::World;

impl World {
    /// Index of the entity of that name, where it may be deleted.
    ///
    /// # Errors
    /// Where there is none, or it is an actor.
    pub fn deletable(&self, name: &str) -> Result<usize, DeleteError> {
        let index = self.find_entity(name).ok_or_else(|| DeleteError::NotFound(name.to_owned()))?;
        match self.models.get(index).is_some_and(|model| model.is_actor) {
            true => Err(DeleteError::Actor(name.to_owned())),
            false => Ok(index),
        }
    }

    /// Takes a model out at once, spawned or not. Its plugins must be gone: they find nothing any more.
    ///
    /// # Errors
    /// Where physics fails; the model is gone all the same.
    pub fn delete_now(&mut self, index: usize) -> Result<(), PhysicsError> {
        self.take_out(index)
    }

    /// The models of the file that were taken out.
    #[must_use]
    pub fn missing(&self) -> BTreeSet<usize> {
        let is_missing = |model: &crate::world::ModelEntity| model.is_removed && !model.is_spawned;
        self.models.iter().filter(|(_, model)| is_missing(model)).map(|(index, _)| index).collect()
    }

    /// The spawned entities that stand in the world.
    #[must_use]
    pub fn spawned(&self) -> Vec<usize> {
        let stands = |(index, model): (usize, &crate::world::ModelEntity)| {
            (model.is_spawned && model.is_present).then_some(index)
        };
        self.models.iter().filter_map(stands).collect()
    }

    /// Takes a model out of physics and the ray scene, with the bonds that hang on it.
    pub(in crate::world) fn take_out(&mut self, index: usize) -> Result<(), PhysicsError> {
        let Some(entity) = self.models.get_mut(index).filter(|entity| entity.is_present) else {
            return Ok(());
        };
        entity.is_present = false;
        entity.is_removed = true;
        entity.canonical = None;
        let (physics, is_spawned) = (entity.physics.take(), entity.is_spawned);
        self.change_roster();
        self.untie_all_of(index)?;
        for link in self.links.values().filter(|link| link.model == index) {
            self.rays.remove_frame(link.frame);
        }
        self.rays_are_fresh = false;
        if is_spawned {
            self.bury(index);
        }
        physics.map_or(Ok(()), |model| self.physics.remove_model(model))
    }

    /// Keeps nothing of a spawned model that is gone: it never comes back, and a run may see thousands of them.
    fn bury(&mut self, index: usize) {
        let Some(entity) = self.models.remove(index) else { return };
        let [links, joints, collisions] = entity.places;
        links.for_each(|link| drop(self.links.remove(link)));
        joints.for_each(|joint| drop(self.joints.remove(joint)));
        self.collisions.forget(collisions);
    }
}

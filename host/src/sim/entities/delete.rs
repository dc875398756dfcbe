//! Entities that go.

use crate::model_plugin::Fault;
use crate::sim::Simulation;
use crate::world::entities::DeleteError;

impl Simulation {
    /// Takes an entity out of the world at once, whether it was loaded or spawned: its plugins are stopped and
    /// destroyed, its topics and services withdrawn, its bridges disconnected.
    ///
    /// # Errors
    /// Where there is no world or no such entity, or it is an actor. Where physics fails the entity is gone all the same.
    pub fn delete(&mut self, name: &str) -> Result<(), DeleteError> {
        let index = self.world().ok_or(DeleteError::NoWorld)?.deletable(name)?;
        self.dismiss(index);
        let deleted = self.world_mut().map(|mut world| world.delete_now(index));
        log::info!("`{name}` is deleted");
        deleted.unwrap_or(Ok(())).map_err(DeleteError::Failed)
    }

    /// Ends what runs beside an entity that goes.
    pub(in crate::sim) fn dismiss(&mut self, model: usize) {
        let Some(name) = self.world().and_then(|world| Some(world.models().get(model)?.name.clone())) else {
            return;
        };
        self.shared.description.remove(model);
        let gone = self.models.remove(model, &mut self.tracker);
        for (label, fault) in gone.faults {
            match fault {
                Fault::Failed(reason) => self.note_error(crate::sim::faults::plugin_is_out(&label, &reason)),
                Fault::Requested(interrupt, reason) => {
                    log::debug!(target: &label, "asked for {} while it was stopped: {reason}", interrupt.name());
                }
            }
        }
        gone.problems.into_iter().for_each(|problem| self.note_error(problem));
        self.router.unsubscribe(&gone.subscriptions);
        self.shared.services.withdraw(&name);
        self.end_bridges(|bridge| bridge.vehicle == name);
        let topics = self.shared.bus.withdraw(&name);
        self.router.withdraw(&topics);
        self.shared.inbox.forget(&topics);
        self.scene.remove(&name);
    }

    /// Follows what plugins let come and go in the step that was just made.
    pub(in crate::sim) fn follow_news(&mut self) {
        let Some(news) = self.world_mut().and_then(|mut world| world.take_changes()) else { return };
        news.departed.into_iter().for_each(|model| self.dismiss(model));
        for spawned in news.arrived {
            let stands = |world: &crate::world::World| world.entity(spawned.model).is_some();
            if self.world().is_some_and(|world| stands(&world)) {
                self.welcome(spawned);
            }
        }
    }
}

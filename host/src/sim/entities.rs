//! Entities that come and go between two steps, with their plugins, topics, services and bridges.
//!
//! The world knows how ([`crate::world::entities`]); what runs beside it is looked after here. All of it is called on
//! the simulation thread between two turns of the loop, in any state that has a world.

mod comeback;
mod configured;
mod delete;
mod spawn;
#[cfg(test)]
mod tests;

use std::cell::{Ref, RefMut};

use bridgehead_sdf::element::EntityInfo;

use super::Simulation;
use crate::world::World;
use crate::world::entities::{InfoError, StateChange, StateError};

impl Simulation {
    /// The world, for reading; `None` where none is loaded.
    #[must_use]
    pub fn world(&self) -> Option<Ref<'_, World>> {
        self.world.as_ref().map(|world| world.borrow())
    }

    fn world_mut(&self) -> Option<RefMut<'_, World>> {
        self.world.as_ref().map(|world| world.borrow_mut())
    }

    /// Sets the state of an entity at once.
    ///
    /// # Errors
    /// Where there is no world or no such entity, or the state is none that it can have; nothing has changed then.
    pub fn set_state(&mut self, name: &str, change: &StateChange) -> Result<(), StateError> {
        self.world_mut().ok_or(StateError::NoWorld)?.set_state(name, change)
    }

    /// Replaces what is known about an entity beside how it moves.
    ///
    /// # Errors
    /// Where there is no world or no such entity.
    pub fn set_info(&mut self, name: &str, info: EntityInfo) -> Result<(), InfoError> {
        self.world_mut().ok_or(InfoError::NoWorld)?.set_info(name, info)
    }

    /// Asks that accelerations be known from the next step on, or that they are not wanted any more.
    pub fn watch_accelerations(&mut self, wanted: bool) {
        if let Some(mut world) = self.world_mut() {
            world.watch_accelerations(wanted);
        }
    }
}

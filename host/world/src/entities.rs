//! Operations on entities between two steps: spawn, delete, move and describe. They take effect at once; commands of
//! plugins wait for the next step.
//!
//! Simulation thread only. `sim` handles the plugins and bridges of the entities.

mod error;
mod info;
mod model_bounds;
mod motion;
mod poses;
mod region;
mod remove;
mod shape;
mod spawn;
mod state;

pub use error::{DeleteError, InfoError, PoseError, RegionError, SpawnError, StateError};
pub use model_bounds::bounds_of_source;
pub(super) use motion::Watch;
pub use motion::{Acceleration, EntityCursor, Motion};
pub use poses::NamedPose;
pub use region::Region;
pub use shape::{BoundingSphere, Bounds};
pub(super) use spawn::{Parsed, parse_model};
pub use spawn::{Placement, PreparedModel, SpawnKit, SpawnRequest, SpawnSource, Spawned};
pub use state::{StateChange, Twist};

/// Entities spawned and removed by plugin commands in a step, for the owner of plugins and bridges.
#[derive(Debug, Default)]
pub struct EntityChanges {
    /// Spawned models.
    pub spawned: Vec<Spawned>,
    /// Indices of removed models.
    pub removed: Vec<usize>,
}

impl EntityChanges {
    /// Returns true if nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spawned.is_empty() && self.removed.is_empty()
    }
}

impl super::World {
    /// Returns true if a command spawned or removed entities since the last [`Self::take_changes`].
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Takes the changes by commands since the last call. Returns `None`, at no cost, if there are none.
    pub fn take_changes(&mut self) -> Option<EntityChanges> {
        (!self.changes.is_empty()).then(|| std::mem::take(&mut self.changes))
    }

    /// Returns the index of the entity of that name, if it is in the world.
    #[must_use]
    pub fn find_entity(&self, name: &str) -> Option<usize> {
        self.models.iter().find(|(_, model)| model.is_present && model.name == name).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests;

//! Changes of what the world consists of, applied before physics of the next step.

use bridgehead_abi::extension;
use bridgehead_abi::surroundings as abi;

use super::entities::EntityId;
use crate::error::Result;
use crate::host::{LinkId, Pose, extension_handle};
use crate::hosting;

/// Two links fixed to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bond(pub u64);

/// A model to add to the world.
#[derive(Clone, Copy, Debug)]
pub struct Spawn<'a> {
    /// SDF text: a whole document with one model, or a `<model>` element alone.
    pub sdf: &'a str,
    /// Its name; `None` for the name in the text.
    pub name: Option<&'a str>,
    /// Whether `_1`, `_2`, … may be appended to a name that is taken.
    pub may_rename: bool,
    /// Pose of the model frame in the world.
    pub pose: Pose,
}

extension_handle! {
    /// Changes what the world consists of. `[sim]`
    WorldEdit, abi::HostWorldEdit, extension::WORLD_EDIT
}

impl WorldEdit {
    /// Adds a model. Plugins and sensors inside it start beside the run.
    ///
    /// # Errors
    /// Returns an error if the text is no model, the name is taken, or the call comes from another thread.
    pub fn spawn(self, spawn: &Spawn<'_>) -> Result<EntityId> {
        let spawn = hosting::Spawn {
            flags: if spawn.may_rename { abi::SPAWN_RENAME } else { 0 },
            sdf: spawn.sdf,
            name: spawn.name.unwrap_or_default(),
            pose: spawn.pose.to_abi(),
        };
        Ok(EntityId(self.extension.spawn(spawn)?))
    }

    /// Removes an entity with everything that hangs on it.
    ///
    /// # Errors
    /// Returns an error if the entity is gone or the call comes from another thread.
    pub fn remove(self, entity: EntityId) -> Result {
        Ok(self.extension.remove(entity.0)?)
    }

    /// Fixes two links of different models to each other as they stand when the next step begins.
    ///
    /// # Errors
    /// Returns an error if a link is gone, both belong to one model, or the call comes from another thread.
    pub fn attach(self, parent: LinkId, child: LinkId) -> Result<Bond> {
        Ok(Bond(self.extension.attach(parent.0, child.0)?))
    }

    /// Ends a bond. A reset that restores the state ends every bond.
    ///
    /// # Errors
    /// Returns an error if the bond is gone or the call comes from another thread.
    pub fn detach(self, bond: Bond) -> Result {
        Ok(self.extension.detach(bond.0)?)
    }
}

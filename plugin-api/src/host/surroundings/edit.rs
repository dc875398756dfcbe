//! Changes of what the world consists of, applied before physics of the next step.

use bridgehead_abi::surroundings as abi;
use bridgehead_abi::{Str, extension};

use super::entities::EntityId;
use crate::error::{Error, Result};
use crate::host::{LinkId, Pose, extension_handle};

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
        let spec = abi::SpawnSpec {
            struct_size: abi::SpawnSpec::SIZE,
            flags: if spawn.may_rename { abi::SPAWN_RENAME } else { 0 },
            sdf: Str::new(spawn.sdf),
            name: Str::new(spawn.name.unwrap_or_default()),
            pose: spawn.pose.to_abi(),
        };
        let mut entity = 0;
        // SAFETY: the texts are borrowed for the call and `entity` is writable.
        let status =
            self.call(|table, host| unsafe { (table.spawn)(host, &raw const spec, &raw mut entity) })?;
        Error::check(status, "spawn")?;
        Ok(EntityId(entity))
    }

    /// Removes an entity with everything that hangs on it.
    ///
    /// # Errors
    /// Returns an error if the entity is gone or the call comes from another thread.
    pub fn remove(self, entity: EntityId) -> Result {
        // SAFETY: a plain value.
        Error::check(self.call(|table, host| unsafe { (table.remove)(host, entity.0) })?, "remove")
    }

    /// Fixes two links of different models to each other as they stand when the next step begins.
    ///
    /// # Errors
    /// Returns an error if a link is gone, both belong to one model, or the call comes from another thread.
    pub fn attach(self, parent: LinkId, child: LinkId) -> Result<Bond> {
        let mut bond = 0;
        // SAFETY: `bond` is writable for the call.
        let status =
            self.call(|table, host| unsafe { (table.attach)(host, parent.0, child.0, &raw mut bond) })?;
        Error::check(status, "attach")?;
        Ok(Bond(bond))
    }

    /// Ends a bond. A reset that restores the state ends every bond.
    ///
    /// # Errors
    /// Returns an error if the bond is gone or the call comes from another thread.
    pub fn detach(self, bond: Bond) -> Result {
        // SAFETY: a plain value.
        Error::check(self.call(|table, host| unsafe { (table.detach)(host, bond.0) })?, "detach")
    }
}

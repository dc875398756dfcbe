//! Restores the world as it was loaded: removes spawned entities, and restores deleted ones with their plugins and
//! bridges.

use std::collections::BTreeSet;

use bridgehead_physics::PhysicsError;
use thiserror::Error;

use crate::sim::instances::{Destination, InstanceBuilder, Selection};
use crate::sim::simulation::Simulation;
use crate::sim::start::need_of_loaded;
use crate::sim::worlds::error::LoadError;
use crate::world::BuildError;

/// Why the world was not restored.
#[derive(Debug, Error)]
pub(in crate::sim) enum RestoreWorldError {
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl Simulation {
    /// Removes the spawned entities.
    ///
    /// # Errors
    /// Returns an error if physics fails.
    pub(in crate::sim) fn remove_spawned(&mut self) -> Result<(), RestoreWorldError> {
        let spawned = self.world().map(|world| world.spawned()).unwrap_or_default();
        spawned.into_iter().for_each(|model| self.remove_parts(model));
        let removed = self.world_mut().map(|mut world| world.remove_spawned());
        Ok(removed.unwrap_or(Ok(()))?)
    }

    /// Restores the world as it was loaded, deleted entities included.
    ///
    /// # Errors
    /// Returns an error if the world cannot be built again.
    pub(in crate::sim) fn restore_world(&mut self) -> Result<(), RestoreWorldError> {
        let Some(loaded) = &mut self.loaded else { return Ok(()) };
        let missing = loaded.world.get_mut().missing();
        if missing.is_empty() {
            return Ok(loaded.world.get_mut().restore_initial(&loaded.source.world)?);
        }
        self.restore_deleted(&missing)
    }

    /// Builds the world again, and creates the plugins and bridges of the missing models. All other models keep theirs.
    fn restore_deleted(&mut self, missing: &BTreeSet<usize>) -> Result<(), RestoreWorldError> {
        let Some(loaded) = &mut self.loaded else { return Ok(()) };
        let mut built = loaded.world.get_mut().rebuild(&loaded.source.world)?;
        let is_missing = |model: Option<usize>| model.is_some_and(|model| missing.contains(&model));
        let selection = Selection { is_first: false, includes: &is_missing };
        let builder = InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds);
        let mut to = Destination {
            models: &mut loaded.models,
            bridges: &mut self.traffic.bridges,
            unsupported: &mut self.record.unsupported,
        };
        for problem in builder.fill_slots(&mut to, &mut built, &loaded.source.world, selection)? {
            log::warn!("{problem}");
        }
        loaded.world.get_mut().replace_with(built.world);
        for model in missing {
            let name = loaded.model_name(*model);
            if let Some((name, markers)) = name.and_then(|name| built.markers.remove_entry(&name)) {
                loaded.scene.add(name, markers);
            }
        }
        self.keep_library_problems();
        self.connect_new_bridges();
        self.start_new_plugins(need_of_loaded(&self.config));
        Ok(())
    }
}

//! The world as it was loaded, with the plugins and bridges of what was deleted.

use std::collections::BTreeSet;

use bridgehead_lifecycle::Need;

use crate::sim::Simulation;

impl Simulation {
    /// Takes out what was spawned, with all that runs beside it.
    ///
    /// # Errors
    /// Where physics refuses.
    pub(in crate::sim) fn remove_spawned(&mut self) -> Result<(), String> {
        let spawned = self.world().map(|world| world.spawned()).unwrap_or_default();
        spawned.into_iter().for_each(|model| self.dismiss(model));
        let removed = self.world_mut().map(|mut world| world.remove_spawned());
        removed.unwrap_or(Ok(())).map_err(|error| error.to_string())
    }

    /// Brings the loaded world back, deleted entities too.
    ///
    /// # Errors
    /// As when it was built first.
    pub(in crate::sim) fn begin_again(&mut self) -> Result<(), String> {
        let missing = self.world().map(|world| world.missing()).unwrap_or_default();
        // Held outside while plugins are made, which look at all of the simulation but this.
        let Some(loaded) = self.loaded.take() else { return Ok(()) };
        let begun = if missing.is_empty() {
            let begun = self.world_mut().map(|mut world| world.restore_initial(&loaded.world));
            begun.unwrap_or(Ok(())).map_err(|error| error.to_string())
        } else {
            self.bring_back(&loaded.world, &missing)
        };
        self.loaded = Some(loaded);
        begun
    }

    /// Builds the world anew, and makes what those need that were missing. All others keep what they have.
    fn bring_back(
        &mut self,
        source: &bridgehead_sdf::resolved::World,
        missing: &BTreeSet<usize>,
    ) -> Result<(), String> {
        let built = self.world().map(|world| world.rebuild(source));
        let Some(built) = built else { return Ok(()) };
        let mut built = built.map_err(|error| error.to_string())?;
        let is_missing = |model: Option<usize>| model.is_some_and(|model| missing.contains(&model));
        let problems =
            self.fill_slots(&mut built, source, false, &is_missing).map_err(|failure| failure.to_string())?;
        for problem in problems {
            log::warn!("{problem}");
        }
        if let Some(mut world) = self.world_mut() {
            world.replace_with(built.world);
        }
        for model in missing {
            let name = self.world().and_then(|world| Some(world.models().get(*model)?.name.clone()));
            if let Some((name, markers)) = name.and_then(|name| built.markers.remove_entry(&name)) {
                self.scene.insert(name, markers);
            }
        }
        self.connect_new();
        self.start_new(if self.config.strict { Need::Required } else { Need::Optional });
        Ok(())
    }
}

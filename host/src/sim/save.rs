//! Saving the world as it stands.

use std::path::Path;

use super::Simulation;
use crate::sdf::save::Change;
use crate::world::save::{NotSaved, write};

impl Simulation {
    /// Writes the world as it stands into a file, with what its author wrote kept.
    ///
    /// # Errors
    /// Where there is no world, or the file cannot be written; one that was there is then unchanged.
    pub(super) fn save_world(&mut self, target: &Path) -> Result<(), NotSaved> {
        let (Some(world), Some(loaded)) = (&self.world, &self.loaded) else {
            return Err(NotSaved::new(target, "there is none"));
        };
        let (contributions, mut notes) = self.models.saved_elements(world);
        let world = world.borrow();
        let mut changes = world.changes();
        changes.extend(contributions.into_iter().map(Change::Contribute));
        notes.extend(write(loaded, &changes, target, world.search(), false)?);
        for note in notes {
            log::warn!("{note}");
        }
        log::info!("the world is saved to `{}`", target.display());
        Ok(())
    }

    /// Writes the world at the end of the run, where that was asked for.
    pub(super) fn save_at_end(&mut self) {
        let Some(target) = self.config.save.clone() else { return };
        if let Err(problem) = self.save_world(&target) {
            self.note_error(problem.to_string());
        }
    }
}

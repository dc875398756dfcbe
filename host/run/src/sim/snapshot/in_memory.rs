//! Snapshots that stay in memory, for clients that return to them many times.

use super::{KeptSnapshot, ReturnError};
use crate::sim::simulation::Simulation;
use crate::world::Snapshot;

impl Simulation {
    /// Returns a snapshot of the present state.
    ///
    /// # Errors
    /// Returns an error if no world is loaded.
    pub fn keep_snapshot(&mut self) -> Result<KeptSnapshot, String> {
        self.take_state().map(KeptSnapshot).map_err(|error| error.to_string())
    }

    /// Lets the next reset return to a snapshot, instead of to the beginning, as [`Self::restore_at_reset`] does for a
    /// file.
    ///
    /// # Errors
    /// Returns an error if another request waits, or the snapshot cannot be read.
    pub fn return_at_reset(&mut self, kept: &KeptSnapshot) -> Result<(), ReturnError> {
        self.may_return()?;
        let world = Snapshot::decode(&kept.0.world)?;
        self.return_to(world, kept.0.clone());
        Ok(())
    }
}

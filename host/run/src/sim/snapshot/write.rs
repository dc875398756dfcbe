//! Writes snapshots, and continues from one.

use std::path::Path;

use bridgehead_lifecycle::Report;
use thiserror::Error;

use super::{MAGIC, Restored, Return, ReturnError, State, read};
use crate::bus::SavedTopic;
use crate::model_plugin::PluginState;
use crate::sim::faults::failed_plugin;
use crate::sim::save::place::inside;
use crate::sim::simulation::Simulation;
use crate::world::Snapshot;
use crate::{atomic_file, checksum};

/// Why a snapshot was not written.
#[derive(Debug, Error)]
pub(in crate::sim) enum SnapshotError {
    #[error("no world is loaded")]
    NoWorld,
    #[error("{0}")]
    World(String),
    #[error(transparent)]
    Encoding(#[from] postcard::Error),
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl Simulation {
    /// Writes a snapshot at the end of the run, if configured.
    pub(in crate::sim) fn snapshot_at_end(&mut self) {
        let Some(target) = self.config.snapshot.clone() else { return };
        if let Err(reason) = self.write_snapshot(&target) {
            let target = target.display();
            self.record.unwritten(format!("[BH-SIM-222] the snapshot `{target}` is not written: {reason}"));
        }
    }

    /// Writes a snapshot of the present state.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, its state cannot be written as bytes, or the file cannot be written.
    pub(in crate::sim) fn write_snapshot(&mut self, target: &Path) -> Result<(), SnapshotError> {
        let body = postcard::to_stdvec(&self.take_state()?)?;
        Ok(atomic_file::write(target, &checksum::sealed(MAGIC, &body))?)
    }

    /// Returns the present state.
    pub(super) fn take_state(&mut self) -> Result<State, SnapshotError> {
        let (now, seed, topics) = (self.timeline.now(), self.config.seed, self.traffic.saved_topics());
        let loaded = self.loaded.as_mut().ok_or(SnapshotError::NoWorld)?;
        let (plugins, problems) = loaded.models.save(&loaded.world);
        for problem in problems {
            log::warn!("{problem}");
        }
        let world = loaded.world.get_mut().snapshot().map_err(SnapshotError::World)?;
        Ok(State { step: now.step, time_ns: now.time_ns, seed, world, plugins, topics })
    }

    /// Lets the next reset return to a snapshot in the output folder, instead of to the beginning.
    ///
    /// # Errors
    /// Returns an error if another request waits, the path leads out of the folder, or the file is not a snapshot of this
    /// seed.
    pub fn restore_at_reset(&mut self, path: &Path) -> Result<(), ReturnError> {
        self.may_return()?;
        let path = inside(&self.config.output, path)?;
        let state = read(&path, self.config.seed)?;
        let world = Snapshot::decode(&state.world)?;
        self.return_to(world, state);
        Ok(())
    }

    /// Checks that the next reset is not that of another request, which would take the snapshot.
    pub(super) fn may_return(&self) -> Result<(), ReturnError> {
        let is_busy = self.returning.is_some() || self.lifecycle.has_requests();
        if is_busy { Err(ReturnError::Busy) } else { Ok(()) }
    }

    pub(super) fn return_to(&mut self, world: Snapshot, state: State) {
        let State { step, time_ns, plugins, topics, .. } = state;
        self.returning = Some(Return::Wanted(Box::new((world, Restored { step, time_ns, plugins, topics }))));
    }

    /// Takes what became of [`Self::restore_at_reset`].
    ///
    /// # Errors
    /// Returns an error if the snapshot is of another world, or no reset took place.
    pub fn take_restored(&mut self) -> Result<(), ReturnError> {
        match self.returning.take() {
            Some(Return::Ended(result)) => Ok(result?),
            Some(Return::Wanted(_)) | None => Err(ReturnError::CutShort),
        }
    }

    /// Takes the snapshot that the reset returns to, after it has become the state of the world. `None` for the beginning.
    pub(in crate::sim) fn return_to_snapshot(&mut self) -> Option<Result<Restored, ()>> {
        let (snapshot, restored) = match self.returning.take()? {
            Return::Wanted(wanted) => *wanted,
            ended @ Return::Ended(_) => {
                self.returning = Some(ended);
                return None;
            }
        };
        let returned =
            self.loaded.as_mut().map_or(Ok(()), |loaded| loaded.world.get_mut().return_to(snapshot));
        let is_returned = returned.is_ok();
        self.returning = Some(Return::Ended(returned));
        Some(if is_returned { Ok(restored) } else { Err(()) })
    }

    /// Loads the states of plugins and topics, after their reset.
    pub(in crate::sim) fn load_plugins(
        &mut self,
        plugins: Vec<PluginState>,
        topics: Vec<SavedTopic>,
    ) -> Report {
        let now = self.timeline.now();
        let Some(loaded) = &mut self.loaded else { return Report::ResetDone };
        for problem in loaded.models.expect(plugins) {
            log::warn!("{problem}");
        }
        let faults = loaded.models.load(&loaded.world, now);
        loaded.models.expect_nothing();
        self.traffic.router.expect(topics);
        self.traffic.router.restore(now);
        let failed = failed_plugin(&faults);
        self.handle_faults(faults);
        failed.map_or(Report::ResetDone, Report::ResetFailed)
    }

    /// Continues from the step of a snapshot. First, plugins and bridges are created for entities that were spawned
    /// before it, and removed for deleted ones, so that every saved state has its plugin.
    pub(in crate::sim) fn continue_from(&mut self, restored: Restored) {
        self.timeline.continue_from(restored.step, restored.time_ns);
        self.apply_entity_changes();
        let Some(loaded) = &mut self.loaded else { return };
        for problem in loaded.models.expect(restored.plugins) {
            log::warn!("{problem}");
        }
        self.traffic.router.expect(restored.topics);
    }
}

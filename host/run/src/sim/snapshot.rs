//! Saves a run as a snapshot, and restores a run from one.

use std::fmt::Display;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use bridgehead_files::{MAX_OF_DATA, open, read_bytes};
use bridgehead_lifecycle::Report;
use bridgehead_sdf::{Loaded, SearchPath};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::SaveError;
use super::Simulation;
use super::loaded::LoadedWorld;
use super::reset::failed_plugin;
use super::save::place::inside;
use super::timeline::nanoseconds;
use crate::atomic_file;
use crate::bus::{Moment, SavedTopic};
use crate::checksum;
use crate::config::RunConfig;
use crate::model_plugin::PluginState;
use crate::world::{RestoreError, Snapshot, World};

/// First bytes of a file; the last two are the version of its format.
const MAGIC: &[u8; 8] = b"BHRUN\0\0\x04";

/// The content of the file after the magic bytes.
#[derive(Serialize, Deserialize)]
struct State {
    step: u64,
    time_ns: i64,
    /// Seed of the run, on which noise depends.
    seed: u64,
    world: Vec<u8>,
    plugins: Vec<PluginState>,
    topics: Vec<SavedTopic>,
}

/// The state from which a restored run continues.
pub(super) struct Restored {
    pub(super) step: u64,
    pub(super) time_ns: i64,
    pub(super) plugins: Vec<PluginState>,
    pub(super) topics: Vec<SavedTopic>,
}

/// Why a snapshot was not written.
#[derive(Debug, Error)]
pub(super) enum SnapshotError {
    #[error("no world is loaded")]
    NoWorld,
    #[error("{0}")]
    World(String),
    #[error(transparent)]
    Encoding(#[from] postcard::Error),
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// A return to a snapshot within a run.
pub(super) enum Return {
    /// The next reset returns to it.
    Wanted(Box<(Snapshot, Restored)>),
    /// A reset has returned to it, or could not.
    Ended(Result<(), RestoreError>),
}

/// Why a run did not return to a snapshot.
#[derive(Debug, Error)]
pub enum ReturnError {
    /// The path leads out of the output folder.
    #[error(transparent)]
    Path(#[from] SaveError),
    /// The file is not a snapshot of this world.
    #[error(transparent)]
    Snapshot(#[from] RestoreError),
    /// The reset was interrupted.
    #[error("[BH-SIM-226] the snapshot is not restored: the reset was cut short")]
    CutShort,
}

impl Simulation {
    /// Writes a snapshot at the end of the run, if configured.
    pub(super) fn snapshot_at_end(&mut self) {
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
    pub(super) fn write_snapshot(&mut self, target: &Path) -> Result<(), SnapshotError> {
        let state = KeptState {
            now: self.timeline.now(),
            seed: self.config.seed,
            topics: self.traffic.saved_topics(),
        };
        let loaded = self.loaded.as_mut().ok_or(SnapshotError::NoWorld)?;
        loaded.write_snapshot(target, state)
    }

    /// Lets the next reset return to a snapshot in the output folder, instead of to the beginning.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, the path leads out of the folder, or the file is not a snapshot of this
    /// seed.
    pub fn restore_at_reset(&mut self, path: &Path) -> Result<(), ReturnError> {
        let path = inside(&self.config.output, path)?;
        let state = read(&path, self.config.seed)?;
        let world = Snapshot::decode(&state.world)?;
        let State { step, time_ns, plugins, topics, .. } = state;
        self.returning = Some(Return::Wanted(Box::new((world, Restored { step, time_ns, plugins, topics }))));
        Ok(())
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
    pub(super) fn return_to_snapshot(&mut self) -> Option<Result<Restored, ()>> {
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
    pub(super) fn load_plugins(&mut self, plugins: Vec<PluginState>, topics: Vec<SavedTopic>) -> Report {
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
    pub(super) fn continue_from(&mut self, restored: Restored) {
        self.timeline.continue_from(restored.step, restored.time_ns);
        self.apply_entity_changes();
        let Some(loaded) = &mut self.loaded else { return };
        for problem in loaded.models.expect(restored.plugins) {
            log::warn!("{problem}");
        }
        self.traffic.router.expect(restored.topics);
    }
}

/// The content of a snapshot besides the world and its plugins.
struct KeptState {
    now: Moment,
    seed: u64,
    topics: Vec<SavedTopic>,
}

impl LoadedWorld {
    fn write_snapshot(&mut self, target: &Path, kept: KeptState) -> Result<(), SnapshotError> {
        let KeptState { now, seed, topics } = kept;
        let (plugins, problems) = self.models.save(&self.world);
        for problem in problems {
            log::warn!("{problem}");
        }
        let world = self.world.get_mut().snapshot().map_err(SnapshotError::World)?;
        let state = State { step: now.step, time_ns: now.time_ns, seed, world, plugins, topics };
        let body = postcard::to_stdvec(&state)?;
        Ok(atomic_file::write(target, &checksum::sealed(MAGIC, &body))?)
    }
}

/// Returns true if a file begins as a snapshot does, of any version.
pub(super) fn is_snapshot(path: &Path) -> bool {
    let (name, _version) = MAGIC.split_at(MAGIC.len() - 1);
    let mut begin = Vec::new();
    let read = |file: fs::File| file.take(name.len() as u64).read_to_end(&mut begin).is_ok();
    open(path).is_ok_and(read) && begin == name
}

/// Reads the snapshot of the configuration; `None` if it has none, so that the run begins with the world of the file.
///
/// # Errors
/// Returns an error if the file cannot be read, or belongs to another world, seed or step width.
pub(super) fn restore(
    config: &RunConfig,
    width: Duration,
    source: &Loaded,
    search: &SearchPath,
) -> Result<Option<(World, Restored)>, RestoreError> {
    let Some(path) = &config.restore else { return Ok(None) };
    let state = read(path, config.seed)?;
    let world = World::restored(&source.world, search.clone(), &state.world)?;
    check_width(width, &world, &state)?;
    let State { step, time_ns, plugins, topics, .. } = state;
    Ok(Some((world, Restored { step, time_ns, plugins, topics })))
}

/// Reads a snapshot of a run with this seed.
fn read(path: &Path, seed: u64) -> Result<State, RestoreError> {
    let unreadable = |what: &dyn Display| RestoreError::Unreadable(format!("`{}`: {what}", path.display()));
    let bytes = read_bytes(path, MAX_OF_DATA).map_err(|error| unreadable(&error))?;
    let body = checksum::unsealed(MAGIC, &bytes).map_err(|what| unreadable(&what))?;
    let state: State = postcard::from_bytes(body).map_err(|error| unreadable(&error))?;
    if state.seed != seed {
        let saved = state.seed;
        let text = format!("it was taken with `--seed {saved}`, and this run has the seed {seed}");
        return Err(RestoreError::OtherWorld(text));
    }
    Ok(state)
}

/// Checks that the run has the step width of the snapshot, and that simulated time is the number of steps times it.
fn check_width(width: Duration, world: &World, state: &State) -> Result<(), RestoreError> {
    let (own, saved) = (width.as_secs_f64(), world.step_width());
    let is_time = i64::try_from(state.step).ok().and_then(|step| step.checked_mul(nanoseconds(width)));
    if own.to_bits() == saved.to_bits() && is_time == Some(state.time_ns) {
        return Ok(());
    }
    let text = format!("its steps are {saved} s long, and those of this run {own} s");
    Err(RestoreError::OtherWorld(text))
}

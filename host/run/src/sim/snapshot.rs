//! Saves a run as a snapshot, and restores a run from one.

mod in_memory;
mod write;

use std::fmt::Display;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use bridgehead_files::{MAX_OF_DATA, open, read_bytes};
use bridgehead_sdf::{Loaded, SearchPath};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::save::error::SaveError;
use super::timeline::nanoseconds;
use crate::bus::SavedTopic;
use crate::checksum;
use crate::config::RunConfig;
use crate::model_plugin::PluginState;
use crate::world::{RestoreError, Snapshot, World};

/// First bytes of a file; the last two are the version of its format.
const MAGIC: &[u8; 8] = b"BHRUN\0\0\x05";

/// The content of the file after the magic bytes.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    step: u64,
    time_ns: i64,
    /// Seed of the run, on which noise depends.
    seed: u64,
    world: Vec<u8>,
    plugins: Vec<PluginState>,
    topics: Vec<SavedTopic>,
}

/// A snapshot in memory, of a run with a loaded world.
#[derive(Clone)]
pub struct KeptSnapshot(State);

impl KeptSnapshot {
    /// Returns how many bytes the state of the world has; that of plugins and topics comes to it.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.world.len()
    }
}

/// The state from which a restored run continues.
pub(super) struct Restored {
    pub(super) step: u64,
    pub(super) time_ns: i64,
    pub(super) plugins: Vec<PluginState>,
    pub(super) topics: Vec<SavedTopic>,
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
    /// Another request is carried out first.
    #[error("[BH-SIM-227] the snapshot is not restored: another request is being carried out; try: again")]
    Busy,
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

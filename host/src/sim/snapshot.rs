//! A run as bytes, and a run that goes on from them.

use std::cell::RefCell;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use bridgehead_sdf::{Loaded, SearchPath};
use serde::{Deserialize, Serialize};

use super::Simulation;
use super::load::width_ns;
use crate::atomic_file;
use crate::bus::{Moment, SavedTopic};
use crate::checksum;
use crate::model_plugin::PluginState;
use crate::world::{RestoreError, World};

/// First bytes of a file; the last two are the version of its form.
const MAGIC: &[u8; 8] = b"BHRUN\0\0\x04";

/// What the file holds behind them.
#[derive(Serialize, Deserialize)]
struct State {
    step: u64,
    time_ns: i64,
    /// Noise depends on it.
    seed: u64,
    world: Vec<u8>,
    plugins: Vec<PluginState>,
    topics: Vec<SavedTopic>,
}

/// A world that is not as its file has it, and when that was.
pub(super) struct Restored {
    pub(super) world: World,
    pub(super) now: Moment,
    /// What the plugins are to remember.
    pub(super) plugins: Vec<PluginState>,
    /// What topics go on with.
    pub(super) topics: Vec<SavedTopic>,
}

impl Simulation {
    /// Writes the run at its end, where that was asked for.
    pub(super) fn snapshot_at_end(&mut self) {
        let Some(target) = self.config.snapshot.clone() else { return };
        if let Err(reason) = self.write_snapshot(&target) {
            self.note_error(format!(
                "[BH-SIM-222] no snapshot is written to `{}`: {reason}",
                target.display()
            ));
        }
    }

    fn write_snapshot(&mut self, target: &Path) -> Result<(), String> {
        let world = self.world.as_ref().ok_or("there is no world")?;
        let (plugins, problems) = self.models.save(world);
        for problem in problems {
            log::warn!("{problem}");
        }
        let world = world.borrow_mut().snapshot()?;
        let (seed, topics) = (self.config.seed, self.router.keep());
        let state = State { step: self.now.step, time_ns: self.now.time_ns, seed, world, plugins, topics };
        let body = postcard::to_stdvec(&state).map_err(|error| error.to_string())?;
        atomic_file::write(target, &checksum::sealed(MAGIC, &body)).map_err(|error| error.to_string())
    }

    /// The world of a snapshot; `None` where the run begins with the world as its file has it.
    pub(super) fn restore(
        &self,
        loaded: &Loaded,
        search: &SearchPath,
    ) -> Result<Option<Restored>, RestoreError> {
        let Some(path) = &self.config.restore else { return Ok(None) };
        let unreadable =
            |what: &dyn Display| RestoreError::Unreadable(format!("`{}`: {what}", path.display()));
        let bytes = fs::read(path).map_err(|error| unreadable(&error))?;
        let body = checksum::unsealed(MAGIC, &bytes).map_err(|what| unreadable(&what))?;
        let state: State = postcard::from_bytes(body).map_err(|error| unreadable(&error))?;
        if state.seed != self.config.seed {
            let (saved, own) = (state.seed, self.config.seed);
            let text = format!("it was taken with `--seed {saved}`, and this run has the seed {own}");
            return Err(RestoreError::OtherWorld(text));
        }
        let world = World::restored(&loaded.world, search.clone(), &state.world)?;
        self.check_width(&world, &state)?;
        let now = Moment { reset_epoch: self.now.reset_epoch, step: state.step, time_ns: state.time_ns };
        Ok(Some(Restored { world, now, plugins: state.plugins, topics: state.topics }))
    }

    /// Takes over the world of a snapshot. What was spawned and deleted before it was taken gets and loses its plugins
    /// and bridges first, so that each finds what it is to remember.
    pub(super) fn go_on_from(&mut self, restored: Restored) {
        self.world = Some(RefCell::new(restored.world));
        self.now = restored.now;
        self.follow_news();
        for problem in self.models.expect(restored.plugins) {
            log::warn!("{problem}");
        }
        self.router.expect(restored.topics);
    }

    /// Simulated time is the number of steps times their width, before and after.
    fn check_width(&self, world: &World, state: &State) -> Result<(), RestoreError> {
        let (own, saved) = (self.width.as_secs_f64(), world.step_width());
        let is_time = i64::try_from(state.step).ok().and_then(|step| step.checked_mul(width_ns(self.width)));
        if own.to_bits() == saved.to_bits() && is_time == Some(state.time_ns) {
            return Ok(());
        }
        let text = format!("its steps are {saved} s long, and those of this run {own} s");
        Err(RestoreError::OtherWorld(text))
    }
}

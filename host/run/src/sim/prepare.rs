//! Prepares a world on a thread of its own: reads the file, builds physics and the ray scene, places the configured
//! poses, and restores a snapshot.
//!
//! Nothing here belongs to the run. `load` does the rest on the simulation thread, in the same order as the errors of a
//! load are reported: plugins and bridges, and the exchange of the worlds.

use std::sync::Arc;
use std::time::Duration;

use bridgehead_sdf::resolved::{NoSuchProfile, World as SourceWorld};
use bridgehead_sdf::{Cancel, Loaded};

use super::poses::{PoseError, configured_poses};
use super::problems::{Logged, is_loss, log_diagnostics, log_problem, shortened};
use super::snapshot;
use super::snapshot::Restored;
use super::worlds::error::LoadError;
use super::worlds::work::Work;
use crate::config::RunConfig;
use crate::resources::{Library, check_assets, check_findings};
use crate::world::entities::NamedPose;
use crate::world::{Built, RestoreError, World, add_floor, build_within, reading_budget};

/// What a world is prepared from.
pub(super) struct Preparation {
    pub(super) config: Arc<RunConfig>,
    pub(super) library: Arc<Library>,
    pub(super) work: Arc<Work>,
}

/// A world that was built, before it has plugins and belongs to the run.
pub(super) struct PreparedWorld {
    pub(super) source: Loaded,
    pub(super) built: Built,
    pub(super) width: Duration,
    /// Parts that are missing, which are in the log already.
    pub(super) lost: Vec<String>,
    /// Findings that `--strict` does not accept.
    pub(super) problems: Vec<String>,
    pub(super) poses: Result<Vec<NamedPose>, PoseError>,
    /// The world of a snapshot, with the state from which the run continues.
    pub(super) restored: Result<Option<(World, Restored)>, RestoreError>,
}

impl Preparation {
    /// Reads and builds the world.
    ///
    /// # Errors
    /// Returns an error if the world cannot be read or built, or the request refuses it.
    pub(super) fn run(self, cancel: &Cancel) -> Result<PreparedWorld, LoadError> {
        let Preparation { config, library, work } = self;
        let (shown, search) = (work.load.resource.shown(), library.search());
        let budget = reading_budget().cancelled_by(cancel);
        let mut source = work.read(search, &budget)?;
        let Logged { mut lost, mut problems } = log_diagnostics(&source.diagnostics, config.strict);
        check_findings(shown, &source.diagnostics, work.strictness)?;
        choose_profile(&config, &mut source.world)?;
        let width = step_width(&config, &source.world)?;
        if let Some(height) = add_floor(&mut source, &reading_budget().cancelled_by(cancel)) {
            let height = (height * 1000.0).round() / 1000.0 + 0.0;
            log::info!("the file has a model and no world around it; it stands on a floor at z = {height} m");
        }
        let mut built = build_within(&source.world, config.build_options(width), &budget)?;
        shortened(&built.problems).iter().for_each(|problem| log_problem(problem, config.strict));
        check_assets(shown, &built.problems, work.strictness)?;
        lost.extend(built.problems.iter().filter(|problem| is_loss(problem)).cloned());
        problems.extend(built.problems.iter().cloned());
        built.world.set_search(search.clone());
        let poses = configured_poses(&config.poses, &built.world, work.is_first);
        // A snapshot is restored only into the first world of a process.
        let restored = match work.is_first {
            true => snapshot::restore(&config, width, &source, search),
            false => Ok(None),
        };
        Ok(PreparedWorld { source, built, width, lost, problems, poses, restored })
    }
}

/// Selects the physics profile of the configuration.
pub(super) fn choose_profile(config: &RunConfig, world: &mut SourceWorld) -> Result<(), LoadError> {
    let Some(name) = &config.physics_profile else { return Ok(()) };
    world.use_profile(name).map_err(|NoSuchProfile { world, requested, has }| {
        let has: Vec<String> = has.iter().map(|name| format!("`{name}`")).collect();
        let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
        LoadError::Failed(format!(
            "[BH-SIM-208] the world `{world}` has no physics profile `{requested}`; it has: {has}"
        ))
    })
}

/// Returns the step width: of the configuration, or else of the world.
pub(super) fn step_width(config: &RunConfig, world: &SourceWorld) -> Result<Duration, LoadError> {
    let max_step_size = world.physics.max_step_size;
    let width = config.step_width.unwrap_or_else(|| {
        // SDF writes seconds as decimals, so the width is rounded to the nearest nanosecond.
        Duration::try_from_secs_f64((max_step_size * 1e9).round() * 1e-9).unwrap_or_default()
    });
    if width.is_zero() {
        return Err(LoadError::Failed(format!(
            "[BH-SIM-205] the step width must be positive, found {max_step_size} s; try: a positive <max_step_size> or \
             step_width"
        )));
    }
    Ok(width)
}

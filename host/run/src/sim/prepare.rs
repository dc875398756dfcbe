//! Prepares a world on a thread of its own: reads the file, builds physics and the ray scene, places the configured
//! poses, and restores a snapshot.
//!
//! Nothing here belongs to the run. `load` does the rest on the simulation thread, in the same order as the errors of a
//! load are reported: plugins and bridges, and the exchange of the worlds.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_sdf as sdf;
use bridgehead_sdf::resolved::{NoSuchProfile, World as SourceWorld};
use bridgehead_sdf::{Cancel, Diagnostic, Loaded, Severity};

use super::poses::{PoseError, configured_poses};
use super::snapshot;
use super::snapshot::Restored;
use super::worlds::{LoadError, Work};
use crate::catalogue::split_code;
use crate::config::RunConfig;
use crate::resources::{Library, check_assets, check_findings};
use crate::severity;
use crate::world::entities::NamedPose;
use crate::world::{Built, RestoreError, World, build_within, reading_budget};

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

/// What a file lacks, and what `--strict` does not accept of it.
struct Logged {
    /// Parts that are missing, which are errors of the run.
    lost: Vec<String>,
    /// All findings that `--strict` does not accept.
    problems: Vec<String>,
}

/// Logs the findings about a file: all of them in detailed logs, otherwise their digest.
fn log_diagnostics(diagnostics: &[Diagnostic], is_strict: bool) -> Logged {
    let told: Vec<Diagnostic> = diagnostics.iter().map(|finding| as_in_a_run(finding, is_strict)).collect();
    let shown = if log::log_enabled!(log::Level::Debug) { told.clone() } else { sdf::digest(&told) };
    for finding in &shown {
        match finding.severity {
            Severity::Note => log::info!("{finding}"),
            Severity::Warning => log::warn!("{finding}"),
            Severity::Error => log::error!("{finding}"),
        }
    }
    let once = sdf::collapsed(&told);
    let texts = |is_kept: fn(&Diagnostic) -> bool| -> Vec<String> {
        once.iter().filter(|finding| is_kept(finding)).map(ToString::to_string).collect()
    };
    Logged {
        lost: texts(|finding| finding.judged().severity == Severity::Error),
        problems: texts(|finding| finding.severity > Severity::Note),
    }
}

/// Returns a finding with its severity in a run, in which `--strict` makes warnings errors.
fn as_in_a_run(finding: &Diagnostic, is_strict: bool) -> Diagnostic {
    let judged = finding.judged();
    match judged.severity {
        Severity::Warning if is_strict => judged.with_severity(Severity::Error),
        Severity::Note | Severity::Warning | Severity::Error => judged,
    }
}

/// Logs a problem of a world, with its severity; `--strict` makes it an error.
pub(super) fn log_problem(problem: &str, is_strict: bool) {
    if is_strict || is_loss(problem) { log::error!("{problem}") } else { log::warn!("{problem}") }
}

/// Returns true if a part of the world is missing because of a problem.
pub(super) fn is_loss(problem: &str) -> bool {
    severity::of(problem) == Severity::Error
}

/// Returns the problems to log: all of them in detailed logs, otherwise at most some of each code.
pub(super) fn shortened(problems: &[String]) -> Vec<String> {
    let code = |problem: &String| split_code(problem).map(|(code, _)| code.to_owned()).unwrap_or_default();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for problem in problems {
        let count = counts.entry(code(problem)).or_default();
        *count += 1;
        if *count <= MAX_OF_A_CODE || log::log_enabled!(log::Level::Debug) {
            shown.push(problem.clone());
        }
    }
    if shown.len() < problems.len() {
        for (code, count) in counts.iter().filter(|(_, count)| **count > MAX_OF_A_CODE) {
            let (more, code) =
                (count - MAX_OF_A_CODE, if code.is_empty() { String::new() } else { format!("[{code}] ") });
            shown.push(format!("{code}{more} more findings of this kind; `-v` shows all"));
        }
    }
    shown
}

/// Problems of one code that the log shows.
const MAX_OF_A_CODE: usize = 4;

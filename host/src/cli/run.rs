//! `bridgehead run`: makes one configuration of the flags and the file, runs it, and writes the result.
//!
//! What is simulated is decided in `sim`; this is the only place that calls it. Main thread.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::api::Shared;
use crate::atomic_file;
use crate::config::{Code, ConfigError, ConfigErrors, RunConfig};
use crate::control::Control;
use crate::crash;
use crate::lifecycle::{Cause, Interrupt, Outcome, Request};
use crate::report::RunResult;
use crate::sim::Simulation;
use crate::watchdog::{Hang, Watch};

use super::args::{Quiet, RunArguments};
use super::configuration::configuration;
use super::console::Console;
use super::result_file::ResultFile;
use super::watch::{ConsoleWatcher, clear};
use super::{CliError, EXIT_CONFIGURATION, junit, signals};

/// Runs; gives the exit code.
pub(super) fn run(arguments: &RunArguments, quiet: Quiet, console: &'static Console) -> u8 {
    match try_run(arguments, quiet, console) {
        Ok(exit_code) => exit_code,
        Err(error) => {
            clear(console);
            console.line(&error.to_string());
            EXIT_CONFIGURATION
        }
    }
}

fn try_run(arguments: &RunArguments, quiet: Quiet, console: &'static Console) -> Result<u8, CliError> {
    let config = configuration(arguments)?;
    let targets = Targets::of(&config);
    let mut watcher = ConsoleWatcher::new(console, quiet, config.duration);
    let result = simulate(config, &mut watcher)?;
    targets.write(&result)?;
    Ok(result.exit_code)
}

/// The files that say what became of a run.
#[derive(Clone, Default)]
struct Targets {
    result: Option<PathBuf>,
    triggers: Option<PathBuf>,
    junit: Option<PathBuf>,
}

impl Targets {
    fn of(config: &RunConfig) -> Self {
        Targets {
            result: config.result.clone(),
            triggers: config.trigger_history.clone(),
            junit: config.junit.clone(),
        }
    }

    /// Writes all of them, also where one fails.
    fn write(&self, result: &RunResult) -> Result<(), ConfigErrors> {
        let written = [
            written("result", self.result.as_deref(), |path| ResultFile::from(result).write(path)),
            written("history of triggers", self.triggers.as_deref(), |path| {
                let text = serde_json::to_string_pretty(&result.triggers.to_json())?;
                atomic_file::write(path, format!("{text}\n").as_bytes())
            }),
            written("JUnit file", self.junit.as_deref(), |path| {
                atomic_file::write(path, junit::document(result).as_bytes())
            }),
        ];
        let errors: Vec<ConfigError> = written.into_iter().filter_map(Result::err).collect();
        if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) }
    }
}

fn written(
    what: &str,
    path: Option<&Path>,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), ConfigError> {
    let Some(path) = path else { return Ok(()) };
    write(path).map_err(|error| {
        let found = format!("the {what} cannot be written to `{}`: {error}", path.display());
        ConfigError::new(Code::ResultUnwritten, found)
    })
}

/// The one call into the simulation. Signals are heard before plugins are loaded, which may take long.
fn simulate(config: RunConfig, watcher: &mut ConsoleWatcher) -> Result<RunResult, CliError> {
    let shared = Shared::new(config.seed);
    let asks = Arc::clone(&shared);
    let quit = move |signal: &'static str| {
        log::info!("{signal}: the run is being stopped; once more ends the process at once");
        asks.asks.push(Request::new(Interrupt::Quit, Cause::Signal(signal.to_owned())));
    };
    signals::watch(quit)
        .map_err(|source| CliError::System { what: "signals cannot be waited for", source })?;
    let _watch = crash::watch();
    let _dog = watch_calls(&config, &shared)?;
    let mut control = Control::new(&shared, &BTreeMap::new())?;
    Ok(Simulation::new(config, shared)?.run(watcher, &mut control)?)
}

/// Ends the process when a plugin call does not return: nothing else can, because the thread that calls is the one
/// that ends a run. What the run has found out is lost, but for the result file, which says why.
fn watch_calls(config: &RunConfig, shared: &Arc<Shared>) -> Result<Watch, CliError> {
    let (targets, seed) = (Targets::of(config), config.seed);
    let world = config.world.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let asked = Arc::clone(shared);
    let on_hang = move |hang: &Hang| {
        let (now, _) = asked.clock.read();
        let cause = format!(
            "[BH-PLG-113] `{}` of `{}` has not returned for {:.1} s, in step {}; the run is aborted",
            hang.call.name(),
            hang.owner,
            hang.running.as_secs_f64(),
            now.step
        );
        log::error!("{cause}");
        if let Err(error) = targets.write(&RunResult::aborted(world, seed, now, cause)) {
            log::error!("{error}");
        }
        crash::leave(Outcome::Aborted.exit_code(false));
    };
    shared
        .watchdog
        .watch(config.call_timeout, on_hang)
        .map_err(|source| CliError::System { what: "calls into plugins cannot be watched", source })
}

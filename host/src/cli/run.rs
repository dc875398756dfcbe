//! `bridgehead run`: makes one configuration of the flags and the file, runs it, and writes the result.
//!
//! What is simulated is decided in `sim`; this is the only place that calls it. Main thread.

use crate::config::{ConfigErrors, RunConfig, file};
use crate::report::RunResult;

use super::args::{Quiet, RunArguments};
use super::console::Console;
use super::result_file::ResultFile;
use super::watch::{ConsoleWatcher, clear};
use super::{CliError, EXIT_CONFIGURATION};

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
    let target = config.result.clone();
    let mut watcher = ConsoleWatcher::new(console, quiet, config.duration);
    let result = simulate(config, &mut watcher)?;
    if let Some(path) = target {
        let written = ResultFile::from(&result).write(&path);
        written.map_err(|source| CliError::Result { path, source })?;
    }
    Ok(result.exit_code)
}

/// What the flags and the file ask for together. Errors of both are reported at once.
fn configuration(arguments: &RunArguments) -> Result<RunConfig, ConfigErrors> {
    let flags = arguments.settings();
    let file = arguments.config.as_deref().map(file::read).transpose();
    match (flags, file) {
        (Ok(flags), Ok(file)) => flags.into_config(file.unwrap_or_default()),
        (Err(mut errors), Err(more)) => {
            errors.0.extend(more.0);
            Err(errors)
        }
        (Err(errors), Ok(_)) | (Ok(_), Err(errors)) => Err(errors),
    }
}

/// The one call into the simulation.
fn simulate(config: RunConfig, watcher: &mut ConsoleWatcher) -> Result<RunResult, CliError> {
    let _ = (config, watcher);
    Err(CliError::Setup { what: "the run", source: std::io::Error::other("not there yet") })
}

#[cfg(test)]
mod tests;

//! The output files of a run: the result, the history of triggers, the verdicts as JUnit XML.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file;
use crate::config::{Code, ConfigError, ConfigErrors, RunConfig};
use crate::ledger::{self, ResultFile};
use crate::report::RunResult;

use super::junit;
use super::result_file;

/// The paths of the requested files.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    pub(super) result: Option<PathBuf>,
    pub(super) triggers: Option<PathBuf>,
    pub(super) junit: Option<PathBuf>,
    /// Files that the simulation writes at the end.
    of_simulation: Vec<(&'static str, PathBuf)>,
}

impl Targets {
    pub(super) fn of(config: &RunConfig) -> Self {
        let of_simulation = [("world", &config.save), ("snapshot", &config.snapshot)];
        let named = of_simulation.into_iter().filter_map(|(what, path)| Some((what, path.clone()?)));
        Targets {
            result: config.result.clone(),
            triggers: config.trigger_history.clone(),
            junit: config.junit.clone(),
            of_simulation: named.collect(),
        }
    }

    /// The files of a run that did not begin.
    pub(super) fn not_begun(result: Option<PathBuf>, junit: Option<PathBuf>) -> Self {
        Targets { result, junit, ..Targets::default() }
    }

    fn named(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let all =
            [("result", &self.result), ("history of triggers", &self.triggers), ("JUnit file", &self.junit)];
        all.into_iter().filter_map(|(what, path)| Some((what, path.as_deref()?)))
    }

    /// Checks before the run that the files can be written.
    pub(super) fn check(&self) -> Result<(), ConfigErrors> {
        let of_simulation = self.of_simulation.iter().map(|(what, path)| (*what, path.as_path()));
        let refused = self.named().chain(of_simulation).filter_map(|(what, path)| {
            let error = atomic_file::try_out(path).err()?;
            Some(unwritten(Code::TargetInvalid, what, path, &error))
        });
        collected(refused)
    }

    /// Removes the files that cannot be written.
    pub(super) fn writable(self) -> Self {
        let may = |path: &PathBuf| atomic_file::try_out(path).is_ok();
        Targets {
            result: self.result.filter(may),
            triggers: self.triggers.filter(may),
            junit: self.junit.filter(may),
            of_simulation: self.of_simulation,
        }
    }

    /// Writes all of them, even if one fails.
    pub(super) fn write(&self, result: &RunResult) -> Result<(), ConfigErrors> {
        let failed = self.named().filter_map(|(what, path)| {
            let error = write(what, path, result).err()?;
            Some(unwritten(Code::ResultUnwritten, what, path, &error))
        });
        let written = collected(failed);
        match &written {
            Ok(()) => ledger::set_result(ResultFile::Written),
            Err(errors) => {
                ledger::set_result(ResultFile::Unwritten);
                ledger::set_words(errors.to_string().lines().next().unwrap_or_default().as_bytes());
            }
        }
        written
    }
}

fn write(what: &str, path: &Path, result: &RunResult) -> io::Result<()> {
    match what {
        "result" => result_file::ResultFile::from(result).write(path),
        "JUnit file" => atomic_file::write(path, junit::document(result).as_bytes()),
        _ => {
            let text = serde_json::to_string_pretty(&result.triggers.to_json())?;
            atomic_file::write(path, format!("{text}\n").as_bytes())
        }
    }
}

fn unwritten(code: Code, what: &str, path: &Path, error: &io::Error) -> ConfigError {
    ConfigError::new(code, format!("the {what} cannot be written to `{}`: {error}", path.display()))
}

fn collected(errors: impl Iterator<Item = ConfigError>) -> Result<(), ConfigErrors> {
    let errors: Vec<ConfigError> = errors.collect();
    if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) }
}

//! Loads a world with the values that the configuration sets. Usable from any thread.

use std::path::Path;

use bridgehead_sdf::assign::{AssignError, Assignment, assign};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{self as sdf, Budget, Files, Loaded, SearchPath, Source};
use thiserror::Error;

use crate::config::RunConfig;

/// Why a world was not loaded.
#[derive(Debug, Error)]
pub(in crate::sim) enum ValuesError {
    /// The world cannot be loaded.
    #[error(transparent)]
    Load(#[from] sdf::LoadError),
    /// A value cannot be set.
    #[error(transparent)]
    Assign(#[from] AssignError),
}

/// Returns the values that a configuration sets.
pub(in crate::sim) fn assignments(config: &RunConfig) -> Vec<Assignment> {
    config.values.iter().map(|request| request.assignment.clone()).collect()
}

/// Loads the world of a file.
///
/// # Errors
/// Returns an error if the world cannot be loaded, or the path of a value does not match one value.
pub(in crate::sim) fn load_with_values(
    files: &dyn Files,
    path: &Path,
    values: &[Assignment],
    (search, budget): (&SearchPath, &Budget),
) -> Result<Loaded, ValuesError> {
    // A file that cannot be read is reported by the reader.
    match files.read(path, budget.most(Limit::TextFile)) {
        Ok(text) if !values.is_empty() => {
            load_source_with_values(files, Source::from_file(path, text), values, (search, budget))
        }
        Ok(_) | Err(_) => Ok(sdf::load_with(files, path, search, budget)?),
    }
}

/// Loads the world of a text.
///
/// # Errors
/// Returns an error like [`load_with_values`].
pub(in crate::sim) fn load_source_with_values(
    files: &dyn Files,
    source: Source,
    values: &[Assignment],
    (search, budget): (&SearchPath, &Budget),
) -> Result<Loaded, ValuesError> {
    let assigned = assign(files, source, search, budget, values)?;
    Ok(sdf::load_source(&assigned.files, assigned.source, search, budget)?)
}

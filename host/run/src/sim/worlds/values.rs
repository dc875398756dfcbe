//! Loads a world with the values that the configuration sets. Usable from any thread.

use std::collections::BTreeSet;
use std::path::Path;

use bridgehead_sdf::assign::{AssignError, Assignment, assign};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{self as sdf, Budget, Code, Diagnostic, Files, Loaded, SearchPath, Severity, Source};
use thiserror::Error;

use crate::config::RunConfig;
use crate::world::reading_budget;

/// Why a world was not loaded.
#[derive(Debug, Error)]
pub(in crate::sim) enum ValuesError {
    /// The world cannot be loaded.
    #[error(transparent)]
    Load(#[from] sdf::LoadError),
    /// A value cannot be set.
    #[error(transparent)]
    Assign(#[from] AssignError),
    /// The world has a fault that it does not have without the values.
    #[error("[{}] a value that is set cannot be used: {found}\n  set: {values}", Code::ValueUnusable)]
    Unusable {
        /// The fault.
        found: String,
        /// The values.
        values: String,
    },
}

/// Returns the values that a configuration sets.
pub(in crate::sim) fn assignments(config: &RunConfig) -> Vec<Assignment> {
    config.values.iter().map(|request| request.assignment.clone()).collect()
}

/// Loads the world of a file.
///
/// # Errors
/// Returns an error if the world cannot be loaded, the path of a value does not match one value, or the world has a
/// fault because of a value.
pub(in crate::sim) fn load_with_values(
    files: &dyn Files,
    path: &Path,
    values: &[Assignment],
    (search, budget): (&SearchPath, &Budget),
) -> Result<Loaded, ValuesError> {
    // A file that cannot be read is reported by the reader.
    if values.is_empty() {
        return Ok(sdf::load_with(files, path, search, budget)?);
    }
    match sdf::read_source(files, path, search, budget.most(Limit::TextFile)) {
        Ok(source) => load_source_with_values(files, source, values, (search, budget)),
        Err(_) => Ok(sdf::load_with(files, path, search, budget)?),
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
    let before = sdf::load_source(files, source.clone(), search, &reading_budget());
    let assigned = assign(files, source, search, budget, values)?;
    let loaded = sdf::load_source(&assigned.files, assigned.source, search, budget)?;
    let known: BTreeSet<_> = before.iter().flat_map(|loaded| &loaded.diagnostics).map(identity).collect();
    let is_new = |found: &&Diagnostic| found.severity > Severity::Note && !known.contains(&identity(found));
    let Some(found) = loaded.diagnostics.iter().find(is_new).map(ToString::to_string) else {
        return Ok(loaded);
    };
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    Err(ValuesError::Unusable { found, values: values.join(", ") })
}

/// What a finding is about: a changed text shifts lines, and an included file has another name then.
fn identity(finding: &Diagnostic) -> (Code, String, String) {
    let path = finding.location.as_ref().map(|place| place.path.clone()).unwrap_or_default();
    (finding.code, path, finding.found.clone())
}

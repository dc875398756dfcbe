//! Loads a world by its address.

use std::path::Path;

use bridgehead_sdf::{Code, Diagnostic, LoadError, Loaded, load};

use crate::catalogue::split_code;
use crate::cli::args::XacroArguments;
use crate::cli::world_file::{search_path, world_file};
use crate::resources::{ResourceError, Sources};
use crate::world::reading_budget;

/// Loads a world by its address.
pub(super) fn loaded(file: &Path, xacro: &XacroArguments) -> Result<Loaded, LoadError> {
    let found = world_file(file, &Sources::default()).map_err(|error| not_found(&error))?;
    load(&found, &search_path(&xacro.xacro), &reading_budget())
}

/// Returns the error about an address without a file as a finding.
pub(super) fn not_found(error: &ResourceError) -> LoadError {
    let text = error.to_string();
    let text = split_code(&text).map_or(text.clone(), |(_, text)| text);
    let cause = Diagnostic::error(Code::Unreadable, None, text).hint("");
    LoadError { cause: Box::new(cause), diagnostics: Vec::new() }
}

//! Documents of other formats in place of SDF: URDF and MJCF are converted before they are read.

use super::budget::Budget;
use super::diagnostic::Diagnostic;
use super::document::Document;
use super::files::Files;
use super::mjcf::{self, Purpose};
use super::urdf;
use std::sync::Arc;

/// Returns the document, or the SDF that it is converted to, with the findings of the conversion.
///
/// # Errors
/// Returns an error if the document cannot be converted.
pub(super) fn converted(
    document: Arc<Document>,
    purpose: Purpose,
    files: &dyn Files,
    budget: &Budget,
) -> Result<(Arc<Document>, Vec<Diagnostic>), Box<Diagnostic>> {
    match document.root().name() {
        mjcf::ROOT => mjcf::translated(&document, purpose, files, budget),
        _ => urdf::translated(document, files, budget),
    }
}

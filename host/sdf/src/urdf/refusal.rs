//! Findings that end the conversion of a robot.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Location;

/// Why a robot cannot be converted.
pub(crate) type Refusal = Box<Diagnostic>;

/// A refusal because of something at a place in the file.
pub(crate) fn refuse(code: Code, at: Location, found: impl Into<String>, expected: &str) -> Refusal {
    Box::new(Diagnostic::new(Severity::Error, code, Some(at), found.into()).expected(expected))
}

//! Findings about a file: location, what was found, what was expected and what to try. All findings are
//! collected; the caller decides whether a warning or an error ends the run. Plain values, usable from any
//! thread.

mod code;
mod digest;
mod severity;

pub use code::{Code, Cost};
pub use digest::{collapsed, digest};
pub use severity::Severity;

use super::source::Location;
use std::fmt;

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The kind of finding; its number never changes.
    pub code: Code,
    /// Location with element path; `None` if no file is involved.
    pub location: Option<Location>,
    /// What was found.
    pub found: String,
    /// What was expected; may be empty.
    pub expected: String,
    /// What to try; the advice of the code unless something more specific is known.
    pub hint: String,
    /// True if a part of the world is missing because of it: a model, a collision, a joint.
    pub loses_part: bool,
}

impl Diagnostic {
    /// An error with the advice of its code.
    #[must_use]
    pub fn error(code: Code, location: Option<Location>, found: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, location, found.into())
    }

    /// A warning with the advice of its code.
    #[must_use]
    pub fn warning(code: Code, location: Option<Location>, found: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, location, found.into())
    }

    /// A note with the advice of its code.
    #[must_use]
    pub fn note(code: Code, location: Option<Location>, found: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, location, found.into())
    }

    /// A finding with the advice of its code.
    pub(super) fn new(severity: Severity, code: Code, location: Option<Location>, found: String) -> Self {
        Self {
            severity,
            code,
            location,
            found,
            expected: String::new(),
            hint: code.advice().to_owned(),
            loses_part: false,
        }
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// Returns the finding with another severity.
    #[must_use]
    pub fn with_severity(&self, severity: Severity) -> Self {
        Self { severity, ..self.clone() }
    }

    /// Marks a finding because of which a part of the world is missing.
    #[must_use]
    pub(super) fn losing_part(mut self, loses_part: bool) -> Self {
        self.loses_part |= loses_part;
        self
    }

    /// Returns the finding with the severity that it has in every command: by what it costs the simulation. The severity
    /// of the reader is the one of the standard, by which a file is valid or not.
    #[must_use]
    pub fn judged(&self) -> Self {
        match self.severity {
            Severity::Note => self.clone(),
            Severity::Warning | Severity::Error => {
                self.with_severity(self.code.cost().severity(self.loses_part).max(Severity::Warning))
            }
        }
    }

    /// Replaces the advice of the code.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.severity, self.code)?;
        if let Some(location) = &self.location {
            write!(f, " {location}")?;
            if !location.path.is_empty() {
                write!(f, " {}", location.path)?;
            }
        }
        write!(f, ": {}", self.found)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?;
        }
        if !self.hint.is_empty() {
            write!(f, "\n  try: {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// The first few characters of a text, for messages.
pub(super) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(LENGTH).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;

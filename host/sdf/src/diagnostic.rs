//! What the reader has to say about a file: where, what it found, what it expected and what to try.
//! Everything is collected; whether a warning or an error ends the run is decided by whoever loads the world.
//! Plain values, usable from any thread.

mod code;

pub use code::Code;

use super::Location;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Probably not what the author meant; the rest loads.
    Warning,
    /// Wrong by the standard; a default or a gap stands in its place and the rest loads.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which kind of finding; its number never changes.
    pub code: Code,
    /// Where, with the element path; `None` when no file is involved.
    pub location: Option<Location>,
    /// What is there.
    pub found: String,
    /// What would be right; may be empty.
    pub expected: String,
    /// What to try; the code's own advice unless something better is known.
    pub hint: String,
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
        Self { severity, code, location, found, expected: String::new(), hint: code.advice().to_owned() }
    }

    /// The finding with what was expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// The finding with better advice than its code gives.
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

//! What the converter has to say about a file: where, what it found, what it expected and what to try.
//! Plain values, usable from any thread.

use crate::Code;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Probably not what the author meant; the rest is converted.
    Warning,
    /// Wrong by the standard; a default or a gap stands in its place, or nothing was converted.
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

/// A place in a URDF file, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// File name as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Element path such as `/robot[@name=r]/link[@name=arm]/inertial`; empty when no element is meant.
    pub path: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Which kind of finding; its number never changes.
    pub code: Code,
    /// Where.
    pub location: Location,
    /// What is there.
    pub found: String,
    /// What would be right, or what was made of it; may be empty.
    pub expected: String,
    /// What to try; the code's own advice unless something better is known.
    pub hint: String,
}

impl Finding {
    pub(crate) fn new(severity: Severity, code: Code, location: Location, found: impl Into<String>) -> Self {
        let hint = code.advice().to_owned();
        Self { severity, code, location, found: found.into(), expected: String::new(), hint }
    }

    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] {}", self.severity, self.code, self.location)?;
        if !self.location.path.is_empty() {
            write!(f, " {}", self.location.path)?;
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

/// Why a text could not be converted at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrdfError(pub Box<Finding>);

impl fmt::Display for UrdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for UrdfError {}

impl UrdfError {
    pub(crate) fn new(code: Code, location: Location, found: impl Into<String>) -> Self {
        Self(Box::new(Finding::new(Severity::Error, code, location, found)))
    }

    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.0.expected = expected.into();
        self
    }
}

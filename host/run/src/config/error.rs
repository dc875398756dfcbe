//! Configuration errors: code, place, what was found, what was expected, what to try.
//!
//! All errors of a command line and its file are collected and reported together. The command line prints them. Plain
//! values, usable from any thread.

use std::fmt;

use super::code::Code;

/// One configuration error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Its kind; the number never changes.
    pub code: Code,
    /// A more precise code of another area, such as triggers.
    pub precise: Option<&'static str>,
    /// `file:line:column` or the flag; empty if there is no place.
    pub place: String,
    /// What was found.
    pub found: String,
    /// What was expected; may be empty.
    pub expected: String,
    /// What to try; the advice of the code unless there is a better one.
    pub hint: String,
}

impl ConfigError {
    /// Creates an error with the advice of its code.
    #[must_use]
    pub fn new(code: Code, found: impl Into<String>) -> Self {
        ConfigError {
            code,
            precise: None,
            place: String::new(),
            found: found.into(),
            expected: String::new(),
            hint: code.advice().to_owned(),
        }
    }

    /// Returns the error with its place.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = place.into();
        self
    }

    /// Returns the error with a more precise code.
    #[must_use]
    pub fn precisely(mut self, code: &'static str) -> Self {
        self.precise = Some(code);
        self
    }

    /// Returns the error with what was expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// Returns the error with other advice than that of its code.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.precise {
            Some(code) => write!(f, "error[{code}]: {}", self.found)?,
            None => write!(f, "error[{}]: {}", self.code, self.found)?,
        }
        for (label, text) in [("at", &self.place), ("expected", &self.expected), ("try", &self.hint)] {
            if !text.is_empty() {
                write!(f, "\n  {label}: {text}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

/// All configuration errors, in the order in which they were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        ConfigErrors(vec![error])
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            let gap = if at == 0 { "" } else { "\n" };
            write!(f, "{gap}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// Returns values as "`a`, `b`, `c`".
pub(super) fn quoted<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = values.into_iter().map(|value| format!("`{value}`")).collect();
    quoted.join(", ")
}

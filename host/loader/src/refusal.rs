//! A finding of the loader about one file or folder: a code, one line of text, and lines of detail. Plain values.

use std::fmt;

use serde::Serialize;

use super::code::Code;

/// A finding with its code. A file with an error is not used; a file with a warning is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Refusal {
    /// The row of the code table.
    pub code: Code,
    /// The finding in one line, without the path of the file.
    pub text: String,
    /// One line per difference, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

impl Refusal {
    /// Creates a finding of one line.
    #[must_use]
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        Refusal { code, text: text.into(), details: Vec::new() }
    }

    /// Adds lines of detail.
    #[must_use]
    pub fn with_details(mut self, details: Vec<String>) -> Self {
        self.details = details;
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.code, self.text)?;
        // A single difference equals the text.
        for line in self.details.iter().filter(|line| **line != self.text) {
            write!(f, "\n    {line}")?;
        }
        write!(f, "\n  try: {}", self.code.advice())
    }
}

/// Writes `values` as "`a`, `b` and `c`".
pub(super) fn quoted_list<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = values.into_iter().map(|value| format!("`{value}`")).collect();
    match quoted.split_last() {
        None => String::from("none"),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

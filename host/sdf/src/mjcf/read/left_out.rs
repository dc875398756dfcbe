//! Kinds of elements and attributes that are left out, each with one finding.

use crate::diagnostic::{Code, Diagnostic, Severity, excerpt};
use crate::source::Location;
use std::collections::BTreeMap;

/// A kind of element or attribute that was left out.
pub(super) struct LeftOut {
    /// What they are; empty for something that MuJoCo does not have.
    pub(super) what: String,
    pub(super) is_known: bool,
    /// Names with their counts.
    pub(super) names: BTreeMap<String, usize>,
    /// Occurrences of further names.
    pub(super) others: usize,
    pub(super) first: Location,
}

/// Names that one finding lists.
const MAX_NAMES: usize = 20;

impl LeftOut {
    /// Counts a name.
    pub(super) fn add(&mut self, name: &str) {
        let name = excerpt(name);
        if self.names.len() < MAX_NAMES || self.names.contains_key(&name) {
            *self.names.entry(name).or_insert(0) += 1;
        } else {
            self.others += 1;
        }
    }

    /// The finding.
    pub(super) fn into_finding(self) -> Diagnostic {
        let name = |(name, count): (&String, &usize)| {
            if *count > 1 { format!("`{name}` ({count} times)") } else { format!("`{name}`") }
        };
        let mut names = self.names.iter().map(name).collect::<Vec<_>>().join(", ");
        if self.others > 0 {
            names = format!("{names} and {} more", self.others);
        }
        let (severity, code) = match self.is_known {
            true => (Severity::Note, Code::MjcfNotConverted),
            false => (Severity::Warning, Code::MjcfUnknown),
        };
        let found = if self.what.is_empty() { names } else { format!("{}: {names}", self.what) };
        Diagnostic::new(severity, code, Some(self.first), format!("{found}; left out"))
    }
}

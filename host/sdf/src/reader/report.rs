//! The findings of a reading, and which of them are made only once.

use super::loss::loses_part;
use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Element;
use crate::findings::Findings;
use std::collections::BTreeSet;

/// Collects the findings about a file and all its includes.
pub(super) struct Report {
    findings: Findings,
    /// Findings that are reported only once.
    reported: BTreeSet<String>,
}

impl Report {
    /// Continues these findings.
    pub(super) fn new(findings: Findings) -> Self {
        Report { findings, reported: BTreeSet::new() }
    }

    /// Returns the findings.
    pub(super) fn into_findings(self) -> Findings {
        self.findings
    }

    /// The budget of the reading.
    pub(super) fn budget(&self) -> &Budget {
        self.findings.budget()
    }

    /// Returns true if the reading has stopped. Its result is discarded, so whatever takes long can be left out.
    pub(super) fn is_stopped(&self) -> bool {
        self.findings.is_stopped()
    }

    /// Adds an error at an element.
    pub(super) fn error(
        &mut self,
        code: Code,
        at: Element<'_>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        if self.is_stopped() {
            return;
        }
        let finding = Diagnostic::error(code, Some(at.location()), found).expected(expected);
        self.push(finding.losing_part(loses_part(code, at)));
    }

    /// Adds a warning at an element.
    pub(super) fn warning(
        &mut self,
        code: Code,
        at: Element<'_>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        if self.is_stopped() {
            return;
        }
        let finding = Diagnostic::warning(code, Some(at.location()), found).expected(expected);
        self.push(finding.losing_part(loses_part(code, at)));
    }

    /// Adds a finding as it is.
    pub(super) fn push(&mut self, finding: Diagnostic) {
        self.findings.push(finding);
    }

    /// Adds findings in order.
    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        self.findings.extend(findings);
    }

    /// Notes something without effect, once for each `kind`.
    pub(super) fn note_once(&mut self, kind: &str, at: Element<'_>, what: &str, instead: &str) {
        if self.mark_reported(kind) {
            let found = format!("{what} is kept, not simulated (reported once): {instead}");
            self.push(Diagnostic::note(Code::NotSimulated, Some(at.location()), found));
        }
    }

    /// Notes something with less effect than expected, once for each `kind`.
    pub(super) fn note_limited_once(&mut self, kind: &str, at: Element<'_>, found: &str, expected: &str) {
        if self.mark_reported(kind) {
            let note = Diagnostic::note(Code::NotSimulated, Some(at.location()), found);
            self.push(note.expected(expected));
        }
    }

    /// Marks a kind of finding that is reported only once. Returns true for the first time.
    pub(super) fn mark_reported(&mut self, kind: &str) -> bool {
        self.reported.insert(kind.to_owned())
    }

    /// Returns true if a finding of that kind was reported.
    pub(super) fn has_reported(&self, kind: &str) -> bool {
        self.reported.contains(kind)
    }

    /// Returns how many findings there are.
    pub(super) fn len(&self) -> usize {
        self.findings.len()
    }

    /// Makes findings about masses and moments, from that index on, notes.
    pub(super) fn excuse_inertia(&mut self, from: usize) {
        self.findings.excuse_inertia(from);
    }
}

//! The findings of one reading, within its budget.

use super::budget::Budget;
use super::diagnostic::{Code, Diagnostic, Severity};
use super::limits::Limit;

/// Findings in order. None is added after the reading has stopped, so that the reason for the stop is the last one.
#[derive(Debug)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    budget: Budget,
}

impl Findings {
    /// No findings; new ones are charged to `budget`.
    pub(crate) fn new(budget: &Budget) -> Self {
        Findings { list: Vec::new(), budget: budget.clone() }
    }

    /// The budget of the reading.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns true if the reading has stopped: findings need not be made any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.budget.stopped().is_some()
    }

    /// Adds a finding.
    pub(crate) fn push(&mut self, finding: Diagnostic) {
        if self.budget.charge(Limit::Findings, 1, || finding.location.clone()).is_ok() {
            self.list.push(finding);
        }
    }

    /// Adds findings in order.
    pub(crate) fn extend(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }

    /// Moves the findings of another list of the same reading to the end of this one.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Makes findings about masses and moments, from that index on, notes: those of a model that never moves, of which
    /// nothing depends on them.
    pub(crate) fn excuse_inertia(&mut self, from: usize) {
        let of_inertia =
            self.list.iter_mut().skip(from).filter(|finding| finding.code == Code::InertiaInvalid);
        of_inertia.for_each(|finding| finding.severity = Severity::Note);
    }

    /// Returns the findings.
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

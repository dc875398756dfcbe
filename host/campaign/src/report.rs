//! The report of a campaign: what the plan requests, what the store has, and whether that is accepted.
//!
//! Reads only plan and store, so it is the same wherever and in however many parts the runs were executed.

mod csv;
mod html;
mod junit;
mod span;
mod text;

use std::collections::HashMap;
use std::path::Path;

use crate::shown::{Shown, by_case};
use crate::store::{Conflict, Entry, Failure, Store, Verdict};
use crate::{CampaignError, Key, Plan, PlannedRun, statistics};

pub use csv::csv;
pub use html::html;
pub use junit::{junit, xml_text};
pub use span::Span;
pub use text::{conflict, no_results};

/// What is known of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunState {
    /// It has a result.
    Finished(Box<Entry>),
    /// It has no result after all its tries.
    GivenUp(Failure),
    /// Nothing is known.
    Missing,
    /// Its entry is damaged or was changed.
    Damaged(String),
}

impl RunState {
    /// Returns its name in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            RunState::Finished(entry) => match entry.verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
            },
            RunState::GivenUp(_) => "no result",
            RunState::Missing => "missing",
            RunState::Damaged(_) => "damaged",
        }
    }

    /// Returns the entry of a finished run.
    #[must_use]
    pub fn entry(&self) -> Option<&Entry> {
        match self {
            RunState::Finished(entry) => Some(entry),
            RunState::GivenUp(_) | RunState::Missing | RunState::Damaged(_) => None,
        }
    }

    /// Returns true if it passed, but only after a try without a result.
    #[must_use]
    pub fn is_flaky(&self) -> bool {
        self.entry().is_some_and(|entry| !entry.earlier.is_empty())
    }

    /// Returns why it did not pass; empty if it did.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            RunState::Finished(entry) if entry.verdict == Verdict::Passed => String::new(),
            RunState::Finished(entry) => format!("{}: {}", entry.outcome, entry.cause),
            RunState::GivenUp(failure) => {
                let end = failure.tries.last().map_or("", |last| last.end.as_str());
                format!("no result after {} tries; the last one: {end}", failure.tries.len())
            }
            RunState::Missing => "it was not executed, or its result was lost".to_owned(),
            RunState::Damaged(fault) => fault.clone(),
        }
    }
}

/// Numbers of runs by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs that passed.
    pub passed: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Runs without a result after all their tries.
    pub given_up: u64,
    /// Runs of which nothing is known, and damaged entries.
    pub missing: u64,
}

impl Counts {
    fn add(&mut self, state: &RunState) {
        *match state {
            RunState::Finished(entry) => match entry.verdict {
                Verdict::Passed => &mut self.passed,
                Verdict::Failed => &mut self.failed,
            },
            RunState::GivenUp(_) => &mut self.given_up,
            RunState::Missing | RunState::Damaged(_) => &mut self.missing,
        } += 1;
    }

    fn merge(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.given_up += other.given_up;
        self.missing += other.missing;
    }

    /// Returns the runs that were executed to their end. A run without a result has not passed.
    #[must_use]
    pub fn executed(&self) -> u64 {
        self.passed + self.failed + self.given_up
    }

    /// Returns all runs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.executed() + self.missing
    }

    /// Returns the pass rate of the executed runs; `None` without any.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "numbers of runs are far below 2^53")]
        (self.executed() > 0).then(|| self.passed as f64 / self.executed() as f64)
    }
}

/// Runs with their pass rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rated {
    /// The runs.
    pub counts: Counts,
    /// The runs without copies: seeds that all gave one run count as one.
    pub distinct: Counts,
    /// The interval of the pass rate of the distinct runs.
    pub interval: (f64, f64),
    /// True if the runs satisfy `[accept]`.
    pub is_accepted: bool,
}

impl Rated {
    /// Returns true if runs of different seeds are copies of one run, so that there are fewer runs than seeds.
    #[must_use]
    pub fn has_copies(&self) -> bool {
        self.distinct.executed() < self.counts.executed()
    }
}

/// What a campaign has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every run has a result, and they are accepted.
    Accepted,
    /// Every run has a result, and they are not accepted.
    Refused,
    /// Runs have no result.
    Incomplete,
    /// Runs have two different results, or entries were changed.
    Unstable,
}

impl Outcome {
    /// Returns the exit code of the program.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Accepted => 0,
            Outcome::Refused => 8,
            Outcome::Incomplete => 4,
            Outcome::Unstable => 9,
        }
    }

    /// Returns it as a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::Refused => "not accepted",
            Outcome::Incomplete => "incomplete: runs have no result",
            Outcome::Unstable => "not reproducible: runs have different results, or entries were changed",
        }
    }
}

/// The report of a campaign.
#[derive(Clone, Debug)]
pub struct Report<'p> {
    /// The plan.
    pub plan: &'p Plan,
    /// The runs in the order of the plan.
    pub runs: Vec<(&'p PlannedRun, RunState)>,
    /// All runs.
    pub total: Rated,
    /// The runs of each case.
    pub cases: Vec<Rated>,
    /// Conflicts of runs of the plan whose results must be equal.
    pub conflicts: Vec<Conflict>,
    /// The names of runs for people.
    pub shown: Shown,
}

impl<'p> Report<'p> {
    /// Reads the results of a plan.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read. A damaged entry is part of the report.
    pub fn of(plan: &'p Plan, store: &dyn Store) -> Result<Self, CampaignError> {
        let keys = store.keys()?;
        let mut failures: HashMap<Key, Failure> =
            store.failures()?.into_iter().map(|failure| (failure.key, failure)).collect();
        let stored: Vec<Key> = plan.runs.iter().map(|run| run.key).filter(|key| keys.contains(key)).collect();
        let mut entries: HashMap<Key, _> = stored.iter().copied().zip(store.entries(&stored)).collect();
        let mut state = |key: Key| match entries.remove(&key) {
            Some(Ok(Some(entry))) => RunState::Finished(Box::new(entry)),
            Some(Err(fault)) => RunState::Damaged(fault),
            Some(Ok(None)) | None => failures.remove(&key).map_or(RunState::Missing, RunState::GivenUp),
        };
        let states = plan.runs.iter().map(|run| state(run.key)).collect();
        Ok(Report::with(plan, states, store.conflicts()?))
    }

    /// Makes the report from the state of each run.
    #[must_use]
    pub fn with(plan: &'p Plan, mut states: Vec<RunState>, conflicts: Vec<Conflict>) -> Self {
        states.resize(plan.runs.len(), RunState::Missing);
        let runs: Vec<_> = plan.runs.iter().zip(states).collect();
        let (mut cases, mut total) = (vec![Rated::default(); plan.cases.len()], Rated::default());
        for (case, states) in by_case(runs.iter().map(|(run, state)| (run.case, state))) {
            let (counts, distinct) = counted(&states);
            total.counts.merge(counts);
            total.distinct.merge(distinct);
            if let Some(place) = cases.get_mut(case as usize) {
                *place = rated(plan, counts, distinct);
            }
        }
        let total = rated(plan, total.counts, total.distinct);
        let sampled = |run: &PlannedRun| plan.bridges(plan.case(run)).sampled;
        let planned: HashMap<Key, bool> = plan.runs.iter().map(|run| (run.key, sampled(run))).collect();
        let is_wrong = |conflict: &Conflict| planned.get(&conflict.key) == Some(&false);
        let conflicts = conflicts.into_iter().filter(is_wrong).collect();
        Report { plan, runs, total, cases, conflicts, shown: Shown::of(plan) }
    }

    /// Returns the damaged entries.
    pub fn damaged(&self) -> impl Iterator<Item = (&'p PlannedRun, &str)> {
        self.runs.iter().filter_map(|(run, state)| match state {
            RunState::Damaged(fault) => Some((*run, fault.as_str())),
            RunState::Finished(_) | RunState::GivenUp(_) | RunState::Missing => None,
        })
    }

    /// Returns what the campaign has come to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let is_accepted = match self.plan.accept.pass_rate {
            Some(_) if self.plan.accept.is_total => self.total.is_accepted,
            Some(_) | None => self.cases.iter().all(|case| case.is_accepted),
        };
        if !self.conflicts.is_empty() || self.damaged().next().is_some() {
            Outcome::Unstable
        } else if self.total.counts.missing + self.total.counts.given_up > 0 {
            Outcome::Incomplete
        } else if is_accepted {
            Outcome::Accepted
        } else {
            Outcome::Refused
        }
    }

    /// Returns the summary for a terminal. `program` is that of the commands that repeat runs.
    #[must_use]
    pub fn summary(&self, program: &Path) -> String {
        text::summary(self, program)
    }

    /// Returns when and where the runs were executed.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::of(self.runs.iter().filter_map(|(_, state)| state.entry()))
    }

    /// Returns what is to say about cases whose seeds all gave one run; `None` if there are none.
    #[must_use]
    pub fn copies(&self) -> Option<String> {
        text::copies(self)
    }
}

/// Counts the runs of a case, with and without copies.
///
/// They are copies only if all of them are: among runs that do differ, two equal ones are two samples.
fn counted(states: &[&RunState]) -> (Counts, Counts) {
    let mut counts = Counts::default();
    states.iter().for_each(|state| counts.add(state));
    let mut finished = states.iter().filter_map(|state| state.entry());
    let is_copy = |first: &Entry, other: &Entry| {
        first.state_hash.is_some()
            && first.is_equal(other)
            && (&first.outcome, &first.cause) == (&other.outcome, &other.cause)
    };
    let first = finished.next();
    let are_copies = first.is_some_and(|first| finished.all(|other| is_copy(first, other)));
    let once = Counts { passed: counts.passed.min(1), failed: counts.failed.min(1), ..counts };
    (counts, if are_copies && counts.given_up == 0 { once } else { counts })
}

fn rated(plan: &Plan, counts: Counts, distinct: Counts) -> Rated {
    let interval = statistics::wilson(distinct.passed, distinct.executed(), plan.accept.confidence);
    let is_accepted = match plan.accept.pass_rate {
        Some(rate) => interval.0 >= rate,
        None => counts.failed + counts.given_up == 0,
    };
    Rated { counts, distinct, interval, is_accepted }
}

#[cfg(test)]
pub(crate) mod tests;

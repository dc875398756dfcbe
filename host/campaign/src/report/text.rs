//! The summary of a campaign for a terminal.

use std::fmt::Write as _;
use std::path::Path;

use super::{Report, RunState};
use crate::command::Invocation;
use crate::shown::{Shown, by_case, count_distinct};
use crate::{Conflict, Plan, PlannedRun};

/// Cases that are named one by one.
const MAX_NAMED: usize = 20;

/// Returns the summary.
pub(super) fn summary(report: &Report<'_>, program: &Path) -> String {
    let counts = report.total.counts;
    let mut text = format!("{}: {}\n", report.plan.name, report.outcome().sentence());
    let _ = writeln!(
        text,
        "  runs        {}, {} passed, {} failed, {} without a result, {} missing",
        counts.total(),
        counts.passed,
        counts.failed,
        counts.given_up,
        counts.missing
    );
    text.push_str(&rates(report));
    let flaky = report.runs.iter().filter(|(_, state)| state.is_flaky()).count();
    if flaky > 0 {
        let _ = writeln!(text, "  flaky       {flaky} runs have a result only after another try");
    }
    if let Some(span) = report.span().text() {
        let _ = writeln!(text, "  executed    {span}, by version {}", report.plan.version);
    }
    for found in &report.conflicts {
        let _ = writeln!(text, "{}", as_error(&conflict(found, &report.shown)));
    }
    for (_, fault) in report.damaged() {
        let _ = writeln!(text, "{}", as_error(&format!("[BH-CAM-023] {fault}")));
    }
    let errors = unfinished(report).into_iter().chain(failed(report, program));
    named(&mut text, &errors.collect::<Vec<_>>());
    text
}

/// The lines about pass rates.
fn rates(report: &Report<'_>) -> String {
    let mut text = String::new();
    if let Some(copies) = copies(report) {
        let _ = writeln!(text, "  seeds       {copies}");
    }
    if let Some(rate) = report.total.distinct.rate() {
        let (low, high) = report.total.interval;
        let confidence = report.plan.accept.confidence * 100.0;
        let count = report.total.distinct.executed();
        let _ = match (report.total.has_copies(), count) {
            (true, 1) => writeln!(text, "  pass rate   {rate:.4}, of 1 run"),
            (true, _) => writeln!(
                text,
                "  pass rate   {rate:.4} of {count} distinct runs, {confidence}% interval [{low:.4}, {high:.4}]"
            ),
            (false, _) => {
                writeln!(text, "  pass rate   {rate:.4}, {confidence}% interval [{low:.4}, {high:.4}]")
            }
        };
    }
    if let Some(rate) = report.plan.accept.pass_rate {
        let refused = report.cases.iter().filter(|case| !case.is_accepted).count();
        let of = if report.plan.accept.is_total { "campaign" } else { "case" };
        let _ = writeln!(
            text,
            "  accepted    lower bound of each {of} at least {rate}; {refused} cases are below"
        );
    }
    text
}

/// Returns what is to say about cases whose seeds all gave one run.
pub(super) fn copies(report: &Report<'_>) -> Option<String> {
    let copied: Vec<u64> =
        report.cases.iter().filter(|case| case.has_copies()).map(|case| case.counts.executed()).collect();
    let seeds = copied.first()?;
    let is_same = copied.iter().all(|count| count == seeds);
    let who = match (is_same, copied.len(), report.cases.len()) {
        (true, 1, 1) => format!("all {seeds} seeds gave one run"),
        (true, some, all) if some == all => format!("all {seeds} seeds of each case gave one run"),
        (false, some, all) if some == all => "all seeds of each case gave one run".to_owned(),
        (true, some, all) => format!("in {some} of {all} cases, all {seeds} seeds gave one run"),
        (false, some, all) => format!("in {some} of {all} cases, all seeds gave one run"),
    };
    Some(format!("{who}: nothing in it depends on the seed, so it counts once, and one seed is enough"))
}

/// Returns the error about a run that has two results.
#[must_use]
pub fn conflict(conflict: &Conflict, shown: &Shown) -> String {
    let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "none".to_owned());
    format!(
        "[BH-CAM-024] the run {} has two results, with the state hashes {} and {}",
        shown.key(&conflict.key),
        hash(&conflict.first.state_hash),
        hash(&conflict.second.state_hash)
    )
}

/// Returns an error for each case with runs that have no result.
#[must_use]
pub fn no_results<'a>(
    plan: &Plan,
    shown: &Shown,
    runs: impl Iterator<Item = (&'a PlannedRun, String)>,
) -> Vec<String> {
    let mut counts = vec![0; plan.cases.len()];
    plan.runs.iter().for_each(|run| counts[run.case as usize] += 1);
    let of_case = |(case, runs): (u32, Vec<(&PlannedRun, String)>)| {
        let group = Group { plan, shown, all: counts[case as usize], runs: &runs };
        format!("[BH-CAM-034] {}", group.text("have no result", "has no result"))
    };
    by_case(runs.map(|(run, reason)| (run.case, (run, reason)))).into_iter().map(of_case).collect()
}

fn unfinished(report: &Report<'_>) -> Vec<String> {
    let without =
        report.runs.iter().filter(|(_, state)| matches!(state, RunState::GivenUp(_) | RunState::Missing));
    no_results(report.plan, &report.shown, without.map(|(run, state)| (*run, state.reason())))
}

/// Returns an error for each case with failed runs, and the command that repeats the first one.
fn failed(report: &Report<'_>, program: &Path) -> Vec<String> {
    let failed = report.runs.iter().filter(|(_, state)| state.name() == "failed");
    let failed = by_case(failed.map(|(run, state)| (run.case, (*run, state.reason()))));
    let of_case = |(case, runs): (u32, Vec<(&PlannedRun, String)>)| {
        let all = report.cases.get(case as usize).map_or(0, |case| case.counts.total());
        let group = Group { plan: report.plan, shown: &report.shown, all, runs: &runs };
        let text = group.text("failed", "failed");
        let command = runs
            .first()
            .map(|(run, _)| Invocation::of(report.plan, report.plan.case(run), run.seed, program).shell());
        format!("[BH-CAM-035] {text}\n  repeat: {}", command.unwrap_or_default())
    };
    failed.into_iter().map(of_case).collect()
}

/// Runs of one case that have come to the same.
struct Group<'a> {
    plan: &'a Plan,
    shown: &'a Shown,
    /// All runs of the case.
    all: u64,
    runs: &'a [(&'a PlannedRun, String)],
}

impl Group<'_> {
    /// Returns the case, how many of its runs have come to this, and why the first one did.
    fn text(&self, they_did: &str, it_did: &str) -> String {
        let Some((first, reason)) = self.runs.first() else { return String::new() };
        let count = match (self.runs.len() as u64, self.all) {
            (1, 1) => format!("its run {it_did}"),
            (some, all) if some == all => format!("all {all} runs {they_did}"),
            (1, all) => format!("1 of {all} runs {it_did}"),
            (some, all) => format!("{some} of {all} runs {they_did}"),
        };
        let others = match count_distinct(self.runs.iter().map(|(_, reason)| reason)) {
            0 | 1 => String::new(),
            2 => "; others ended in another way".to_owned(),
            reasons => format!("; others ended in {} other ways", reasons - 1),
        };
        let label = self.shown.case(self.plan, self.plan.case(first));
        let (seed, key) = (first.seed, self.shown.key(&first.key));
        format!("{label}: {count}, such as seed {seed} with key {key}: {reason}{others}")
    }
}

/// Returns a text that begins with its code as a line: `error[CODE]: text`.
fn as_error(text: &str) -> String {
    format!("error{}", text.replacen("] ", "]: ", 1))
}

fn named(text: &mut String, errors: &[String]) {
    let more = errors.len().saturating_sub(MAX_NAMED);
    for error in errors.iter().take(MAX_NAMED) {
        let _ = writeln!(text, "{}", as_error(error));
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more cases, in the report");
    }
}

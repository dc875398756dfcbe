//! The summary of a campaign for a terminal.

use std::fmt::Write as _;

use super::{Report, RunState};
use crate::{Conflict, PlannedRun};

/// Runs that are named one by one.
const MAX_NAMED: usize = 20;

/// Returns the summary.
pub(super) fn summary(report: &Report<'_>) -> String {
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
    if let Some(rate) = counts.rate() {
        let (low, high) = report.total.interval;
        let confidence = report.plan.accept.confidence * 100.0;
        let _ = writeln!(text, "  pass rate   {rate:.4}, {confidence}% interval [{low:.4}, {high:.4}]");
    }
    if let Some(rate) = report.plan.accept.pass_rate {
        let refused = report.cases.iter().filter(|case| !case.is_accepted).count();
        let of = if report.plan.accept.is_total { "campaign" } else { "case" };
        let _ = writeln!(
            text,
            "  accepted    lower bound of each {of} at least {rate}; {refused} cases are below"
        );
    }
    let flaky = report.runs.iter().filter(|(_, state)| state.is_flaky()).count();
    if flaky > 0 {
        let _ = writeln!(text, "  flaky       {flaky} runs have a result only after another try");
    }
    for found in &report.conflicts {
        let _ = writeln!(text, "{}", as_error(&conflict(found)));
    }
    for (_, fault) in report.damaged() {
        let _ = writeln!(text, "{}", as_error(&format!("[BH-CAM-023] {fault}")));
    }
    let without =
        report.runs.iter().filter(|(_, state)| matches!(state, RunState::GivenUp(_) | RunState::Missing));
    named(&mut text, |run, state| no_result(run, &state.reason()), without);
    let failed = report.runs.iter().filter(|(_, state)| state.name() == "failed");
    let of_failed = |run: &PlannedRun, state: &RunState| {
        format!("[BH-CAM-035] the run {} failed: {}", run.key, state.reason())
    };
    named(&mut text, of_failed, failed);
    text
}

/// Returns the error about a run that has two results.
#[must_use]
pub fn conflict(conflict: &Conflict) -> String {
    let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "none".to_owned());
    format!(
        "[BH-CAM-024] the run {} has two results, with the state hashes {} and {}",
        conflict.key,
        hash(&conflict.first.state_hash),
        hash(&conflict.second.state_hash)
    )
}

/// Returns the error about a run that has no result.
#[must_use]
pub fn no_result(run: &PlannedRun, reason: &str) -> String {
    format!("[BH-CAM-034] the run {} has no result: {reason}", run.key)
}

/// Returns a text that begins with its code as a line: `error[CODE]: text`.
fn as_error(text: &str) -> String {
    format!("error{}", text.replacen("] ", "]: ", 1))
}

fn named<'a>(
    text: &mut String,
    error: impl Fn(&PlannedRun, &RunState) -> String,
    runs: impl Iterator<Item = &'a (&'a PlannedRun, RunState)>,
) {
    let mut more = 0;
    for (at, (run, state)) in runs.enumerate() {
        if at < MAX_NAMED {
            let _ = writeln!(text, "{}", as_error(&error(run, state)));
        } else {
            more += 1;
        }
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more, in the report");
    }
}

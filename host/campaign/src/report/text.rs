//! The summary of a campaign for a terminal.

use std::fmt::Write as _;

use super::{Report, RunState};

/// Runs that are named one by one.
const MOST_NAMED: usize = 20;

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
    for conflict in &report.conflicts {
        let hash = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "none".to_owned());
        let _ = writeln!(
            text,
            "error[BH-CAM-024]: the run {} has two results, with the state hashes {} and {}",
            conflict.key,
            hash(&conflict.first.state_hash),
            hash(&conflict.second.state_hash)
        );
    }
    for (_, fault) in report.damaged() {
        let _ = writeln!(text, "error[BH-CAM-023]: {fault}");
    }
    let without =
        report.runs.iter().filter(|(_, state)| matches!(state, RunState::GivenUp(_) | RunState::Missing));
    named(&mut text, "BH-CAM-034", "has no result", without);
    let failed = report.runs.iter().filter(|(_, state)| state.name() == "failed");
    named(&mut text, "BH-CAM-035", "failed", failed);
    text
}

fn named<'a>(
    text: &mut String,
    code: &str,
    what: &str,
    runs: impl Iterator<Item = &'a (&'a crate::PlannedRun, RunState)>,
) {
    let mut more = 0;
    for (at, (run, state)) in runs.enumerate() {
        if at < MOST_NAMED {
            let _ = writeln!(text, "error[{code}]: the run {} {what}: {}", run.key, state.reason());
        } else {
            more += 1;
        }
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more, in the report");
    }
}

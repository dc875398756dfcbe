//! The runs as JUnit XML for continuous integration: a suite for each world, a test case for each run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::{Report, RunState};
use crate::command::Invocation;
use crate::store::Verdict;
use crate::{Plan, PlannedRun};

/// Returns the whole file. `program` is that of the commands that repeat failures.
#[must_use]
pub fn junit(report: &Report<'_>, program: &Path) -> String {
    let mut suites: BTreeMap<&str, Vec<&(&PlannedRun, RunState)>> = BTreeMap::new();
    for run in &report.runs {
        suites.entry(report.plan.world(report.plan.case(run.0))).or_default().push(run);
    }
    let all: Vec<&(&PlannedRun, RunState)> = report.runs.iter().collect();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
        xml_text(&report.plan.name),
        counts(&all)
    );
    for (world, runs) in suites {
        let _ = writeln!(text, "  <testsuite name=\"{}\" {}>", xml_text(world), counts(&runs));
        runs.iter().for_each(|(run, state)| case(&mut text, report.plan, run, state, program));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn counts(runs: &[&(&PlannedRun, RunState)]) -> String {
    let failures = runs.iter().filter(|(_, state)| state.name() == "failed").count();
    let errors = runs.iter().filter(|(_, state)| state.entry().is_none()).count();
    let time: f64 = runs.iter().filter_map(|(_, state)| state.entry()).map(|entry| entry.wall_s).sum();
    format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" time=\"{time:.3}\"",
        runs.len()
    )
}

fn case(text: &mut String, plan: &Plan, run: &PlannedRun, state: &RunState, program: &Path) {
    let case = plan.case(run);
    let parameters = plan.shown_parameters(case);
    let gap = if parameters.is_empty() { "" } else { ", " };
    let name = format!("seed={}{gap}{parameters}", run.seed);
    let wall_s = state.entry().map_or(0.0, |entry| entry.wall_s);
    let _ = write!(
        text,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{wall_s:.3}\"",
        xml_text(plan.world(case)),
        xml_text(&name)
    );
    let reason = xml_text(&state.reason());
    let inner = match state {
        RunState::Finished(entry) => {
            let flaky = entry
                .earlier
                .iter()
                .map(|earlier| format!("      <flakyFailure message=\"{}\"/>\n", xml_text(&earlier.end)));
            let failure = match entry.verdict {
                Verdict::Passed => String::new(),
                Verdict::Failed => format!("      <failure message=\"{reason}\"/>\n"),
            };
            flaky.collect::<String>() + &failure
        }
        RunState::GivenUp(_) | RunState::Missing | RunState::Damaged(_) => {
            format!("      <error message=\"{reason}\"/>\n")
        }
    };
    if inner.is_empty() {
        text.push_str("/>\n");
        return;
    }
    let command = Invocation::of(plan, case, run.seed, program).shell();
    let _ = writeln!(
        text,
        ">\n{inner}      <system-out>key {}&#10;{}</system-out>\n    </testcase>",
        run.key,
        xml_text(&command)
    );
}

/// Returns the text of an attribute or an element. Characters that XML does not allow become `?`.
#[must_use]
pub fn xml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            other if other.is_control() => out.push('?'),
            other => out.push(other),
        }
    }
    out
}

//! The sections of the page besides the heat map.

use std::fmt::Write as _;
use std::path::Path;

use super::{escaped, percent, seconds};
use crate::command::Invocation;
use crate::report::{Report, RunState};
use crate::statistics::{Histogram, quantile};
use crate::{Key, PlannedRun};

/// Failures that are shown with their commands; the table of all runs has the others.
const MAX_SHOWN: usize = 20;
/// The slowest runs.
const SLOWEST: usize = 10;
/// Bars of a histogram.
const BARS: usize = 40;

type Run<'a> = (&'a PlannedRun, RunState);

/// Returns the totals.
pub(super) fn totals(report: &Report<'_>) -> String {
    let counts = report.total.counts;
    let (low, high) = report.total.interval;
    let confidence = report.plan.accept.confidence * 100.0;
    let flaky = report.runs.iter().filter(|(_, state)| state.is_flaky()).count();
    let refused = report.cases.iter().filter(|case| !case.is_accepted).count();
    let rate = counts.rate().map_or("none".to_owned(), percent);
    let fact = |name: &str, value: &str, note: &str| {
        format!("<div><dt>{name}</dt><dd>{value}</dd><dd class=\"note\">{note}</dd></div>\n")
    };
    let gate = match report.plan.accept.pass_rate {
        Some(rate) if report.plan.accept.is_total => {
            format!("The lower bound of the campaign must reach {rate}")
        }
        Some(rate) => {
            format!("Each lower bound must reach {rate}; {refused} of {} cases do not", report.cases.len())
        }
        None => format!("Every run must pass; {refused} of {} cases have others", report.cases.len()),
    };
    [
        "<section id=\"totals\"><dl>\n".to_owned(),
        fact("runs", &counts.total().to_string(), &format!("{} cases", report.cases.len())),
        fact("passed", &counts.passed.to_string(), ""),
        fact("failed", &counts.failed.to_string(), ""),
        fact(
            "without a result",
            &(counts.given_up + counts.missing).to_string(),
            &format!("{} of them missing", counts.missing),
        ),
        fact("flaky", &flaky.to_string(), "a result only after another try"),
        fact("unstable", &report.conflicts.len().to_string(), "two different results"),
        fact(
            "pass rate",
            &rate,
            &format!("{confidence}&#8239;% interval: {} to {}", percent(low), percent(high)),
        ),
        format!(
            "</dl>\n<p>{gate}. Program {}, SHA-256 <code>{}</code>.</p></section>\n",
            escaped(&report.plan.version),
            report.plan.program
        ),
    ]
    .concat()
}

/// Returns the runs that did not pass, with the commands that repeat them.
pub(super) fn failures(report: &Report<'_>, program: &Path) -> String {
    let failed: Vec<&Run<'_>> = report.runs.iter().filter(|(_, state)| state.name() != "passed").collect();
    if failed.is_empty() {
        return String::new();
    }
    let mut text = format!("<section id=\"failures\"><h2>Runs that did not pass: {}</h2>\n", failed.len());
    if failed.len() > MAX_SHOWN {
        let _ = writeln!(text, "<p>The first {MAX_SHOWN}; the table of all runs has the others.</p>");
    }
    for (run, state) in failed.iter().take(MAX_SHOWN) {
        let case = report.plan.case(run);
        let command = Invocation::of(report.plan, case, run.seed, program).shell();
        let _ = write!(
            text,
            "<details><summary><span class=\"state\">{}</span> {} <b>seed {}</b> {}<small>{}</small></summary>\n<p>Key <code>{}</code></p>\n<pre class=\"command\">{}</pre>\n",
            state.name(),
            escaped(report.plan.world(case)),
            run.seed,
            escaped(&report.plan.shown_parameters(case)),
            escaped(&state.reason()),
            run.key,
            escaped(&command)
        );
        if let RunState::GivenUp(failure) = state {
            for (at, attempt) in failure.tries.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "<p>Try {}: {}</p><pre>{}</pre>",
                    at + 1,
                    escaped(&attempt.end),
                    escaped(&attempt.log)
                );
            }
        }
        text.push_str("</details>\n");
    }
    text.push_str("</section>\n");
    text
}

/// Returns the runs with two different results.
pub(super) fn unstable(report: &Report<'_>) -> String {
    if report.conflicts.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<section id=\"unstable\"><h2>Unstable runs</h2>\n<p>The same run gave two different results: a plugin is not deterministic, or a result was changed.</p>\n<table><tr><th>key</th><th>first result</th><th>second result</th></tr>\n",
    );
    for conflict in &report.conflicts {
        let side = |entry: &crate::Entry| {
            format!(
                "<code>{}</code> after {} steps, exit code {}, on {}",
                entry.state_hash.as_deref().unwrap_or("none"),
                entry.steps,
                entry.exit_code,
                escaped(&entry.machine)
            )
        };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            key(&conflict.key),
            side(&conflict.first),
            side(&conflict.second)
        );
    }
    text.push_str("</table></section>\n");
    text
}

/// Returns the runs that have a result only after another try.
pub(super) fn flaky(report: &Report<'_>) -> String {
    let flaky: Vec<&Run<'_>> = report.runs.iter().filter(|(_, state)| state.is_flaky()).collect();
    if flaky.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "<section id=\"flaky\"><h2>Flaky runs: {}</h2>\n<table><tr><th>key</th><th>run</th><th>tries before the result</th></tr>\n",
        flaky.len()
    );
    for (run, state) in flaky.iter().take(MAX_SHOWN) {
        let ends = state.entry().map(|entry| {
            entry.earlier.iter().map(|earlier| escaped(&earlier.end)).collect::<Vec<_>>().join("; ")
        });
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            key(&run.key),
            shown(report, run),
            ends.unwrap_or_default()
        );
    }
    text.push_str("</table>\n");
    if flaky.len() > MAX_SHOWN {
        let _ = writeln!(text, "<p>And {} more.</p>", flaky.len() - MAX_SHOWN);
    }
    text.push_str("</section>\n");
    text
}

/// Returns the distributions of what the runs took.
pub(super) fn distributions(report: &Report<'_>) -> String {
    let entries = || report.runs.iter().filter_map(|(_, state)| state.entry());
    #[expect(clippy::cast_precision_loss, reason = "simulated times are far below 2^53 ns")]
    let sets: [(&str, &str, Vec<f64>); 3] = [
        ("Wall time", "s", entries().map(|entry| entry.wall_s).collect()),
        ("Simulated time", "s", entries().map(|entry| entry.time_ns as f64 * 1e-9).collect()),
        ("Real-time factor", "", entries().filter_map(|entry| entry.real_time_factor).collect()),
    ];
    let figures: String = sets.iter().filter_map(|(name, unit, values)| figure(name, unit, values)).collect();
    if figures.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"distributions\"><h2>Distributions</h2>\n<div class=\"figures\">{figures}</div></section>\n"
    )
}

fn figure(name: &str, unit: &str, values: &[f64]) -> Option<String> {
    let histogram = Histogram::of(values, BARS)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let most = histogram.counts.iter().copied().max().unwrap_or(1).max(1);
    let mut bars = String::new();
    #[expect(clippy::cast_precision_loss, reason = "few bars and runs")]
    for (at, count) in histogram.counts.iter().enumerate() {
        let width = 400.0 / histogram.counts.len() as f64;
        let height = *count as f64 / most as f64 * 100.0;
        // A bar that is not empty can be seen.
        let height = if *count > 0 { height.max(1.0) } else { 0.0 };
        let (x, y) = (at as f64 * width, 100.0 - height);
        let _ = write!(
            bars,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{height:.2}\"><title>{count} runs</title></rect>",
            width * 0.92
        );
    }
    let number =
        |value: f64| if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    let gap = if unit.is_empty() { "" } else { "&#8239;" };
    Some(format!(
        "<figure><figcaption>{name}<small>median {}{gap}{unit}, 99&#8239;% below {}{gap}{unit}</small></figcaption><svg viewBox=\"0 0 400 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{name}\">{bars}</svg><div class=\"ends\"><span>{}{gap}{unit}</span><span>{}{gap}{unit}</span></div></figure>\n",
        number(quantile(&sorted, 0.5)),
        number(quantile(&sorted, 0.99)),
        number(histogram.low),
        number(histogram.high)
    ))
}

/// Returns the slowest runs.
pub(super) fn slowest(report: &Report<'_>) -> String {
    let mut finished: Vec<(&PlannedRun, &crate::Entry)> =
        report.runs.iter().filter_map(|(run, state)| Some((*run, state.entry()?))).collect();
    finished.sort_by(|(_, a), (_, b)| b.wall_s.total_cmp(&a.wall_s));
    if finished.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<section id=\"slowest\"><h2>Slowest runs</h2>\n<table><tr><th>key</th><th>run</th><th>wall time</th><th>simulated time</th></tr>\n",
    );
    for (run, entry) in finished.iter().take(SLOWEST) {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{:.3}&#8239;s</td><td class=\"number\">{}&#8239;s</td></tr>",
            key(&run.key),
            shown(report, run),
            entry.wall_s,
            seconds(entry.time_ns)
        );
    }
    text.push_str("</table></section>\n");
    text
}

/// Returns the frame of the table of all runs, which the script fills.
pub(super) fn table() -> String {
    "<section id=\"runs\"><h2>All runs</h2>\n<p><label>Filter <input id=\"filter\" type=\"search\" placeholder=\"world, parameter, seed, key, state\"></label> <span id=\"count\"></span> <button id=\"before\">previous</button> <button id=\"after\">next</button></p>\n<div class=\"scroll\"><table id=\"table\"><thead><tr><th>state</th><th>world</th><th>seed</th><th>parameters</th><th>wall time</th><th>simulated time</th><th>tries</th><th>key</th></tr></thead><tbody></tbody></table></div>\n<noscript><p>The table needs a script; <code>runs.csv</code> has the same runs.</p></noscript></section>\n".to_owned()
}

fn shown(report: &Report<'_>, run: &PlannedRun) -> String {
    let case = report.plan.case(run);
    let parameters = report.plan.shown_parameters(case);
    format!("{} seed {} <small>{}</small>", escaped(report.plan.world(case)), run.seed, escaped(&parameters))
}

/// Returns a short key, with the whole one on hover.
fn key(key: &Key) -> String {
    let text = key.to_string();
    format!("<code title=\"{text}\">{}</code>", text.get(..12).unwrap_or_default())
}

//! The sections of the page besides the heat map.

use std::fmt::Write as _;
use std::path::Path;

use super::{escaped, percent, seconds};
use crate::command::Invocation;
use crate::report::{Report, RunState};
use crate::shown::by_case;
use crate::statistics::{Histogram, quantile};
use crate::{Key, PlannedRun};

/// Cases with runs that did not pass that are shown; the table of all runs has the others.
const MAX_CASES: usize = 50;
/// Seeds of a case that are named.
const MAX_SEEDS: usize = 20;
/// Values of a parameter that are named.
const MAX_VALUES: usize = 8;
/// Flaky runs that are shown; the table of all runs has the others.
const MAX_SHOWN: usize = 20;
/// The slowest runs.
const SLOWEST: usize = 10;
/// Bars of a histogram.
const BARS: usize = 40;

type Run<'a> = (&'a PlannedRun, RunState);

/// Returns the totals.
pub(super) fn totals(report: &Report<'_>) -> String {
    let counts = report.total.counts;
    let flaky = report.runs.iter().filter(|(_, state)| state.is_flaky()).count();
    let refused = report.cases.iter().filter(|case| !case.is_accepted).count();
    let rate = report.total.distinct.rate().map_or("none".to_owned(), percent);
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
        fact("pass rate", &rate, &uncertainty(report)),
        "</dl>\n".to_owned(),
        report
            .copies()
            .map(|copies| format!("<p class=\"copies\"><b>Seeds:</b> {copies}.</p>\n"))
            .unwrap_or_default(),
        format!("<p>{gate}.{}</p></section>\n", executed(report)),
    ]
    .concat()
}

/// Returns the interval of the whole campaign. One run has none.
fn uncertainty(report: &Report<'_>) -> String {
    let (low, high) = report.total.interval;
    let confidence = report.plan.accept.confidence * 100.0;
    let interval = format!("{confidence}&#8239;% interval: {} to {}", percent(low), percent(high));
    match (report.total.has_copies(), report.total.distinct.executed()) {
        (false, _) => interval,
        (true, 1) => "of 1 run".to_owned(),
        (true, count) => format!("of {count} distinct runs; {interval}"),
    }
}

/// Returns when, where and by which program the runs were executed.
fn executed(report: &Report<'_>) -> String {
    let span = report.span().text().map_or(String::new(), |span| format!(" Executed {}.", escaped(&span)));
    format!(
        "{span} Version {}, SHA-256 of the program <code title=\"{1}\">{2}</code>.",
        escaped(&report.plan.version),
        report.plan.program,
        report.plan.program.to_string().get(..12).unwrap_or_default()
    )
}

/// Returns the parameters with their paths, those that all runs have and those in which they differ; empty without any.
pub(super) fn parameters(report: &Report<'_>) -> String {
    let plan = report.plan;
    if plan.names.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<section id=\"parameters\"><h2>Parameters</h2>\n<div class=\"scroll\"><table><tr><th>name</th><th>values</th>\
         <th>path</th></tr>\n",
    );
    for (number, path) in plan.names.iter().enumerate() {
        let values = match report.shown.constant(plan, number) {
            Some(value) => format!("{} in every run", escaped(value)),
            None => escaped(&listed(plan.values.get(number).map(Vec::as_slice).unwrap_or_default())),
        };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{values}</td><td><code>{}</code></td></tr>",
            escaped(report.shown.name(number)),
            escaped(path)
        );
    }
    text.push_str("</table></div></section>\n");
    text
}

fn listed(values: &[String]) -> String {
    match values {
        [first, .., last] if values.len() > MAX_VALUES => {
            format!("{first} … {last} ({} values)", values.len())
        }
        _ => values.join(", "),
    }
}

type Other<'a> = (&'a PlannedRun, &'a RunState);

/// Returns the cases with runs that did not pass, each with the command that repeats its first one.
pub(super) fn failures(report: &Report<'_>, program: &Path) -> String {
    let others = report.runs.iter().filter(|(_, state)| state.name() != "passed");
    let cases = by_case(others.map(|(run, state)| (run.case, (*run, state))));
    if cases.is_empty() {
        return String::new();
    }
    let count: usize = cases.iter().map(|(_, runs)| runs.len()).sum();
    let mut text = format!(
        "<section id=\"failures\"><h2>Cases with runs that did not pass: {}</h2>\n<p>{count} of {} runs.",
        cases.len(),
        report.runs.len()
    );
    if cases.len() > MAX_CASES {
        let _ = write!(text, " The first {MAX_CASES} cases; the table of all runs has the others.");
    }
    text.push_str("</p>\n");
    for (case, runs) in cases.iter().take(MAX_CASES) {
        failing_case(&mut text, report, *case, runs, program);
    }
    text.push_str("</section>\n");
    text
}

fn failing_case(text: &mut String, report: &Report<'_>, case: u32, runs: &[Other<'_>], program: &Path) {
    let Some((first, state)) = runs.first() else { return };
    let plan = report.plan;
    let all = report.cases.get(case as usize).map_or(0, |case| case.counts.total());
    let _ = write!(
        text,
        "<details><summary><span class=\"state\">{} of {all}</span> {} <b>{}</b> <small>{}</small></summary>\n\
         <p>{}: {}</p>\n<p>Repeat seed {}, key <code title=\"{}\">{}</code>:</p>\n<pre class=\"command\">{}</pre>\n",
        runs.len(),
        escaped(plan.world(plan.case(first))),
        escaped(&report.shown.parameters(plan, plan.case(first))),
        escaped(&state.reason()),
        states(runs),
        seeds(runs),
        first.seed,
        first.key,
        report.shown.key(&first.key),
        escaped(&Invocation::of(plan, plan.case(first), first.seed, program).shell())
    );
    tries(text, runs);
    text.push_str("</details>\n");
}

/// Returns the states of runs with their numbers, such as `3 failed, 1 missing`.
fn states(runs: &[Other<'_>]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (_, state) in runs {
        match counts.iter_mut().find(|(name, _)| *name == state.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((state.name(), 1)),
        }
    }
    counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

/// Returns the seeds of runs, such as `seeds 1, 2, 5`.
fn seeds(runs: &[Other<'_>]) -> String {
    let named: Vec<String> = runs.iter().take(MAX_SEEDS).map(|(run, _)| run.seed.to_string()).collect();
    let more = match runs.len().saturating_sub(MAX_SEEDS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} {}{more}", if runs.len() == 1 { "seed" } else { "seeds" }, named.join(", "))
}

/// Writes the tries of the first run without a result.
fn tries(text: &mut String, runs: &[Other<'_>]) {
    let failure = runs.iter().find_map(|(run, state)| match state {
        RunState::GivenUp(failure) => Some((run.seed, failure)),
        RunState::Finished(_) | RunState::Missing | RunState::Damaged(_) => None,
    });
    let Some((seed, failure)) = failure else { return };
    for (at, attempt) in failure.tries.iter().enumerate() {
        let _ = writeln!(
            text,
            "<p>Seed {seed}, try {}: {}</p><pre>{}</pre>",
            at + 1,
            escaped(&attempt.end),
            escaped(&attempt.log)
        );
    }
}

/// Returns the runs with two different results.
pub(super) fn unstable(report: &Report<'_>) -> String {
    if report.conflicts.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<section id=\"unstable\"><h2>Unstable runs</h2>\n<p>The same run gave two different results: a plugin is not deterministic, or a result was changed.</p>\n<div class=\"scroll\"><table><tr><th>key</th><th>first result</th><th>second result</th></tr>\n",
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
            key(report, &conflict.key),
            side(&conflict.first),
            side(&conflict.second)
        );
    }
    text.push_str("</table></div></section>\n");
    text
}

/// Returns the runs that have a result only after another try.
pub(super) fn flaky(report: &Report<'_>) -> String {
    let flaky: Vec<&Run<'_>> = report.runs.iter().filter(|(_, state)| state.is_flaky()).collect();
    if flaky.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "<section id=\"flaky\"><h2>Flaky runs: {}</h2>\n<div class=\"scroll\"><table><tr><th>key</th><th>run</th><th>tries before the result</th></tr>\n",
        flaky.len()
    );
    for (run, state) in flaky.iter().take(MAX_SHOWN) {
        let ends = state.entry().map(|entry| {
            entry.earlier.iter().map(|earlier| escaped(&earlier.end)).collect::<Vec<_>>().join("; ")
        });
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            key(report, &run.key),
            shown(report, run),
            ends.unwrap_or_default()
        );
    }
    text.push_str("</table></div>\n");
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
        "<section id=\"slowest\"><h2>Slowest runs</h2>\n<div class=\"scroll\"><table><tr><th>key</th><th>run</th><th>wall time</th><th>simulated time</th></tr>\n",
    );
    for (run, entry) in finished.iter().take(SLOWEST) {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{:.3}&#8239;s</td><td class=\"number\">{}&#8239;s</td></tr>",
            key(report, &run.key),
            shown(report, run),
            entry.wall_s,
            seconds(entry.time_ns)
        );
    }
    text.push_str("</table></div></section>\n");
    text
}

/// Returns the frame of the table of all runs, which the script fills.
pub(super) fn table() -> String {
    "<section id=\"runs\"><h2>All runs</h2>\n<p><label>Filter <input id=\"filter\" type=\"search\" placeholder=\"world, parameter, seed, key, state\"></label> <span id=\"count\"></span> <button id=\"before\">previous</button> <button id=\"after\">next</button></p>\n<div class=\"scroll\"><table id=\"table\"><thead><tr><th>state</th><th>world</th><th>seed</th><th>parameters</th><th>wall time</th><th>simulated time</th><th>tries</th><th>key</th></tr></thead><tbody></tbody></table></div>\n<noscript><p>The table needs a script; <code>runs.csv</code> has the same runs.</p></noscript></section>\n".to_owned()
}

fn shown(report: &Report<'_>, run: &PlannedRun) -> String {
    let case = report.plan.case(run);
    let parameters = report.shown.parameters(report.plan, case);
    format!("{} seed {} <small>{}</small>", escaped(report.plan.world(case)), run.seed, escaped(&parameters))
}

/// Returns a short key, with the whole one on hover.
fn key(report: &Report<'_>, key: &Key) -> String {
    format!("<code title=\"{key}\">{}</code>", report.shown.key(key))
}

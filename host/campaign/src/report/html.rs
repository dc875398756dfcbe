//! The report as one HTML page that loads nothing: heat map, distributions, failures, and a table of all runs.
//!
//! What a reader needs first is in the page itself; the table of all runs is data that a script shows in parts.

mod heat;
mod sections;

use std::path::Path;

use serde_json::{Value, json};

use super::{Outcome, Report};
use crate::command::Invocation;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Returns the page. `program` is that of the commands that repeat runs.
#[must_use]
pub fn html(report: &Report<'_>, program: &Path) -> String {
    let name = escaped(&report.plan.name);
    let class = match report.outcome() {
        Outcome::Accepted => "good",
        Outcome::Refused | Outcome::Unstable => "bad",
        Outcome::Incomplete => "open",
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}: {0}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header><h1>{name}</h1><p class=\"outcome {class}\">{0}</p></header>\n<main>\n",
        report.outcome().sentence()
    );
    page.push_str(&sections::totals(report));
    page.push_str(&sections::parameters(report));
    page.push_str(&heat::heat_map(report));
    page.push_str(&sections::unstable(report));
    page.push_str(&sections::failures(report, program));
    page.push_str(&sections::flaky(report));
    page.push_str(&sections::distributions(report));
    page.push_str(&sections::slowest(report));
    page.push_str(&sections::table());
    let data = data(report, program).to_string().replace('<', "\\u003c");
    page.push_str(&format!(
        "</main>\n<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    ));
    page
}

/// Returns the data of the table: the cases with their commands, and the runs.
fn data(report: &Report<'_>, program: &Path) -> Value {
    let plan = report.plan;
    let cases = plan.cases.iter().map(|case| {
        let command = Invocation::of(plan, case, 0, program).shell();
        json!({
            "world": plan.world(case),
            "parameters": report.shown.parameters(plan, case),
            "paths": plan.shown_parameters(case),
            "command": command,
        })
    });
    let runs = report.runs.iter().map(|(run, state)| {
        let entry = state.entry();
        json!([
            run.key.to_string(),
            run.case,
            // A number of JavaScript has 53 bits.
            run.seed.to_string(),
            state.name(),
            entry.map(|entry| rounded(entry.wall_s)),
            entry.map(|entry| seconds(entry.time_ns)),
            entry.map(|entry| entry.earlier.len() + 1),
            state.reason(),
        ])
    });
    let digits = report.shown.digits();
    json!({ "digits": digits, "cases": cases.collect::<Vec<_>>(), "runs": runs.collect::<Vec<_>>() })
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Returns nanoseconds as seconds, without zeros at the end.
pub(super) fn seconds(time_ns: u64) -> String {
    let text = format!("{}.{:09}", time_ns / 1_000_000_000, time_ns % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a text for HTML. Control characters, which no browser shows, are written as their codes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            letter if letter.is_control() && !letter.is_whitespace() => html.extend(letter.escape_unicode()),
            letter => html.push(letter),
        }
    }
    html
}

/// Returns a rate in per cent; a rate below 1 never becomes 100 %.
fn percent(rate: f64) -> String {
    let rounded = (rate * 1000.0).round() / 10.0;
    if rounded >= 100.0 && rate < 1.0 { "99.9&#8239;%".to_owned() } else { format!("{rounded:.1}&#8239;%") }
}

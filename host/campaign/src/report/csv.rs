//! All runs as a table of comma-separated values (RFC 4180).

use super::Report;

/// Returns the table: a line for each run, with a column for each parameter.
#[must_use]
pub fn csv(report: &Report<'_>) -> String {
    let plan = report.plan;
    let mut text = String::new();
    let fixed = ["key", "world", "bridges", "seed"].into_iter().map(str::to_owned);
    let results = [
        "state",
        "exit_code",
        "outcome",
        "cause",
        "state_hash",
        "steps",
        "time_s",
        "tries",
        "wall_s",
        "real_time_factor",
        "machine",
    ];
    line(&mut text, fixed.chain(plan.names.iter().cloned()).chain(results.map(str::to_owned)));
    for (run, state) in &report.runs {
        let case = plan.case(run);
        let mut cells = vec![
            run.key.to_string(),
            plan.world(case).to_owned(),
            plan.bridges(case).bridges.join(" "),
            run.seed.to_string(),
        ];
        for name in &plan.names {
            let value = plan.parameters(case).find(|(found, _)| found == name).map(|(_, value)| value);
            cells.push(value.unwrap_or_default().to_owned());
        }
        cells.push(state.name().to_owned());
        match state.entry() {
            Some(entry) => cells.extend([
                entry.exit_code.to_string(),
                entry.outcome.clone(),
                entry.cause.clone(),
                entry.state_hash.clone().unwrap_or_default(),
                entry.steps.to_string(),
                super::html::seconds(entry.time_ns),
                (entry.earlier.len() + 1).to_string(),
                format!("{:.3}", entry.wall_s),
                entry.real_time_factor.map(|factor| format!("{factor:.3}")).unwrap_or_default(),
                entry.machine.clone(),
            ]),
            None => {
                let mut rest = vec![String::new(); 10];
                rest[2] = state.reason();
                cells.extend(rest);
            }
        }
        line(&mut text, cells.into_iter());
    }
    text
}

/// Returns a cell that is a text in every program: spreadsheets take what begins with certain characters for a formula
/// (OWASP, "CSV Injection"), and terminals carry out control characters. A number stays as it is.
fn harmless(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    let mut text = String::with_capacity(cell.len() + usize::from(is_formula));
    text.extend(is_formula.then_some('\''));
    for letter in cell.chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\r' | '\t') {
            text.extend(letter.escape_unicode());
        } else {
            text.push(letter);
        }
    }
    text
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            text.push(',');
        }
        let cell = harmless(&cell);
        if cell.contains(['"', ',', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push_str("\r\n");
}

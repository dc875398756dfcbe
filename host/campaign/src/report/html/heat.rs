//! The matrix as a heat map: one cell for each case, coloured by its pass rate.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::{escaped, percent};
use crate::report::{Rated, Report};
use crate::{Case, Plan};

/// Columns whose cells have room for counts and intervals.
const MAX_WIDE: usize = 10;

/// What the cells of a row have in common: world, bridges, and the parameters besides that of the columns.
type RowKey = (u32, u32, Vec<(u16, u32)>);

/// Returns the section.
pub(super) fn heat_map(report: &Report<'_>) -> String {
    let plan = report.plan;
    let column = column_parameter(plan);
    let of_column = |case: &Case| {
        let value = column.and_then(|name| case.parameters.iter().rfind(|(found, _)| *found == name));
        value.map(|(_, value)| *value)
    };
    // Numbers of values and cases keep the order of the campaign file.
    let mut columns: BTreeMap<Option<u32>, String> = BTreeMap::new();
    let mut rows: Vec<(Case, BTreeMap<Option<u32>, usize>)> = Vec::new();
    let mut numbers: HashMap<RowKey, usize> = HashMap::new();
    for (number, case) in plan.cases.iter().enumerate() {
        let value = of_column(case);
        columns.entry(value).or_insert_with(|| title(plan, column, value));
        let mut rest = Case { inputs: 0, ..case.clone() };
        rest.parameters.retain(|(name, _)| Some(*name) != column);
        let key = (rest.world, rest.bridges, rest.parameters.clone());
        let row = *numbers.entry(key).or_insert_with(|| {
            rows.push((rest, BTreeMap::new()));
            rows.len() - 1
        });
        if let Some((_, cells)) = rows.get_mut(row) {
            cells.insert(value, number);
        }
    }
    let is_compact = columns.len() > MAX_WIDE;
    let (class, about) = if is_compact {
        ("heat compact", "Pass rate of each case in per cent; the title of a cell has more.")
    } else {
        ("heat", "Pass rate of each case, with its interval unless all its seeds gave one run.")
    };
    let mut text = format!(
        "<section id=\"matrix\"><h2>Matrix</h2>\n<p>{about} A click shows the runs of a case. A cell with a frame is not \
         accepted.</p>\n<div class=\"scroll\"><table class=\"{class}\">\n"
    );
    if let Some(name) = column.map(usize::from) {
        let _ = writeln!(
            text,
            "<tr><th></th><th colspan=\"{}\" title=\"{}\">{}</th></tr>",
            columns.len(),
            escaped(&plan.names[name]),
            escaped(report.shown.name(name))
        );
    }
    let titles: String = columns.values().map(|title| format!("<th>{}</th>", escaped(title))).collect();
    let _ = writeln!(text, "<tr><th>case</th>{titles}</tr>");
    for (rest, cells) in &rows {
        let parameters = report.shown.parameters(plan, rest);
        let _ = write!(
            text,
            "<tr><th class=\"row\">{}<small>{}</small></th>",
            escaped(plan.world(rest)),
            escaped(&parameters)
        );
        for value in columns.keys() {
            match cells.get(value).and_then(|number| Some((*number, report.cases.get(*number)?))) {
                Some((number, rated)) => cell(&mut text, number, rated, plan, is_compact),
                None => text.push_str("<td class=\"none\" title=\"not in the campaign\"></td>"),
            }
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table></div></section>\n");
    text
}

/// Returns the parameter with the most values, which becomes the columns; `None` if no parameter has two.
fn column_parameter(plan: &Plan) -> Option<u16> {
    let used = |name: u16| {
        let values = plan
            .cases
            .iter()
            .flat_map(|case| case.parameters.iter().filter(move |(found, _)| *found == name));
        values.map(|(_, value)| *value).collect::<std::collections::HashSet<u32>>().len()
    };
    let names = (0..u16::try_from(plan.names.len()).unwrap_or(u16::MAX)).map(|name| (used(name), name));
    names
        .filter(|(count, _)| *count > 1)
        .max_by_key(|(count, name)| (*count, std::cmp::Reverse(*name)))
        .map(|(_, name)| name)
}

fn title(plan: &Plan, column: Option<u16>, value: Option<u32>) -> String {
    match (column, value) {
        (None, _) => "all seeds".to_owned(),
        (Some(name), None) => {
            plan.defaults[usize::from(name)].clone().unwrap_or_else(|| "not set".to_owned())
        }
        (Some(name), Some(value)) => plan.values[usize::from(name)][value as usize].clone(),
    }
}

fn cell(text: &mut String, number: usize, rated: &Rated, plan: &Plan, is_compact: bool) {
    let counts = rated.counts;
    let total = counts.total();
    let Some(rate) = counts.rate() else {
        let inner = if is_compact { String::new() } else { format!("missing<small>0 of {total}</small>") };
        let _ = write!(
            text,
            "<td class=\"open\" data-case=\"{number}\" title=\"missing: 0 of {total}\">{inner}</td>"
        );
        return;
    };
    let mark = if rated.is_accepted { "" } else { " refused" };
    let missing = if counts.missing > 0 { format!(", {} missing", counts.missing) } else { String::new() };
    let gate = match plan.accept.pass_rate {
        Some(gate) => format!("; the lower bound must reach {gate}"),
        None => String::new(),
    };
    let of = format!("{} of {}", counts.passed, counts.executed());
    let (range, about) = uncertainty(rated);
    let inner = if is_compact {
        format!("{:.0}", (rate * 100.0).floor())
    } else {
        format!("{}<small>{of}{missing}</small><small>{range}</small>", percent(rate))
    };
    // Rates near 1 are the ones to tell apart.
    let shade = rate * rate * rate;
    let _ = write!(
        text,
        "<td class=\"cell{mark}\" data-case=\"{number}\" style=\"--shade:{shade:.3}\" title=\"{of} passed{missing}, \
         {about}{gate}\">{inner}</td>"
    );
}

/// Returns the interval of a case, short and for its title. Copies of one run have none.
fn uncertainty(rated: &Rated) -> (String, String) {
    if rated.has_copies() {
        return ("one run".to_owned(), "all of them the same run".to_owned());
    }
    let (low, high) = rated.interval;
    (format!("{} to {}", percent(low), percent(high)), format!("interval {low:.4} to {high:.4}"))
}

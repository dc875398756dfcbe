//! Members of a response, tolerant of missing ones, and their text forms.

use serde_json::Value;

use crate::cli::human::one_line;
use crate::text::{Side, padded};

/// Longest cell of a table; failures and descriptions may have any length.
const LONGEST_CELL: usize = 80;

/// Returns a member.
pub(super) fn item<'a>(value: &'a Value, member: &str) -> &'a Value {
    value.get(member).unwrap_or(&Value::Null)
}

/// A text.
pub(super) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    item(value, member).as_str().unwrap_or_default()
}

/// Returns a number; non-finite numbers are texts in JSON.
pub(super) fn number(value: &Value, member: &str) -> f64 {
    match item(value, member) {
        Value::String(text) => text.parse().unwrap_or(f64::NAN),
        other => other.as_f64().unwrap_or(0.0),
    }
}

/// Returns a count.
pub(super) fn whole(value: &Value, member: &str) -> u64 {
    item(value, member).as_u64().unwrap_or(0)
}

/// Returns a list.
pub(super) fn rows<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    item(value, member).as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns a list of texts, separated by commas.
pub(super) fn join(value: &Value, member: &str) -> String {
    let texts: Vec<&str> = rows(value, member).iter().filter_map(Value::as_str).collect();
    texts.join(", ")
}

/// Returns a number with about three digits; it may be negative or very small.
pub(super) fn figures(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        return "-".to_owned();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let is_small = size > 0.0 && size < 0.01;
    if is_small { format!("{sign}{size:.2e}") } else { format!("{sign}{}", crate::cli::human::figures(size)) }
}

/// To the millionth, without a negative zero.
pub(super) fn rounded(number: f64) -> String {
    ((number * 1e6).round() / 1e6 + 0.0).to_string()
}

/// Returns nanoseconds as seconds.
pub(super) fn seconds(nanoseconds: f64) -> String {
    format!("{} s", nanoseconds / 1e9)
}

/// Returns the name of a number.
pub(super) fn named<'a>(names: &[&'a str], value: &Value, member: &str) -> &'a str {
    usize::try_from(whole(value, member)).ok().and_then(|at| names.get(at).copied()).unwrap_or("?")
}

/// Returns labels and values; empty values are omitted.
pub(super) fn pairs(pairs: &[(&str, String)]) -> String {
    let shown = pairs.iter().filter(|(_, value)| !value.is_empty());
    let rows: Vec<_> = shown.map(|(label, value)| vec![(*label).to_owned(), value.clone()]).collect();
    wide_table(&rows, 0)
}

/// Returns a table with shortened cells.
pub(super) fn table(rows: &[Vec<String>], numbers: usize) -> String {
    columns(rows, numbers, LONGEST_CELL)
}

/// Returns a table with full cells.
pub(super) fn wide_table(rows: &[Vec<String>], numbers: usize) -> String {
    columns(rows, numbers, usize::MAX)
}

/// Returns rows as aligned columns, one line per row; the last `numbers` columns are right-aligned.
fn columns(rows: &[Vec<String>], numbers: usize, most: usize) -> String {
    let shorten = |row: &Vec<String>| row.iter().map(|cell| one_line(cell, most)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(shorten).collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|at| width(at).unwrap_or(0)).collect();
    let first_number = count.saturating_sub(numbers);
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
            padded(cell, if at >= first_number { Side::Right } else { Side::Left }, *width)
        });
        let cells: Vec<String> = cells.collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_there_is_nothing() {
        let value = json!({"a": 1, "b": "NaN", "c": [1, "x"], "d": -2});
        assert_eq!((text(&value, "a"), whole(&value, "d")), ("", 0));
        assert!(number(&value, "b").is_nan() && number(&value, "z") == 0.0);
        assert_eq!((join(&value, "c").as_str(), rows(&value, "a").len()), ("x", 0));
    }

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> = [0.0, 0.001_234, 1.234_5, -123.4, f64::NAN].map(figures).into();
        assert_eq!(shown, ["0.00", "1.23e-3", "1.23", "-123", "-"]);
        assert_eq!([rounded(-1e-9), rounded(0.123_456_7)], ["0", "0.123457"]);
        assert_eq!(seconds(1_500_000_000.0), "1.5 s");
    }

    #[test]
    fn a_line_of_a_table_stays_a_line() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = table(&[row(["a", "b\nc", "1"]), row(["long", "", "22"])], 1);
        assert_eq!(text, "a     b\\nc   1\nlong        22\n");
    }
}

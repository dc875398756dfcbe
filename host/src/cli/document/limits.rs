//! The table of limits in the guide on worlds.

use std::fmt::Write as _;

use bridgehead_sdf::limits::{LIMITS, Row};

/// The lines around the table.
const BEGIN: &str = "<!-- The table of limits, generated from the program -->\n";
const END: &str = "<!-- The end of the table. -->\n";

/// Returns the guide with the current table; `None` without its place.
#[must_use]
pub fn worlds(guide: &str) -> Option<String> {
    let (before, rest) = guide.split_once(BEGIN)?;
    let (_, behind) = rest.split_once(END)?;
    let mut page = format!(
        "{before}{BEGIN}\n| limit | of | in the largest known world | reason |\n|---:|---|---:|---|\n"
    );
    for Row { most, known, counted, reason, .. } in LIMITS {
        let _ = writeln!(page, "| {most} | {counted} | {known} | {reason} |");
    }
    let _ = write!(page, "\n{END}{behind}");
    Some(page)
}

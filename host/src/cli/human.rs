//! Numbers and tables for people: short, aligned, with units.

use std::time::Duration;

pub(super) use crate::text::Side;
use crate::text::{self, padded};

/// Returns seconds with milliseconds.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// A number of bytes.
pub(super) fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut amount = as_f64(count) / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next().copied().unwrap_or_default();
    for larger in units {
        // What would be shown as 1024.0 belongs to the next unit.
        if amount < 1023.95 {
            break;
        }
        amount /= 1024.0;
        unit = larger;
    }
    format!("{amount:.1} {unit}")
}

/// Returns a rate; `-` if no time has passed, or for fewer than two events.
pub(super) fn rate(count: u64, time: Duration) -> String {
    match rate_hz(count, time) {
        Some(rate) if count > 1 => format!("{} Hz", figures(rate)),
        Some(_) | None => String::from("-"),
    }
}

/// Returns a rate per second.
pub(super) fn rate_hz(count: u64, time: Duration) -> Option<f64> {
    (!time.is_zero()).then(|| as_f64(count) / time.as_secs_f64())
}

/// Returns a positive number with about three digits.
pub(super) fn figures(number: f64) -> String {
    if number >= 99.95 {
        format!("{number:.0}")
    } else if number >= 9.995 {
        format!("{number:.1}")
    } else {
        format!("{number:.2}")
    }
}

#[expect(clippy::cast_precision_loss, reason = "shown with a few figures only")]
fn as_f64(count: u64) -> f64 {
    count as f64
}

/// Returns a text on one line: control characters escaped, and shortened if it is too long.
pub(super) fn one_line(text: &str, most: usize) -> String {
    text::shortened(&text::one_line(text), most).into_owned()
}

/// Longest cell of a table that is shown in full.
const CELL_WIDTH: usize = 160;

/// Returns rows as aligned columns, two spaces apart, one line per row. Cells are shortened to one line.
pub(super) fn table<const N: usize>(sides: [Side; N], rows: &[[String; N]]) -> Vec<String> {
    let shorten = |row: &[String; N]| row.each_ref().map(|cell| one_line(cell, CELL_WIDTH));
    let rows: Vec<[String; N]> = rows.iter().map(shorten).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    rows.iter().map(|row| table_line(sides, widths, row)).collect()
}

fn table_line<const N: usize>(sides: [Side; N], widths: [usize; N], row: &[String; N]) -> String {
    let columns = sides.into_iter().zip(widths).zip(row);
    let cells: Vec<String> = columns.map(|((side, width), cell)| padded(cell, side, width)).collect();
    cells.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_fitting_unit() {
        let cases = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1_048_575, "1.0 MiB"),
            (5 << 30, "5.0 GiB"),
            (u64::MAX, "16384.0 PiB"),
        ];
        for (count, text) in cases {
            assert_eq!(bytes(count), text);
        }
    }

    #[test]
    fn rates_have_three_figures() {
        let second = Duration::from_secs(1);
        assert_eq!(rate(1000, second), "1000 Hz");
        assert_eq!(rate(100, Duration::from_secs(10)), "10.0 Hz");
        assert_eq!(rate(2, Duration::from_secs(3)), "0.67 Hz");
        assert_eq!((rate(1, second), rate(5, Duration::ZERO)), (String::from("-"), String::from("-")));
    }

    #[test]
    fn a_table_is_printed_whatever_its_cells_contain() {
        let row = |cell: &str| [cell.to_owned(), "1".to_owned()];
        let rows = [row("name"), row(&"x".repeat(66_000)), row("a\n\x1b[31m")];
        let lines = table([Side::Left, Side::Right], &rows);
        assert!(lines.iter().all(|line| line.chars().count() == CELL_WIDTH + 3), "{lines:?}");
        assert!(lines[1].contains('…') && lines[2].starts_with("a\\n\\u{1b}[31m "), "{lines:?}");
    }

    #[test]
    fn a_line_stays_a_line() {
        assert_eq!(one_line("a\nb\x1b[2J", 20), "a\\nb\\u{1b}[2J");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}

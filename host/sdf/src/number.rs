//! Numbers as text: the shortest that reads back as the same number.

/// Beyond these the decimal form is longer than it is readable.
const DECIMAL: std::ops::Range<f64> = 1e-5..1e16;

/// Such as `0.25`, `1` or `1e-9`.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || DECIMAL.contains(&value.abs()) || !value.is_finite() {
        // Removes the sign of a zero, which has no meaning here.
        format!("{}", value + 0.0)
    } else {
        format!("{value:e}")
    }
}

/// Numbers with blanks between them.
pub(crate) fn numbers(values: &[f64]) -> String {
    values.iter().copied().map(number).collect::<Vec<_>>().join(" ")
}

//! Durations as text: a decimal number directly followed by its unit, `500ms`. Rounded to the nanosecond, so that the
//! `0.8999999999999999s` of a script that adds tenths is `900ms`. Pure.
//!
//! The configuration and the triggers read durations with this module. Error codes and places belong to the caller.

use std::time::Duration;

use thiserror::Error;

/// Units and their nanoseconds.
const UNITS: [(&str, u128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DurationError {
    /// A minus sign.
    #[error("is negative; a duration must be positive")]
    Negative,
    /// No digits at the beginning.
    #[error("is not a duration")]
    NoNumber,
    /// A number alone.
    #[error("has no unit")]
    NoUnit,
    /// A unit that is not in [`units`].
    #[error("has the unknown unit `{0}`")]
    UnknownUnit(String),
    /// Two decimal points.
    #[error("has more than one decimal point")]
    Malformed,
    /// More than 18 digits before or after the decimal point.
    #[error("has too many digits")]
    TooManyDigits,
    /// Less than half a nanosecond.
    #[error("is shorter than half a nanosecond")]
    TooShort,
    /// Zero.
    #[error("is zero")]
    Zero,
    /// More than simulated time can hold.
    #[error("is longer than the 292 years that simulated time can hold")]
    TooLong,
}

/// Returns the names of the units.
pub fn units() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|(name, _)| *name)
}

/// Returns the duration that `text` names, rounded to the nanosecond; it is above zero and at most 292 years.
///
/// # Errors
/// Returns an error if the text is not a number with a unit, or the duration is out of range.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    if text.starts_with('-') {
        return Err(DurationError::Negative);
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return Err(DurationError::NoNumber);
    }
    if unit.is_empty() {
        return Err(DurationError::NoUnit);
    }
    let known = UNITS.iter().find(|(name, _)| *name == unit);
    let &(_, unit_ns) = known.ok_or_else(|| DurationError::UnknownUnit(unit.to_owned()))?;
    match nanoseconds(number, unit_ns)? {
        0 if number.contains(|c: char| matches!(c, '1'..='9')) => Err(DurationError::TooShort),
        0 => Err(DurationError::Zero),
        ns => {
            let in_range = i64::try_from(ns).ok().and_then(|ns| u64::try_from(ns).ok());
            in_range.map(Duration::from_nanos).ok_or(DurationError::TooLong)
        }
    }
}

/// Returns a decimal number of units in nanoseconds, rounded.
fn nanoseconds(number: &str, unit_ns: u128) -> Result<u128, DurationError> {
    /// Far beyond any accepted duration, and far below an overflow of `u128`.
    const MAX_DIGITS: usize = 18;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') {
        return Err(DurationError::Malformed);
    }
    if whole.len() > MAX_DIGITS || fraction.len() > MAX_DIGITS {
        return Err(DurationError::TooManyDigits);
    }
    let digits = |text: &str| if text.is_empty() { Ok(0) } else { text.parse::<u128>() };
    let (Ok(whole), Ok(part)) = (digits(whole), digits(fraction)) else {
        return Err(DurationError::NoNumber);
    };
    let scale = fraction.chars().fold(1, |scale: u128, _| scale * 10);
    Ok(whole * unit_ns + (part * unit_ns + scale / 2) / scale)
}

/// Returns the text that [`parse_duration`] reads back to the same duration, in the largest unit without a fraction.
#[must_use]
pub fn duration_text(time: Duration) -> String {
    let nanoseconds = time.as_nanos();
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];
    let fitting = units.into_iter().find(|(_, unit)| nanoseconds.is_multiple_of(*unit));
    let (unit, size) = fitting.unwrap_or(("ns", 1));
    format!("{}{unit}", nanoseconds / size)
}

//! Notation of times in triggers: seconds, or a number with a unit. Plain functions.

use crate::duration::parse_duration;

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;
/// Maximum value; simulated time cannot run longer.
const MAX_SECONDS: f64 = 9.2e9;

/// Converts seconds to nanoseconds, rounded. Returns `None` if it is not a valid time.
pub(super) fn from_number(seconds: f64) -> Option<i64> {
    let fits = seconds.is_finite() && (0.0..MAX_SECONDS).contains(&seconds);
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    fits.then(|| (seconds * SECOND).round() as i64)
}

/// Parses a text to nanoseconds: `2`, `0.5`, `500ms`.
pub(super) fn from_text(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return from_number(seconds);
    }
    let span = parse_duration(text).ok()?;
    i64::try_from(span.as_nanos()).ok()
}

/// Returns seconds, for JSON. The round trip is exact for the first hundred days.
pub(super) fn as_number(time_ns: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "the doc comment gives the exact range")]
    let nanoseconds = time_ns as f64;
    nanoseconds / SECOND
}

/// Formats a time for users and for the history: `2s`, `0.5s`.
#[must_use]
pub fn seconds_text(time_ns: i64) -> String {
    let (sign, time) = (if time_ns < 0 { "-" } else { "" }, time_ns.unsigned_abs());
    let (whole, rest) = (time / 1_000_000_000, time % 1_000_000_000);
    if rest == 0 {
        return format!("{sign}{whole}s");
    }
    format!("{sign}{whole}.{}s", format!("{rest:09}").trim_end_matches('0'))
}

//! Spans and moments of simulated time as triggers write them: seconds, or a number with a unit.

use crate::duration::parse_duration;

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;
/// Longer than simulated time can run.
const MOST_SECONDS: f64 = 9.2e9;

/// Nanoseconds of a number of seconds, to the nearest; `None` where it is no time.
pub(super) fn from_number(seconds: f64) -> Option<i64> {
    let fits = seconds.is_finite() && (0.0..MOST_SECONDS).contains(&seconds);
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    fits.then(|| (seconds * SECOND).round() as i64)
}

/// Nanoseconds of a text: `2`, `0.5`, `500ms`.
pub(super) fn from_text(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return from_number(seconds);
    }
    let span = parse_duration(text).ok()?;
    i64::try_from(span.as_nanos()).ok()
}

/// Seconds, for JSON; reads back to the same nanoseconds for the first hundred days.
pub(super) fn as_number(time_ns: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "said above")]
    let nanoseconds = time_ns as f64;
    nanoseconds / SECOND
}

/// A time for people and for the history: `2s`, `0.5s`.
#[must_use]
pub fn seconds_text(time_ns: i64) -> String {
    let (sign, time) = (if time_ns < 0 { "-" } else { "" }, time_ns.unsigned_abs());
    let (whole, rest) = (time / 1_000_000_000, time % 1_000_000_000);
    if rest == 0 {
        return format!("{sign}{whole}s");
    }
    format!("{sign}{whole}.{}s", format!("{rest:09}").trim_end_matches('0'))
}

//! Limits warnings of one kind: the first is logged at once, later ones at most once per interval with a count.

use std::time::{Duration, Instant};

/// Interval between two lines of one kind.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Limits the warnings of one kind.
#[derive(Debug, Default)]
pub struct LogLimiter {
    last: Option<Instant>,
    suppressed: u64,
}

impl LogLimiter {
    /// Returns the number of suppressed warnings since the last line if a line may be logged now.
    pub fn admit(&mut self, now: Instant) -> Option<u64> {
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < LOG_INTERVAL) {
            self.suppressed += 1;
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.suppressed))
    }
}

/// Returns the suffix of a line with suppressed warnings: `; 5 more since the last line about this service`, or
/// nothing.
pub fn more(suppressed: u64, what: &str) -> String {
    match suppressed {
        0 => String::new(),
        count => format!("; {count} more since the last line {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_logged_and_the_rest_are_counted() {
        let mut log_limiter = LogLimiter::default();
        let start = crate::wall_clock::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let reported = [0, 1, 9, 10, 11, 30].map(|seconds| log_limiter.admit(at(seconds)));
        assert_eq!(reported, [Some(0), None, None, Some(2), None, Some(1)]);
        assert_eq!(
            (more(0, ""), more(2, "about this service")),
            (String::new(), "; 2 more since the last line about this service".into())
        );
    }
}

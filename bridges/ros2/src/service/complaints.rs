//! Complaints about what clients send: the first at once, then a summary now and then, however many there are.

use std::time::{Duration, Instant};

/// Between two lines about one service.
const PAUSE: Duration = Duration::from_secs(10);

/// What is complained about at one service.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    last: Option<Instant>,
    kept_back: u64,
}

impl Complaints {
    /// Whether to write a line now, and how many were not written since the last.
    pub(crate) fn admit(&mut self, now: Instant) -> Option<u64> {
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < PAUSE) {
            self.kept_back += 1;
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.kept_back))
    }
}

/// `; 5 more like it since the last line`, or nothing.
pub(crate) fn more(kept_back: u64) -> String {
    match kept_back {
        0 => String::new(),
        count => format!("; {count} more since the last line about this service"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_told_and_the_rest_are_counted() {
        let mut complaints = Complaints::default();
        let start = crate::wall::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let told = [0, 1, 9, 10, 11, 30].map(|seconds| complaints.admit(at(seconds)));
        assert_eq!(told, [Some(0), None, None, Some(2), None, Some(1)]);
        assert_eq!(
            (more(0), more(2)),
            (String::new(), "; 2 more since the last line about this service".into())
        );
    }
}

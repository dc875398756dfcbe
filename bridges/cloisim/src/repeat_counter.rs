//! Limits log lines about repeated events: the first, the tenth, the hundredth and so on are logged.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts events that peers may repeat without end.
#[derive(Debug, Default)]
pub(crate) struct RepeatCounter(AtomicU64);

impl RepeatCounter {
    /// Counts an event. Returns the total if it is a power of ten and the event should be logged.
    pub(crate) fn record(&self) -> Option<u64> {
        let count = self.0.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let is_round = count.checked_ilog10().is_some_and(|digits| count == 10_u64.pow(digits));
        is_round.then_some(count)
    }

    /// Returns the total.
    #[cfg(test)]
    pub(crate) fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Returns the suffix of a log line that gives the total; empty for the first event.
pub(crate) fn times_so_far(count: u64) -> String {
    if count == 1 { String::new() } else { format!("; {count} times so far") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_logged() {
        let counter = RepeatCounter::default();
        let logged: Vec<u64> = (0..20_000).filter_map(|_| counter.record()).collect();
        assert_eq!(logged, [1, 10, 100, 1000, 10_000]);
        assert_eq!((times_so_far(1).as_str(), times_so_far(10).as_str()), ("", "; 10 times so far"));
    }
}

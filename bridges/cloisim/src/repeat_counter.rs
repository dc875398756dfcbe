//! What happens often is told seldom: the first time, the tenth, the hundredth and so on.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what peers may repeat without end.
#[derive(Debug, Default)]
pub(crate) struct RepeatCounter(AtomicU64);

impl RepeatCounter {
    /// One more; gives how many these are where that is worth a line.
    pub(crate) fn record(&self) -> Option<u64> {
        let count = self.0.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let is_round = count.checked_ilog10().is_some_and(|digits| count == 10_u64.pow(digits));
        is_round.then_some(count)
    }

    /// How many there were.
    #[cfg(test)]
    pub(crate) fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often, for the end of a sentence: nothing for the first time.
pub(crate) fn times_so_far(count: u64) -> String {
    if count == 1 { String::new() } else { format!("; {count} times so far") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_rare() {
        let counter = RepeatCounter::default();
        let told: Vec<u64> = (0..20_000).filter_map(|_| counter.record()).collect();
        assert_eq!(told, [1, 10, 100, 1000, 10_000]);
        assert_eq!((times_so_far(1).as_str(), times_so_far(10).as_str()), ("", "; 10 times so far"));
    }
}

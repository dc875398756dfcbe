//! What a radio has sent or received in the last second. Plain values.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// A message counts for this time, ns.
const DURATION_NS: i64 = 1_000_000_000;

/// Bits with the times of their messages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Window {
    /// One entry for each time, ns, in ascending order.
    parts: VecDeque<(i64, f64)>,
    total: f64,
}

impl Window {
    /// Returns the bits of the last second.
    pub(crate) fn total(&mut self, now_ns: i64) -> f64 {
        while let Some((time_ns, bits)) = self.parts.front().copied() {
            if time_ns > now_ns - DURATION_NS {
                break;
            }
            self.total -= bits;
            self.parts.pop_front();
        }
        self.total
    }

    /// Adds the bits of a message that is sent now.
    pub(crate) fn add(&mut self, now_ns: i64, bits: f64) {
        self.total += bits;
        match self.parts.back_mut() {
            Some((time_ns, sum)) if *time_ns == now_ns => *sum += bits,
            _ => self.parts.push_back((now_ns, bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = DURATION_NS;

    #[test]
    fn a_message_counts_for_a_second() {
        let mut window = Window::default();
        window.add(0, 8.0);
        window.add(SECOND / 2, 16.0);
        window.add(SECOND / 2, 32.0);
        assert_eq!([window.total(SECOND - 1), window.total(SECOND)], [56.0, 48.0]);
        assert_eq!([window.total(SECOND * 3 / 2 - 1), window.total(SECOND * 3 / 2)], [48.0, 0.0]);
    }
}

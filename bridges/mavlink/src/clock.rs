//! The time that the peer sees: it goes on over resets, because an autopilot sleeps until a time that it has reached before.

/// Simulated time without steps back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    /// What is added to simulated time, µs.
    base_us: u64,
    /// The last time, µs.
    last_us: u64,
}

impl Clock {
    /// Simulated time begins anew.
    pub(crate) fn restart(&mut self) {
        self.base_us = self.last_us;
    }

    /// Returns the time at a simulated time, µs.
    pub(crate) fn at(&mut self, time_ns: i64) -> u64 {
        let time_us = self.base_us + u64::try_from(time_ns / 1000).unwrap_or(0);
        self.last_us = self.last_us.max(time_us);
        time_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_over_resets() {
        let mut clock = Clock::default();
        assert_eq!([4_000_000, 8_000_000].map(|time| clock.at(time)), [4000, 8000]);
        clock.restart();
        assert_eq!([4_000_000, 8_000_000].map(|time| clock.at(time)), [12_000, 16_000]);
        clock.restart();
        clock.restart();
        assert_eq!(clock.at(1_999), 16_001);
    }
}

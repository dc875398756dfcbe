//! The time that an autopilot sees: it goes on over resets, because an autopilot sleeps until a time that it has reached
//! before. And the steps between two samples of it.

/// Simulated time without steps back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is added to simulated time, µs.
    base_us: u64,
    /// The last time, µs.
    last_us: u64,
}

impl Clock {
    /// Simulated time begins anew.
    pub fn restart(&mut self) {
        self.base_us = self.last_us;
    }

    /// Returns the time at a simulated time, µs.
    pub fn at(&mut self, time_ns: i64) -> u64 {
        let time_us = self.base_us + u64::try_from(time_ns / 1000).unwrap_or(0);
        self.last_us = self.last_us.max(time_us);
        time_us
    }
}

/// Returns the number of steps of a width in nanoseconds between two samples; `None` if it is no whole number.
#[must_use]
pub fn steps_of_sample(rate_hz: u32, width_ns: i64) -> Option<u64> {
    let width = u64::try_from(width_ns).ok().filter(|width| *width > 0)?;
    let period = 1_000_000_000_u64.checked_div(u64::from(rate_hz))?;
    let is_whole = u64::from(rate_hz) * period == 1_000_000_000 && period.is_multiple_of(width);
    is_whole.then(|| period / width)
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

    #[test]
    fn a_sample_is_a_whole_number_of_steps() {
        let steps =
            [(250, 1_000_000), (250, 4_000_000), (1000, 1_000_000), (250, 3_000_000), (250, 5_000_000)];
        let found = steps.map(|(rate, width)| steps_of_sample(rate, width));
        assert_eq!(found, [Some(4), Some(1), Some(1), None, None]);
        assert_eq!((steps_of_sample(300, 1_000_000), steps_of_sample(1000, 2_000_000)), (None, None));
        assert_eq!((steps_of_sample(0, 1), steps_of_sample(1, 0)), (None, None));
    }
}

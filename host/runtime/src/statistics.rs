//! Counts, means and percentiles of repeated measurements, in memory that is allocated once.
//!
//! Percentiles come from buckets of a sixteenth of a power of two, so their error is about 3 %. Plain values, usable
//! from any thread.

use std::time::Duration;

/// Buckets per power of two.
const PARTS: u32 = 16;
/// Numbers with up to this many bits have a bucket each.
const EXACT_BITS: u32 = PARTS.ilog2();
/// Total number of buckets.
const BUCKETS: usize = ((u64::BITS - EXACT_BITS + 1) * PARTS) as usize;

/// Statistics of the added numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Accumulator {
    count: u64,
    least: u64,
    most: u64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    spread: f64,
    buckets: Vec<u32>,
}

impl Default for Accumulator {
    fn default() -> Self {
        Accumulator { count: 0, least: u64::MAX, most: 0, mean: 0.0, spread: 0.0, buckets: vec![0; BUCKETS] }
    }
}

/// Returns the bucket of a number.
fn bucket(value: u64) -> usize {
    let bits = u64::BITS - value.leading_zeros();
    if bits <= EXACT_BITS {
        return usize::try_from(value).unwrap_or(0);
    }
    let shift = bits - EXACT_BITS - 1;
    let part = (value >> shift) & u64::from(PARTS - 1);
    usize::try_from(u64::from((shift + 1) * PARTS) + part).unwrap_or(BUCKETS - 1)
}

/// Returns the number in the middle of a bucket.
fn middle(bucket: usize) -> f64 {
    let bucket = u32::try_from(bucket).unwrap_or(u32::MAX);
    if bucket < PARTS {
        return f64::from(bucket);
    }
    let width = libm::exp2(f64::from(bucket / PARTS - 1));
    (f64::from(PARTS + bucket % PARTS) + 0.5) * width
}

#[expect(clippy::cast_precision_loss, reason = "15 significant digits are enough for statistics")]
fn real(value: u64) -> f64 {
    value as f64
}

impl Accumulator {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: u64) {
        self.count += 1;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
        let before = real(value) - self.mean;
        self.mean += before / real(self.count);
        self.spread += before * (real(value) - self.mean);
        if let Some(count) = self.buckets.get_mut(bucket(value)) {
            *count = count.saturating_add(1);
        }
    }

    /// Adds a time, in nanoseconds.
    #[inline]
    pub fn add_time(&mut self, time: Duration) {
        self.add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Adds the numbers of another accumulator, as if each was added separately.
    pub fn merge(&mut self, other: &Accumulator) {
        let all = self.count + other.count;
        if other.count == 0 {
            return;
        }
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        let apart = other.mean - self.mean;
        let share = real(other.count) / real(all);
        self.spread += other.spread + apart * apart * real(self.count) * share;
        self.mean += apart * share;
        self.count = all;
        for (count, more) in self.buckets.iter_mut().zip(&other.buckets) {
            *count = count.saturating_add(*more);
        }
    }

    /// Removes all numbers and keeps the memory.
    pub fn clear(&mut self) {
        let mut buckets = std::mem::take(&mut self.buckets);
        buckets.fill(0);
        *self = Accumulator { count: 0, least: u64::MAX, most: 0, mean: 0.0, spread: 0.0, buckets };
    }

    /// Returns the statistics; `unit` is the size of an added 1.
    #[must_use]
    pub fn figures(&self, unit: f64) -> Figures {
        if self.count == 0 {
            return Figures::default();
        }
        Figures {
            count: self.count,
            min: real(self.least) * unit,
            max: real(self.most) * unit,
            mean: self.mean * unit,
            std_deviation: (self.spread / real(self.count)).sqrt() * unit,
            p50: self.percentile(50) * unit,
            p99: self.percentile(99) * unit,
        }
    }

    /// Returns the statistics of durations, in seconds.
    #[must_use]
    pub fn seconds(&self) -> Figures {
        self.figures(1e-9)
    }

    fn percentile(&self, percent: u64) -> f64 {
        let rank = self.count.saturating_mul(percent).div_ceil(100).max(1);
        let mut seen = 0;
        let found = self.buckets.iter().position(|count| {
            seen += u64::from(*count);
            seen >= rank
        });
        found.map_or(0.0, middle).clamp(real(self.least), real(self.most))
    }
}

/// Statistics of numbers; all zero if there were none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Count.
    pub count: u64,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the population.
    pub std_deviation: f64,
    /// Median.
    pub p50: f64,
    /// 99th percentile.
    pub p99: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Accumulator {
        let mut all = Accumulator::default();
        values.into_iter().for_each(|value| all.add(value));
        all
    }

    #[test]
    fn statistics_match_their_definitions() {
        let figures = of([2, 4, 4, 4, 5, 5, 7, 9]).figures(10.0);
        let expected =
            Figures { count: 8, min: 20.0, max: 90.0, mean: 50.0, std_deviation: 20.0, p50: 40.0, p99: 90.0 };
        assert_eq!(figures, expected);
        assert_eq!(Accumulator::default().figures(1.0), Figures::default());
    }

    #[test]
    fn percentiles_are_right_to_a_few_per_cent_over_all_magnitudes() {
        for scale in [1, 1_000, 1_000_000, 1_000_000_000_000] {
            let figures = of((1..=10_000).map(|value| value * scale)).figures(1.0);
            for (found, exact) in [(figures.p50, real(5_000 * scale)), (figures.p99, real(9_900 * scale))] {
                assert!((found - exact).abs() <= 0.035 * exact, "{found} for {exact}");
            }
        }
    }

    #[test]
    fn merging_equals_adding_all_numbers() {
        let (first, second) = (2..40_u64, [7, 1, 100_000, 3]);
        let mut merged = of(first.clone());
        merged.merge(&of(second));
        let [merged, whole] = [merged, of(first.chain(second))].map(|all| all.figures(1.0));
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
        assert!(
            near(merged.mean, whole.mean) && near(merged.std_deviation, whole.std_deviation),
            "{merged:?}"
        );
        let exact = |all: Figures| (all.count, [all.min, all.max, all.p50, all.p99]);
        assert_eq!(exact(merged), exact(whole));
        let mut alone = of([5, 6]);
        alone.merge(&Accumulator::default());
        assert_eq!(alone, of([5, 6]));
        let mut none = Accumulator::default();
        none.merge(&of([5, 6]));
        assert_eq!(none.figures(1.0), of([5, 6]).figures(1.0));
    }

    #[test]
    fn every_number_has_a_bucket_that_rises_with_it() {
        let mut before = 0;
        for value in (0..64).map(|bit| 1_u64 << bit).flat_map(|power| [power - 1, power, power | power >> 1])
        {
            assert!(bucket(value) >= before && bucket(value) < BUCKETS, "{value}");
            before = bucket(value);
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
        for value in 0..16 {
            assert_eq!(middle(bucket(value)), real(value));
        }
    }

    #[test]
    fn a_cleared_accumulator_equals_a_new_one() {
        let mut all = of([1, 2, 3]);
        all.clear();
        assert_eq!(all, Accumulator::default());
    }
}

//! Pass rates with their uncertainty. Pure functions.

/// Returns the interval of Wilson (1927) for the rate of successes, at a two-sided confidence such as 0.95; without
/// observations it is `[0, 1]`.
#[must_use]
pub fn wilson(successes: u64, count: u64, confidence: f64) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    #[expect(clippy::cast_precision_loss, reason = "numbers of runs are far below 2^53")]
    let (n, rate) = (count as f64, successes as f64 / count as f64);
    let z = normal_quantile(0.5 + confidence / 2.0);
    let spread = z * z / n;
    let centre = (rate + spread / 2.0) / (1.0 + spread);
    let half = z * (rate * (1.0 - rate) / n + spread / (4.0 * n)).sqrt() / (1.0 + spread);
    // At the ends the formula gives 0 and 1 up to rounding.
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes >= count { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

/// Returns the fewest runs, all of which pass, whose lower bound reaches `rate`; `None` if no number does.
#[must_use]
pub fn fewest(rate: f64, confidence: f64) -> Option<u64> {
    if rate >= 1.0 {
        return None;
    }
    // With all passing, the lower bound is n / (n + z²).
    let z = normal_quantile(0.5 + confidence / 2.0);
    let guess = (z * z * rate / (1.0 - rate)).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let mut count = (guess as u64).max(1);
    while wilson(count, count, confidence).0 < rate {
        count = count.checked_add(1)?;
    }
    Some(count)
}

/// Returns the value below which a standard normal variable is with this probability.
fn normal_quantile(probability: f64) -> f64 {
    /// Beyond it, the distribution function is 0 or 1 in f64.
    const FAR: f64 = 9.0;
    let below = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    let (mut low, mut high) = (-FAR, FAR);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if below(middle) < probability { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// A histogram with bars of equal width.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The lower end of the first bar.
    pub low: f64,
    /// The upper end of the last bar.
    pub high: f64,
    /// The number of values in each bar.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// Counts finite values; `None` if there are none.
    #[must_use]
    pub fn of(values: &[f64], bars: usize) -> Option<Self> {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let low = finite().reduce(f64::min)?;
        let high = finite().reduce(f64::max)?;
        let bars = if low < high { bars.max(1) } else { 1 };
        let mut counts = vec![0; bars];
        for value in finite() {
            #[expect(clippy::cast_precision_loss, reason = "few bars")]
            let place = if low < high { (value - low) / (high - low) * bars as f64 } else { 0.0 };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 0 to the number of bars"
            )]
            let bar = (place as usize).min(bars - 1);
            if let Some(count) = counts.get_mut(bar) {
                *count += 1;
            }
        }
        Some(Histogram { low, high, counts })
    }
}

/// Returns the value at a fraction of the sorted values, the nearest one; 0 without values.
#[must_use]
pub fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "numbers of runs are far below 2^53")]
    let place = (sorted.len().saturating_sub(1)) as f64 * fraction.clamp(0.0, 1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index of the slice")]
    sorted.get(place.round() as usize).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, width: f64) {
        assert!((found - expected).abs() < width, "{found}, expected {expected}");
    }

    #[test]
    fn the_quantiles_of_the_normal_distribution_are_those_of_the_tables() {
        near(normal_quantile(0.975), 1.959_963_984_540_054, 1e-12);
        near(normal_quantile(0.995), 2.575_829_303_548_901, 1e-12);
        near(normal_quantile(0.5), 0.0, 1e-12);
    }

    /// The interval for 8 of 10 is in Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001).
    #[test]
    fn intervals_are_those_of_wilson() {
        for (successes, count, low, high) in [
            (500, 500, 0.9924, 1.0),
            (495, 500, 0.9768, 0.9957),
            (100, 100, 0.9630, 1.0),
            (0, 100, 0.0, 0.0370),
            (8, 10, 0.4902, 0.9433),
            (1, 1, 0.2065, 1.0),
        ] {
            let (found_low, found_high) = wilson(successes, count, 0.95);
            near(found_low, low, 1e-4);
            near(found_high, high, 1e-4);
        }
        assert_eq!(wilson(0, 0, 0.95), (0.0, 1.0));
    }

    #[test]
    fn the_fewest_runs_are_just_enough() {
        let count = fewest(0.99, 0.95).expect("a number");
        assert_eq!(count, 381);
        assert!(wilson(count, count, 0.95).0 >= 0.99 && wilson(count - 1, count - 1, 0.95).0 < 0.99);
        assert_eq!(fewest(1.0, 0.95), None);
        assert_eq!(fewest(0.0, 0.95), Some(1));
    }

    #[test]
    fn values_are_counted_in_bars() {
        let histogram = Histogram::of(&[0.0, 0.1, 0.9, 1.0, f64::NAN, f64::INFINITY], 2).expect("values");
        assert_eq!(histogram, Histogram { low: 0.0, high: 1.0, counts: vec![2, 2] });
        assert_eq!(Histogram::of(&[3.0, 3.0], 5).expect("values").counts, [2]);
        assert_eq!(Histogram::of(&[f64::NAN], 5), None);
        assert_eq!(quantile(&[1.0, 2.0, 3.0], 0.5), 2.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}

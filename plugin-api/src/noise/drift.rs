//! The slow wander of a sensor's bias: what `dynamic_bias_stddev` and `dynamic_bias_correlation_time` ask for.
//!
//! The bias is an Ornstein-Uhlenbeck process: white noise of density σ drives it, and it forgets with the correlation
//! time τ, so that its standard deviation grows from 0 to σ √(τ/2). It is computed at the points of a fixed grid in
//! simulated time and runs straight between them. What it is at a time follows from key and time alone, however many
//! samples were taken before.

use std::cell::Cell;

use crate::random::RandomKey;

const NANOS_PER_SECOND: f64 = 1e9;
/// Grid points in a correlation time, at least.
const POINTS: f64 = 64.0;
/// The widest grid, seconds.
const WIDEST: f64 = 0.1;
/// The narrowest grid, seconds: correlation times below 64 of them are coarsely sampled.
const NARROWEST: f64 = 1e-3;
/// Correlation times after which nothing is left of what was: `exp(-40)` is below the last bit.
const MEMORY: f64 = 40.0;

/// A bias that wanders.
#[derive(Clone, Debug)]
pub(super) struct Drift {
    key: RandomKey,
    /// Width of the grid, nanoseconds.
    grid_ns: i64,
    /// What is left of the bias after one grid width.
    kept: f64,
    /// Standard deviation of what is added in one grid width.
    added: f64,
    /// Grid widths that are remembered.
    memory: i64,
    /// A point of the grid that was computed, and the bias there and at the next one.
    known: Cell<Option<(i64, [f64; 2])>>,
}

impl Drift {
    /// White noise of density `stddev`, in units of the quantity per √s, and a correlation time in seconds; both above
    /// 0.
    pub(super) fn new(stddev: f64, correlation_time: f64, key: RandomKey) -> Self {
        let grid = (correlation_time / POINTS).clamp(NARROWEST, WIDEST);
        let width = grid / correlation_time;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "0.1 s at most; a float beyond i64 becomes its bound"
        )]
        let (grid_ns, memory) = ((grid * NANOS_PER_SECOND) as i64, (MEMORY / width).ceil() as i64);
        Drift {
            key,
            grid_ns,
            kept: libm::exp(-width),
            added: stddev * libm::sqrt(-0.5 * correlation_time * libm::expm1(-2.0 * width)),
            memory,
            known: Cell::new(None),
        }
    }

    /// The bias at a simulated time.
    #[allow(clippy::cast_precision_loss, reason = "less than 0.1 s in nanoseconds fits an f64 exactly")]
    pub(super) fn at(&self, time_ns: i64) -> f64 {
        let point = time_ns.max(0).div_euclid(self.grid_ns);
        let [here, next] = self.around(point);
        let share = time_ns.max(0).rem_euclid(self.grid_ns) as f64 / self.grid_ns as f64;
        here + share * (next - here)
    }

    /// The bias at a point of the grid and at the next one.
    fn around(&self, point: i64) -> [f64; 2] {
        let first = (point - self.memory).max(0);
        let (mut at, mut pair) = match self.known.get() {
            Some((at, pair)) if (first..=point).contains(&at) => (at, pair),
            _ => (first, [0.0, self.after(0.0, first)]),
        };
        while at < point {
            at += 1;
            pair = [pair[1], self.after(pair[1], at)];
        }
        self.known.set(Some((at, pair)));
        pair
    }

    /// The bias at the point after `point`, where it is `bias`.
    fn after(&self, bias: f64, point: i64) -> f64 {
        let mut random = self.key.sample(point.unsigned_abs());
        random.gaussian(bias * self.kept, self.added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn drift(seed: u64) -> Drift {
        Drift::new(0.2, 5.0, RandomKey::new(seed, "imu"))
    }

    #[test]
    fn the_bias_at_a_time_does_not_depend_on_what_was_asked_before() {
        let (often, once) = (drift(1), drift(1));
        let mut last = 0.0;
        for millis in (0..=20_000).step_by(10) {
            last = often.at(millis * 1_000_000);
        }
        assert_eq!(last.to_bits(), once.at(20 * SECOND).to_bits());
        // A reset of time.
        assert_eq!(often.at(3 * SECOND).to_bits(), drift(1).at(3 * SECOND).to_bits());
        assert_eq!(drift(1).at(0).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn a_long_sleep_leaves_the_same_bias_to_the_last_bits() {
        let slept = Drift::new(0.2, 0.01, RandomKey::new(3, "imu"));
        let awake = slept.clone();
        for millis in 0..3000 {
            awake.at(millis * 1_000_000);
        }
        assert!((slept.at(3 * SECOND) - awake.at(3 * SECOND)).abs() < 1e-15);
    }

    /// Over many runs: σ²τ/2 (1 - exp(-2t/τ)) after a time t, and exp(-Δt/τ) of it shared with a time Δt later.
    #[test]
    fn variance_and_correlation_are_those_of_the_process() {
        let pairs: Vec<[f64; 2]> =
            (0..4000).map(drift).map(|drift| [drift.at(20 * SECOND), drift.at(25 * SECOND)]).collect();
        let mean = |of: fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>() / 4000.0;
        let expected = 0.2 * 0.2 * 5.0 / 2.0 * (1.0 - f64::exp(-8.0));
        let (variance, shared) = (mean(|[first, _]| first * first), mean(|[first, later]| first * later));
        assert!((variance / expected - 1.0).abs() < 0.08, "variance {variance}, not {expected}");
        let kept = f64::exp(-1.0);
        assert!((shared / expected - kept).abs() < 0.08, "correlation {}, not {kept}", shared / expected);
        assert!(mean(|[first, _]| *first).abs() < 0.02);
    }

    #[test]
    fn it_is_continuous_and_wanders_little_in_a_short_time() {
        let drift = Drift::new(0.2, 3600.0, RandomKey::new(1, "imu"));
        for millis in 0..5000 {
            let moved = drift.at((millis + 1) * 1_000_000) - drift.at(millis * 1_000_000);
            // Five deviations of a grid width, over a hundred steps of it.
            assert!(moved.abs() < 5.0 * 0.2 * f64::sqrt(0.1) / 100.0, "{moved} at {millis} ms");
        }
    }
}

//! Rounds of a measurement: their median and their spread. Plain values.

use std::fmt;
use std::time::Duration;

/// Figures of several rounds, of one unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    /// The median; for an even number of rounds the lower of the two middle figures. NaN without rounds.
    pub(crate) fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
    }

    /// The value below which the true median is with a probability of at least 95 %, whatever the distribution of the
    /// rounds (sign test). The largest figure if there are too few.
    pub(crate) fn upper_bound(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        // Each figure is below the median with a probability of one half; `chance` is that of at most `rank` such figures.
        let mut term = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
        let (mut chance, mut rank) = (term, 0);
        while chance < 0.95 && rank < count {
            rank += 1;
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let [left, taken] = [count + 1 - rank, rank].map(|number| number as f64);
            term *= left / taken;
            chance += term;
        }
        sorted.get(rank).or(sorted.last()).copied().unwrap_or(f64::NAN)
    }

    /// The smallest figure.
    pub(crate) fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The largest figure.
    pub(crate) fn most(&self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Each figure divided by the figure of the same round of `reference`.
    pub(crate) fn ratio_to(&self, reference: &Rounds) -> Rounds {
        self.0.iter().zip(&reference.0).map(|(figure, reference)| figure / reference).collect()
    }

    /// Each figure less the figure of the same round of `other`.
    pub(crate) fn minus(&self, other: &Rounds) -> Rounds {
        self.0.iter().zip(&other.0).map(|(figure, other)| figure - other).collect()
    }

    /// The figures, each transformed by `change`.
    pub(crate) fn map(&self, change: impl Fn(f64) -> f64) -> Rounds {
        self.0.iter().copied().map(change).collect()
    }

    /// Adds the mean nanoseconds of one of the `count` equal pieces of work in a round.
    pub(crate) fn push_each(&mut self, all: Duration, count: u32) {
        self.0.push(all.as_secs_f64() * 1e9 / f64::from(count));
    }

    /// Adds the figure of a round.
    pub(crate) fn push(&mut self, figure: f64) {
        self.0.push(figure);
    }
}

impl FromIterator<f64> for Rounds {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        Rounds(figures.into_iter().collect())
    }
}

/// `1.234 (1.200 to 1.300)`, with the precision of the format.
impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        write!(f, "{:.digits$} ({:.digits$} to {:.digits$})", self.median(), self.least(), self.most())
    }
}

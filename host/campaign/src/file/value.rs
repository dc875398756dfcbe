//! Values in the tables of a campaign file.

use serde::{Deserialize, Serialize};

/// Consecutive seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedRange {
    /// The first seed.
    pub from: u64,
    /// Their number.
    pub count: u64,
}

impl SeedRange {
    /// Returns the seeds.
    pub fn seeds(self) -> impl Iterator<Item = u64> {
        (0..self.count).map(move |number| self.from.wrapping_add(number))
    }

    /// Returns true if the seed is one of them.
    #[must_use]
    pub fn contains(self, seed: u64) -> bool {
        seed.checked_sub(self.from).is_some_and(|number| number < self.count)
    }
}

/// The bridges of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BridgeSet {
    /// As `--bridge` takes them.
    pub bridges: Vec<String>,
    /// True if they exchange messages with programs outside of the run, so that results need not be equal.
    pub sampled: bool,
}

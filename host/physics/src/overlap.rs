//! Bodies that are placed in each other are pushed apart gently.
//!
//! rapier pushes bodies that overlap apart at 3 m/s. This keeps piles from sinking, and throws a model that begins 5 cm
//! deep in the ground. So a pair of collisions that overlaps when one of them is placed may overlap as deep as it does,
//! and less with each step: the solver sees only what exceeds that.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::id::{CollisionId, ModelId};

/// Two collisions, the lower id first.
pub(super) type Pair = [CollisionId; 2];

/// Overlaps of less are left to the solver, metres: bodies that were placed onto each other, and rounding.
const SLIGHT: f64 = 1e-4;

/// The pairs that may overlap.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Overlaps {
    /// Pairs with the allowed depth in metres, sorted.
    allowed: Vec<(Pair, f64)>,
    /// The models that were placed since the last step, sorted.
    placed: Vec<ModelId>,
}

/// The pairs of a substep, for the engine's hooks, which may run on several threads.
pub(super) struct OverlapsInStep<'a> {
    overlaps: &'a Overlaps,
    /// Depths of the pairs that may overlap, or could from now on.
    found: Mutex<Vec<(Pair, f64)>>,
}

impl Overlaps {
    /// Notes that a model was added or placed.
    pub(super) fn place(&mut self, model: ModelId) {
        if let Err(index) = self.placed.binary_search(&model) {
            self.placed.insert(index, model);
        }
    }

    /// The pairs of the next substep.
    pub(super) fn in_step(&self) -> OverlapsInStep<'_> {
        OverlapsInStep { overlaps: self, found: Mutex::default() }
    }

    /// Reduces the depths that are allowed by `way`, and to what was found in the substep.
    pub(super) fn reduce(&mut self, mut found: Vec<(Pair, f64)>, way: f64) {
        self.placed.clear();
        // A pair may touch in several surfaces; the deepest one is kept.
        found.sort_by(|(one, depth), (other, deeper)| one.cmp(other).then(deeper.total_cmp(depth)));
        found.dedup_by_key(|(pair, _)| *pair);
        for (_, depth) in &mut found {
            *depth -= way;
        }
        found.retain(|(_, depth)| *depth > 0.0);
        self.allowed = found;
    }

    fn of(&self, pair: Pair) -> Option<f64> {
        let place = self.allowed.binary_search_by_key(&pair, |(pair, _)| *pair).ok()?;
        self.allowed.get(place).map(|(_, depth)| *depth)
    }
}

impl OverlapsInStep<'_> {
    /// Returns true if no pair may overlap, as in nearly all steps.
    pub(super) fn is_idle(&self) -> bool {
        self.overlaps.allowed.is_empty() && self.overlaps.placed.is_empty()
    }

    /// Returns how deep a pair of two models may overlap that overlaps by `depth` now.
    pub(super) fn allow(&self, mut pair: Pair, models: [ModelId; 2], depth: f64) -> f64 {
        pair.sort_unstable();
        let is_placed = || models.iter().any(|model| self.overlaps.placed.binary_search(model).is_ok());
        let allowed = match self.overlaps.of(pair) {
            Some(allowed) => allowed.min(depth),
            None if depth > SLIGHT && is_placed() => depth,
            None => return 0.0,
        };
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push((pair, allowed));
        allowed.max(0.0)
    }

    /// The pairs that were asked for, in any order, with their depths.
    pub(super) fn into_found(self) -> Vec<(Pair, f64)> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

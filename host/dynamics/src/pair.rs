//! Pairs of colliders that are near each other, with the surfaces in which they touch and the impulses there.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::narrow::{Manifold, POINTS};

/// Overlaps of less are left to the solver, metres: bodies that were placed onto each other, and rounding.
const SLIGHT: f64 = 1e-4;

/// Two colliders that may touch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pair {
    /// A plane, or one that forces do not move, is the first.
    pub(crate) colliders: [usize; 2],
    /// The way of both bodies when the surfaces were found, and how far both may go until they are found again.
    pub(crate) stamp: f64,
    pub(crate) budget: f64,
    /// How deep the two may overlap, because they were placed in each other, metres.
    pub(crate) allowed: f64,
    /// True if one of them was placed since the last step.
    pub(crate) is_placed: bool,
    pub(crate) touches: Vec<Touch>,
}

/// A surface in which two colliders touch, and the impulses of the last step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Touch {
    pub(crate) manifold: Manifold,
    /// Along the normal, at each point, N s.
    pub(crate) normal: [f64; POINTS],
    /// Along both directions of friction and about the normal: at the middle of the surface, or at each point.
    pub(crate) friction: [[f64; 3]; POINTS],
    /// The sum of friction on the second body, world, N s.
    pub(crate) drag: DVec3,
}

impl Pair {
    pub(crate) fn new(colliders: [usize; 2]) -> Self {
        Self {
            colliders,
            stamp: 0.0,
            budget: f64::NEG_INFINITY,
            allowed: 0.0,
            is_placed: true,
            touches: Vec::new(),
        }
    }

    /// Has the surfaces found again in the next step.
    pub(crate) fn invalidate(&mut self) {
        self.budget = f64::NEG_INFINITY;
    }

    /// Takes the surfaces that were found; impulses stay with the points that are nearest.
    pub(crate) fn take(&mut self, found: &[Manifold]) {
        let old = std::mem::take(&mut self.touches);
        self.touches = found.iter().map(|manifold| continued(*manifold, &old)).collect();
    }

    /// Updates how deep the two may overlap, given the depth of the deepest point; `way` is how much less it is after
    /// each step. Returns the allowed depth.
    pub(crate) fn allow(&mut self, depth: f64, way: f64) -> f64 {
        if self.is_placed {
            self.allowed = if depth > SLIGHT { depth } else { 0.0 };
        } else {
            self.allowed = self.allowed.min(depth);
        }
        self.is_placed = false;
        let allowed = self.allowed.max(0.0);
        self.allowed = (allowed - way).max(0.0);
        allowed
    }
}

/// A new surface with the impulses of the old one that faces the same way.
fn continued(manifold: Manifold, old: &[Touch]) -> Touch {
    let mut touch = Touch { manifold, ..Touch::default() };
    let aligned = |other: &&Touch| other.manifold.normal.dot(manifold.normal) > 0.9;
    let Some(before) = old.iter().find(aligned) else { return touch };
    for (index, point) in manifold.points().iter().enumerate() {
        // A centimetre.
        let mut nearest = 1e-4;
        for (place, known) in before.manifold.points().iter().enumerate() {
            let distance = (known.second - point.second).length_squared();
            if distance < nearest {
                nearest = distance;
                touch.normal[index] = before.normal[place];
                touch.friction[index] = before.friction[place];
            }
        }
    }
    // Friction at the middle of the surface.
    touch.friction[0] = before.friction[0];
    touch
}

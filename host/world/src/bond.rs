//! Bonds: links of different models that are fixed to each other by command. Simulation thread only.

use bridgehead_physics::JointId;
use serde::{Deserialize, Serialize};

/// Two links fixed to each other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Bond {
    number: u64,
    /// Models of parent and child.
    models: [usize; 2],
    /// `None` until the next step, or if physics rejected it.
    joint: Option<JointId>,
}

/// The bonds of a world, in order of creation. Their numbers are never reused.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Bonds {
    bonds: Vec<Bond>,
    /// Number of the newest bond.
    last: u64,
}

impl Bonds {
    /// Adds a bond between two models, without a joint, and returns its number.
    pub(super) fn add(&mut self, models: [usize; 2]) -> u64 {
        self.last += 1;
        self.bonds.push(Bond { number: self.last, models, joint: None });
        self.last
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        self.bonds.iter().any(|bond| bond.number == number)
    }

    /// Sets the joint that holds a bond.
    pub(super) fn set_joint(&mut self, number: u64, joint: JointId) {
        if let Some(bond) = self.bonds.iter_mut().find(|bond| bond.number == number) {
            bond.joint = Some(joint);
        }
    }

    /// Removes a bond and returns its joint.
    pub(super) fn remove(&mut self, number: u64) -> Vec<JointId> {
        self.take(|bond| bond.number == number)
    }

    /// Removes the bonds of a model and returns their joints.
    pub(super) fn remove_of(&mut self, model: usize) -> Vec<JointId> {
        self.take(|bond| bond.models.contains(&model))
    }

    /// Removes all bonds and returns their joints.
    pub(super) fn remove_all(&mut self) -> Vec<JointId> {
        self.take(|_| true)
    }

    fn take(&mut self, ends: impl Fn(&Bond) -> bool) -> Vec<JointId> {
        let (ended, kept): (Vec<Bond>, Vec<Bond>) = self.bonds.drain(..).partition(ends);
        self.bonds = kept;
        ended.into_iter().filter_map(|bond| bond.joint).collect()
    }
}

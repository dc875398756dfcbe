//! Joints that follow others: gears and mimics.
//!
//! Joints begin at zero, where a mimic with an offset is not satisfied. A coupling would correct its error according to
//! the inertia of both sides, and throw leader and follower apart. Therefore its offset begins at zero and goes to the
//! wanted one at a bounded rate, while the follower and everything that follows it are displaced by the same amount. The
//! leader feels no force. Only positions change; no velocity is left at the end.

use bridgehead_dynamics::Coupling;
use serde::{Deserialize, Serialize};

use super::id::JointId;
use super::joint::rate;
use super::parts::{self, Coupled};
use super::world::Physics;

/// The leader of a joint and the relation to it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Follow {
    leader: JointId,
    multiplier: f64,
    offset: f64,
    /// The current offset; like joints it begins at zero.
    reached: f64,
    /// The coupling of the dynamics.
    coupling: usize,
    /// True if the follower may begin elsewhere: not for gears.
    is_mimic: bool,
}

impl Physics {
    /// Couples two joints of a model that is being added.
    pub(super) fn couple(&mut self, coupling: &parts::Coupling, leader: JointId, follower: JointId) {
        let axis = |id| self.joint(id).and_then(super::joint::Joint::axis);
        let (Some(leads), Some(follows)) = (axis(leader), axis(follower)) else { return };
        let parts::Coupling { multiplier, offset, why, .. } = *coupling;
        let ratio = multiplier;
        let index =
            self.world.add_coupling(Coupling { leader: leads, follower: follows, ratio, offset: 0.0 });
        let is_mimic = why == Coupled::Mimic;
        let follow = Follow { leader, multiplier, offset, reached: 0.0, coupling: index, is_mimic };
        if let Some(joint) = self.joints.get_mut(follower) {
            // The hinge of a gear may be the follower of a mimic as well.
            if is_mimic || joint.follows.is_none() {
                joint.follows = Some(follow);
            }
        }
    }

    /// Moves all followers that have not reached their offset by one substep.
    pub(super) fn approach_offsets(&mut self) {
        for place in 0..self.joints.len() {
            let Some((id, joint)) = self.joints.at_mut(place) else { continue };
            let most = rate(&joint.spec) * self.settings.step / f64::from(self.settings.substeps);
            let Some(follow) = joint.follows.as_mut().filter(|follow| follow.reached != follow.offset) else {
                continue;
            };
            let left = follow.offset - follow.reached;
            let next = if left.abs() <= most { follow.offset } else { follow.reached + most * left.signum() };
            let way = next - follow.reached;
            follow.reached = next;
            let (coupling, body) = (follow.coupling, joint.bodies[1]);
            self.world.set_coupling_offset(coupling, next);
            self.world.wake(body);
            self.displace(id, way);
        }
    }

    /// Displaces a follower, what follows it, and so on.
    fn displace(&mut self, follower: JointId, way: f64) {
        let mut seen = Vec::new();
        let mut moved = vec![(follower, way)];
        while let Some((id, way)) = moved.pop() {
            seen.push(id);
            if let Some(axis) = self.joint(id).and_then(super::joint::Joint::axis) {
                self.world.shift(axis, way);
            }
            for (other, joint) in self.joints.iter().filter(|(other, _)| !seen.contains(other)) {
                if let Some(follow) = joint.follows.filter(|follow| follow.leader == id) {
                    moved.push((other, way * follow.multiplier));
                }
            }
        }
    }

    /// Starts the approach again from zero; called when the joint is reset to zero.
    pub(super) fn restart_approach(&mut self, id: JointId) {
        let Some(follow) = self.joints.get_mut(id).and_then(|joint| joint.follows.as_mut()) else { return };
        if follow.is_mimic {
            follow.reached = 0.0;
            self.world.set_coupling_offset(follow.coupling, 0.0);
        }
    }
}

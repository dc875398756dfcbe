//! Moves followers to the offset of their mimic, if they do not begin there.
//!
//! Joints begin at zero, where a mimic with an offset is not satisfied. A coupling corrects its error within
//! one step and according to the inertia of both sides, which would throw leader and follower apart.
//! Therefore the offset of the coupling begins at zero and goes to the wanted one at a bounded rate, while
//! the follower and everything that follows it are displaced by the same amount. The leader feels no force.
//! Only positions change; no velocity is left at the end. Servos get the same offset as their target and move
//! by themselves.

use rapier3d_f64::dynamics::{Multibody, MultibodyDofCoupling, RigidBodyHandle};

use super::coupling::{Follow, Place};
use super::id::JointId;
use super::joint::Joint;
use super::spec::JointKind;
use super::world::Physics;

/// The greatest rate of revolute joints, rad/s, and of prismatic joints, m/s.
const TURNING: f64 = 1.0;
const SLIDING: f64 = 0.1;

/// One displacement of a follower.
struct Part {
    follow: Follow,
    /// The change of the offset, rad or m.
    way: f64,
    child: RigidBodyHandle,
}

impl Physics {
    /// Moves all followers that have not reached their offset by one substep.
    pub(super) fn approach_offsets(&mut self) {
        let time = self.settings.substep();
        for place in 0..self.joints.len() {
            let Some((id, joint)) = self.joints.at_mut(place) else { continue };
            let Some(part) = joint.approach(time).filter(|part| part.follow.in_multibody) else { continue };
            self.shift(id, &part);
        }
    }

    /// Starts again from zero; called when the joint is reset to zero.
    pub(super) fn restart_approach(&mut self, id: JointId) {
        let Some(follow) = self.joints.get_mut(id).and_then(|joint| joint.follows.as_mut()) else { return };
        follow.reached = 0.0;
        let follow = *follow;
        if follow.in_multibody {
            self.set_offset(id, &follow);
        }
    }

    fn shift(&mut self, follower: JointId, part: &Part) {
        let Some(place) = self.set_offset(follower, &part.follow) else { return };
        let Some(multibody) = self.rapier.multibody_joints.get_multibody_mut(place.multibody) else { return };
        let displacements = displacements(multibody, &place.coupling, part.way);
        multibody.apply_displacements(&displacements);
        multibody.forward_kinematics(&self.rapier.bodies, true);
        multibody.update_rigid_bodies(&mut self.rapier.bodies, true);
        self.rapier.wake_up(part.child, true);
    }

    /// Sets the offset of a follower's coupling to the one reached, and returns the place of the coupling.
    fn set_offset(&mut self, follower: JointId, follow: &Follow) -> Option<Place> {
        let place = self.place_in_multibody(follow.leader, follower)?;
        let multibody = self.rapier.multibody_joints.get_multibody_mut(place.multibody)?;
        // rapier's couplings are read-only, and their order decides what is solved first.
        let couplings = multibody.couplings().to_vec();
        multibody.clear_dof_couplings();
        for mut coupling in couplings {
            if joins_the_same(&coupling, &place.coupling) {
                coupling.offset = follow.reached;
            }
            multibody.add_dof_coupling(coupling);
        }
        Some(place)
    }
}

impl Joint {
    /// Advances the offset by one substep; returns `None` if it is reached or the joint follows none.
    fn approach(&mut self, time: f64) -> Option<Part> {
        let most = self.approach_rate() * time;
        let follow = self.follows.as_mut().filter(|follow| follow.reached != follow.offset)?;
        let left = follow.offset - follow.reached;
        let next = if left.abs() <= most { follow.offset } else { follow.reached + most * left.signum() };
        let way = next - follow.reached;
        follow.reached = next;
        Some(Part { follow: *follow, way, child: self.ends.child })
    }

    /// The rate, reduced to the joint's own velocity limit. A limit of zero is ignored, because the follower
    /// would never arrive.
    fn approach_rate(&self) -> f64 {
        let usual = if self.spec.kind == JointKind::Prismatic { SLIDING } else { TURNING };
        if self.spec.velocity > 0.0 { usual.min(self.spec.velocity) } else { usual }
    }
}

/// The displacement of each coordinate of a multibody if a follower moves: its own, that of its followers,
/// and so on.
fn displacements(multibody: &Multibody, from: &MultibodyDofCoupling, way: f64) -> Vec<f64> {
    let mut displacements = vec![0.0; multibody.ndofs()];
    let mut left = multibody.couplings().to_vec();
    let mut moved = vec![(from.link2, from.dof2, way)];
    while let Some((link, dof, way)) = moved.pop() {
        if let Some(link) = multibody.link(link) {
            displacements[link.assembly_id() + dof] += way;
        }
        // Each coupling counts once, so that a loop of gears ends.
        left.retain(|coupling| {
            let follows = (coupling.link1, coupling.dof1) == (link, dof);
            if follows {
                moved.push((coupling.link2, coupling.dof2, coupling.coeff * way));
            }
            !follows
        });
    }
    displacements
}

fn joins_the_same(one: &MultibodyDofCoupling, other: &MultibodyDofCoupling) -> bool {
    let coordinates =
        |coupling: &MultibodyDofCoupling| [coupling.link1, coupling.dof1, coupling.link2, coupling.dof2];
    coordinates(one) == coordinates(other)
}

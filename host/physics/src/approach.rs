//! How a follower gets to an offset at which it does not begin.
//!
//! Joints begin at zero, where a mimic with an offset does not hold. A coupling corrects what is wrong within one step
//! and by the inertia of both sides, which would throw leader and follower apart. So its offset begins at zero and
//! goes to the wanted one at a bounded rate, while the follower, with all that follows it, is moved by as much: the
//! leader feels nothing of it. The motion is one of positions, like that of a lift under somebody's feet that is put
//! higher and higher; no velocity is left when it ends. Servos are given the same offset as their aim, and move by
//! themselves.

use rapier3d_f64::dynamics::{Multibody, MultibodyDofCoupling, RigidBodyHandle};

use super::coupling::{Follow, Place};
use super::id::JointId;
use super::joint::Joint;
use super::spec::JointKind;
use super::world::Physics;

/// The greatest rate of hinges, rad/s, and of slides, m/s.
const TURNING: f64 = 1.0;
const SLIDING: f64 = 0.1;

/// A part of the way of a follower.
struct Part {
    follow: Follow,
    /// How far the offset goes, rad or m.
    way: f64,
    child: RigidBodyHandle,
}

impl Physics {
    /// Takes the followers that are on their way as far as the substep to come lets them.
    pub(super) fn approach_offsets(&mut self) {
        let time = self.settings.substep();
        for place in 0..self.joints.len() {
            let Some((id, joint)) = self.joints.at_mut(place) else { continue };
            let Some(part) = joint.approach(time).filter(|part| part.follow.in_multibody) else { continue };
            self.shift(id, &part);
        }
    }

    /// Begins anew: to be called where the joint is put back to zero.
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

    /// Gives the coupling of a follower the offset that it has reached, and says where it is.
    fn set_offset(&mut self, follower: JointId, follow: &Follow) -> Option<Place> {
        let place = self.place_in_multibody(follow.leader, follower)?;
        let multibody = self.rapier.multibody_joints.get_multibody_mut(place.multibody)?;
        // What rapier has of couplings can only be read, and their order decides what is solved first.
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
    /// Counts the next part of the way as gone; none where the joint has arrived or follows none.
    fn approach(&mut self, time: f64) -> Option<Part> {
        let most = self.approach_rate() * time;
        let follow = self.follows.as_mut().filter(|follow| follow.reached != follow.offset)?;
        let left = follow.offset - follow.reached;
        let next = if left.abs() <= most { follow.offset } else { follow.reached + most * left.signum() };
        let way = next - follow.reached;
        follow.reached = next;
        Some(Part { follow: *follow, way, child: self.ends.child })
    }

    /// What its own limit of velocity lets it do, if that is less. One of zero, with which a follower could never
    /// get anywhere, is none.
    fn approach_rate(&self) -> f64 {
        let usual = if self.spec.kind == JointKind::Prismatic { SLIDING } else { TURNING };
        if self.spec.velocity > 0.0 { usual.min(self.spec.velocity) } else { usual }
    }
}

/// What moves each coordinate of a multibody when a follower moves: itself, those that follow it, and so on.
fn displacements(multibody: &Multibody, from: &MultibodyDofCoupling, way: f64) -> Vec<f64> {
    let mut displacements = vec![0.0; multibody.ndofs()];
    let mut left = multibody.couplings().to_vec();
    let mut moved = vec![(from.link2, from.dof2, way)];
    while let Some((link, dof, way)) = moved.pop() {
        if let Some(link) = multibody.link(link) {
            displacements[link.assembly_id() + dof] += way;
        }
        // Each coupling counts once, so that gears in a circle end.
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

//! The wrench that a joint transmits, for force-torque sensors: Newton-Euler over all bodies on the child's
//! side.
//!
//! The change of momentum of those bodies over a step, less gravity, external forces and contacts, came
//! through the joint. This holds for impulse joints and multibodies alike, and is computed for watched joints
//! only. The velocity decay of a link, which no joint causes, is not subtracted.

use std::f64::consts::TAU;

use bridgehead_sdf::pose::DVec3;
use rapier3d_f64::dynamics::{JointAxis, RigidBody, RigidBodyHandle};

use serde::{Deserialize, Serialize};

use super::body::from_rapier;
use super::error::PhysicsError;
use super::filter::Tag;
use super::id::JointId;
use super::joint::{Attachment, Ends, Joint, axis_of};
use super::spec::JointKind;
use super::world::{Physics, Push};

/// A force and a torque, in the world, newtons and newton metres; or impulses, newton seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Wrench {
    force: DVec3,
    torque: DVec3,
}

impl Wrench {
    /// Adds a force that acts at `arm` from the reference point.
    fn add(&mut self, force: DVec3, arm: DVec3) {
        self.force += force;
        self.torque += arm.cross(force);
    }
}

/// A body on the child's side, with its motion before the step.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct ChildBody {
    body: RigidBodyHandle,
    velocity: DVec3,
    /// Angular momentum about the centre of mass, in the world. Not the angular velocity: the inertia of a
    /// body turns with it, which causes gyroscopic torque.
    spin: DVec3,
}

/// A joint whose wrench is computed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Watch {
    joint: JointId,
    /// The topology counter when `bodies` was computed; it is computed again when the counter changes.
    topology: Option<u64>,
    /// Empty if the child's side is also connected to the parent by other joints, so that the wrench is
    /// undetermined.
    bodies: Vec<ChildBody>,
    /// Impulses of contacts since the step began, about the world's origin.
    contacts: Wrench,
    /// The result of the last step.
    result: Option<Wrench>,
}

impl Physics {
    /// Computes the wrench of a joint from the next step on.
    ///
    /// # Errors
    /// Returns an error if the joint was removed.
    pub fn watch_joint(&mut self, id: JointId) -> Result<(), PhysicsError> {
        self.joint(id).ok_or(PhysicsError::NoSuchJoint(id))?;
        if !self.watches.iter().any(|watch| watch.joint == id) {
            let (bodies, contacts) = (Vec::new(), Wrench::default());
            self.watches.push(Watch { joint: id, topology: None, bodies, contacts, result: None });
        }
        Ok(())
    }

    /// Returns the mean wrench of a watched joint over the last step: force and torque of the parent on the
    /// child, in the world, the torque about the joint's origin. `None` before the first step, and if the
    /// bodies on the child's side are also connected to the parent by other joints.
    pub fn joint_wrench(&self, id: JointId) -> Option<(DVec3, DVec3)> {
        let watch = self.watches.iter().find(|watch| watch.joint == id)?;
        let is_turned = self.joint(id).is_some_and(|joint| joint.is_turned);
        let sign = if is_turned { -1.0 } else { 1.0 };
        watch.result.map(|wrench| (wrench.force * sign, wrench.torque * sign))
    }

    /// Returns the mean effort of a watched joint on its child along its axis over the last step, N m or N:
    /// the sum of motor, friction, damping, spring, limit, leader and followers. `None` if
    /// [`Physics::joint_wrench`] returns `None`, and for joints without a single axis.
    pub fn watched_effort(&self, id: JointId) -> Option<f64> {
        // Most joints are not watched; check that before computing anything.
        let Wrench { force, torque } = self.watches.iter().find(|watch| watch.joint == id)?.result?;
        let joint = self.joint(id)?;
        let axis = Joint::axis(&joint.read(&self.rapier.bodies)?);
        if let JointKind::Screw { pitch } = joint.spec.kind {
            // A screw transmits along its thread what it transmits about it.
            return Some(torque.dot(axis) + force.dot(axis) * pitch / TAU);
        }
        Some(if axis_of(joint.spec.kind)? == JointAxis::AngX { torque.dot(axis) } else { force.dot(axis) })
    }

    /// Records the motion of all bodies before a step.
    pub(super) fn begin_watching(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        watches.retain(|watch| self.joint(watch.joint).is_some());
        for watch in &mut watches {
            if watch.topology != Some(self.topology) {
                watch.topology = Some(self.topology);
                watch.bodies = self.bodies_on_child_side(watch.joint).unwrap_or_default();
            }
            watch.contacts = Wrench::default();
            for child in &mut watch.bodies {
                if let Some(body) = self.rapier.bodies.get(child.body) {
                    (child.velocity, child.spin) = (body.linvel(), spin(body));
                }
            }
        }
        self.watches = watches;
    }

    /// Adds the contacts of a substep.
    pub(super) fn watch_contacts(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        for watch in &mut watches {
            watch.contacts = self.contacts_from_outside(&watch.bodies, watch.contacts);
        }
        self.watches = watches;
    }

    /// Computes the results of a step.
    pub(super) fn end_watching(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        for watch in &mut watches {
            watch.result = self.balance(watch);
        }
        self.watches = watches;
    }

    /// The bodies on the child's side of a joint; `None` if they are also connected to the parent or to
    /// static bodies.
    fn bodies_on_child_side(&self, id: JointId) -> Option<Vec<ChildBody>> {
        let ends = self.joint(id).map(|joint| joint.ends).filter(|ends| self.is_dynamic(ends.child))?;
        let mut found = vec![ends.child];
        let mut next = 0;
        while let Some(&body) = found.get(next) {
            next += 1;
            for (other, joint) in self.joints.iter() {
                if joint.attachment == Attachment::Coupling || other == id {
                    continue;
                }
                let neighbour = match (joint.ends.parent == body, joint.ends.child == body) {
                    (true, _) => joint.ends.child,
                    (_, true) => joint.ends.parent,
                    (false, false) => continue,
                };
                if neighbour == ends.parent || !self.is_dynamic(neighbour) {
                    return None;
                }
                if !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
        }
        let (velocity, spin) = (DVec3::ZERO, DVec3::ZERO);
        Some(found.into_iter().map(|body| ChildBody { body, velocity, spin }).collect())
    }

    fn is_dynamic(&self, body: RigidBodyHandle) -> bool {
        self.rapier.bodies.get(body).is_some_and(RigidBody::is_dynamic)
    }

    /// Adds to `sum` the contact impulses of the last substep from bodies that are not on the child's side.
    fn contacts_from_outside(&self, bodies: &[ChildBody], mut sum: Wrench) -> Wrench {
        let substep = self.settings.substep();
        for own in bodies {
            let Some(body) = self.rapier.bodies.get(own.body) else { continue };
            for &collider in body.colliders() {
                let Some(id) = self.rapier.colliders.get(collider).map(|found| Tag::of(found).collision)
                else {
                    continue;
                };
                self.read_collider(collider, |contact| {
                    let is_first = contact.collisions[0] == id;
                    let other = contact.collisions[usize::from(is_first)];
                    let other = self.link_of(other).and_then(|link| Some(self.link(link)?.body));
                    if bodies.iter().any(|own| Some(own.body) == other) {
                        return;
                    }
                    let force = contact.force_on_first() * if is_first { substep } else { -substep };
                    sum.add(force, contact.point);
                });
            }
        }
        sum
    }

    fn balance(&self, watch: &Watch) -> Option<Wrench> {
        let joint = self.joint(watch.joint)?;
        let (Ends { parent, child }, frames) = (joint.ends, joint.frames);
        // In SDF the joint frame belongs to the child.
        let (holder, frame) =
            if joint.is_turned { (parent, frames.in_parent) } else { (child, frames.in_child) };
        let origin = (from_rapier(self.rapier.bodies.get(holder)?.position()) * frame).position;
        let seconds = self.settings.step;
        let mut sum = Wrench::default();
        for own in &watch.bodies {
            let body = self.rapier.bodies.get(own.body)?;
            let arm = body.center_of_mass() - origin;
            let weight = self.settings.gravity * (body.gravity_scale() * body.mass());
            sum.add((body.linvel() - own.velocity) * (body.mass() / seconds) - weight, arm);
            sum.torque += (spin(body) - own.spin) / seconds;
            for push in self.pushes.iter().filter(|push| push.body == own.body) {
                sum.subtract_push(push, body, origin);
            }
        }
        let contacts = watch.contacts;
        sum.force -= contacts.force / seconds;
        // The contacts' torque is about the world's origin.
        sum.torque -= (contacts.torque - origin.cross(contacts.force)) / seconds;
        (!watch.bodies.is_empty()).then_some(sum)
    }
}

impl Wrench {
    fn subtract_push(&mut self, push: &Push, body: &RigidBody, origin: DVec3) {
        let point = push.point.unwrap_or_else(|| body.center_of_mass());
        self.add(-push.force, point - origin);
        self.torque -= push.torque;
    }
}

/// Angular momentum about the centre of mass, in the world.
fn spin(body: &RigidBody) -> DVec3 {
    let local = &body.mass_properties().local_mprops;
    let axes = *body.rotation() * local.principal_inertia_local_frame;
    axes * (local.principal_inertia() * (axes.inverse() * body.angvel()))
}

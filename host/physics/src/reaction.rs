//! What a joint transmits, for force-torque sensors: by Newton and Euler over everything that hangs on its child.
//!
//! The change of momentum of those bodies over a step, less gravity, pushes and contacts from outside, is what came
//! through the joint. It holds for impulse joints and multibodies alike, and is computed for watched joints only.
//! The velocity decay of a link, which no joint causes, is not taken out.

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
    /// Adds a force that acts with `arm` from the point of reference.
    fn add(&mut self, force: DVec3, arm: DVec3) {
        self.force += force;
        self.torque += arm.cross(force);
    }
}

/// A body on the child's side, with its motion before the step.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Hanging {
    body: RigidBodyHandle,
    velocity: DVec3,
    /// Angular momentum about the centre of mass, in the world. Not the angular velocity: a body that turns carries
    /// its inertia around with it, which is where the torque of a gyroscope comes from.
    spin: DVec3,
}

/// A joint whose wrench is asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Watch {
    joint: JointId,
    /// The joints of the world when `hanging` was found; it is found again when they change.
    topology: Option<u64>,
    /// Empty where the child's side leads back to the parent, so that nobody can say what comes through the joint.
    hanging: Vec<Hanging>,
    /// Impulses of contacts since the step began, about the world's origin.
    contacts: Wrench,
    /// What the last step gave.
    result: Option<Wrench>,
}

impl Physics {
    /// From the next step on, computes what a joint transmits.
    ///
    /// # Errors
    /// When the joint was removed.
    pub fn watch_joint(&mut self, id: JointId) -> Result<(), PhysicsError> {
        self.joint(id).ok_or(PhysicsError::NoSuchJoint(id))?;
        if !self.watches.iter().any(|watch| watch.joint == id) {
            let (hanging, contacts) = (Vec::new(), Wrench::default());
            self.watches.push(Watch { joint: id, topology: None, hanging, contacts, result: None });
        }
        Ok(())
    }

    /// What a watched joint transmitted, mean over the last step: force and torque of the parent on the child, in
    /// the world, the torque about the joint's origin. None before the first step, and where the bodies of the
    /// child's side lead back to the parent by other joints.
    pub fn joint_wrench(&self, id: JointId) -> Option<(DVec3, DVec3)> {
        let watch = self.watches.iter().find(|watch| watch.joint == id)?;
        let is_turned = self.joint(id).is_some_and(|joint| joint.is_turned);
        let sign = if is_turned { -1.0 } else { 1.0 };
        watch.result.map(|wrench| (wrench.force * sign, wrench.torque * sign))
    }

    /// What a watched joint exerted on its child along its axis, N m or N, mean over the last step: motor, friction,
    /// damping, spring, limit and what a leader or follower puts on it together. None where [`Physics::joint_wrench`] has none, and without a single axis.
    pub fn joint_effort(&self, id: JointId) -> Option<f64> {
        // Most joints are not watched, which is known before anything is computed.
        let Wrench { force, torque } = self.watches.iter().find(|watch| watch.joint == id)?.result?;
        let joint = self.joint(id)?;
        let axis = Joint::axis(&joint.read(&self.rapier.bodies)?);
        if let JointKind::Screw { pitch } = joint.spec.kind {
            // What is done along the thread is done about it.
            return Some(torque.dot(axis) + force.dot(axis) * pitch / TAU);
        }
        Some(if axis_of(joint.spec.kind)? == JointAxis::AngX { torque.dot(axis) } else { force.dot(axis) })
    }

    /// Notes how everything moves before a step.
    pub(super) fn begin_watching(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        watches.retain(|watch| self.joint(watch.joint).is_some());
        for watch in &mut watches {
            if watch.topology != Some(self.topology) {
                watch.topology = Some(self.topology);
                watch.hanging = self.hanging_on(watch.joint).unwrap_or_default();
            }
            watch.contacts = Wrench::default();
            for hanging in &mut watch.hanging {
                if let Some(body) = self.rapier.bodies.get(hanging.body) {
                    (hanging.velocity, hanging.spin) = (body.linvel(), spin(body));
                }
            }
        }
        self.watches = watches;
    }

    /// Adds the contacts of a substep.
    pub(super) fn watch_contacts(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        for watch in &mut watches {
            watch.contacts = self.contacts_from_outside(&watch.hanging, watch.contacts);
        }
        self.watches = watches;
    }

    /// Closes the balance of a step.
    pub(super) fn end_watching(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        for watch in &mut watches {
            watch.result = self.balance(watch);
        }
        self.watches = watches;
    }

    /// The bodies on the child's side of a joint; none where they lead back to the parent or to what never moves.
    fn hanging_on(&self, id: JointId) -> Option<Vec<Hanging>> {
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
        Some(found.into_iter().map(|body| Hanging { body, velocity, spin }).collect())
    }

    fn is_dynamic(&self, body: RigidBodyHandle) -> bool {
        self.rapier.bodies.get(body).is_some_and(RigidBody::is_dynamic)
    }

    /// `sum` with the contact impulses of the last substep that come from bodies which do not hang on the joint.
    fn contacts_from_outside(&self, hanging: &[Hanging], mut sum: Wrench) -> Wrench {
        let substep = self.settings.substep();
        for own in hanging {
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
                    if hanging.iter().any(|own| Some(own.body) == other) {
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
        // The joint frame of SDF hangs on its child.
        let (holder, frame) =
            if joint.is_turned { (parent, frames.in_parent) } else { (child, frames.in_child) };
        let origin = (from_rapier(self.rapier.bodies.get(holder)?.position()) * frame).position;
        let seconds = self.settings.step;
        let mut sum = Wrench::default();
        for own in &watch.hanging {
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
        (!watch.hanging.is_empty()).then_some(sum)
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

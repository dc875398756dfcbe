//! The wrench that a joint transmits, for force-torque sensors: Newton-Euler over all links on the child's
//! side.
//!
//! The change of momentum of those links over a step, less gravity, external forces and contacts, came
//! through the joint. This holds for every kind of joint, also for fixed ones, and is computed for watched joints
//! only. The velocity decay of a link, which no joint causes, is not subtracted.

use std::f64::consts::TAU;

use bridgehead_pose::DVec3;
use serde::{Deserialize, Serialize};

use super::error::PhysicsError;
use super::id::{JointId, LinkId};
use super::joint::Holder;
use super::link::velocity_at;
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

/// A link on the child's side, with the motion of its centre of mass before the step.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct ChildLink {
    link: LinkId,
    velocity: DVec3,
    /// Angular momentum about the centre of mass, in the world. Not the angular velocity: the inertia of a
    /// body turns with it, which causes gyroscopic torque.
    spin: DVec3,
}

/// A joint whose wrench is computed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Watch {
    joint: JointId,
    /// The topology counter when `links` was computed; it is computed again when the counter changes.
    topology: Option<u64>,
    /// Empty if the child's side is also connected to the parent by other joints, so that the wrench is
    /// undetermined.
    links: Vec<ChildLink>,
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
            let (links, contacts) = (Vec::new(), Wrench::default());
            self.watches.push(Watch { joint: id, topology: None, links, contacts, result: None });
        }
        Ok(())
    }

    /// Returns the mean wrench of a watched joint over the last step: force and torque of the parent on the
    /// child, in the world, the torque about the joint's origin. `None` before the first step, and if the
    /// bodies on the child's side are also connected to the parent by other joints.
    pub fn joint_wrench(&self, id: JointId) -> Option<(DVec3, DVec3)> {
        let watch = self.watches.iter().find(|watch| watch.joint == id)?;
        watch.result.map(|wrench| (wrench.force, wrench.torque))
    }

    /// Returns the mean effort of a watched joint on its child along its axis over the last step, N m or N:
    /// the sum of motor, friction, damping, spring, limit, leader and followers. `None` if
    /// [`Physics::joint_wrench`] returns `None`, and for joints without a single axis.
    pub fn watched_effort(&self, id: JointId) -> Option<f64> {
        // Most joints are not watched; check that before computing anything.
        let Wrench { force, torque } = self.watches.iter().find(|watch| watch.joint == id)?.result?;
        let joint = self.joint(id)?;
        let axis = joint.direction(&self.world);
        if let JointKind::Screw { pitch } = joint.spec.kind {
            // A screw transmits along its thread what it transmits about it.
            return Some(torque.dot(axis) + force.dot(axis) * pitch / TAU);
        }
        match joint.spec.kind {
            JointKind::Prismatic => Some(force.dot(axis)),
            kind => kind.has_position().then(|| torque.dot(axis)),
        }
    }

    /// Records the motion of all links before a step.
    pub(super) fn begin_watching(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        watches.retain(|watch| self.joint(watch.joint).is_some());
        for watch in &mut watches {
            if watch.topology != Some(self.topology) {
                watch.topology = Some(self.topology);
                watch.links = self.links_on_child_side(watch.joint).unwrap_or_default();
            }
            watch.contacts = Wrench::default();
            for child in &mut watch.links {
                (child.velocity, child.spin) = self.momentum(child.link);
            }
        }
        self.watches = watches;
    }

    /// The velocity of the centre of mass of a link, and its angular momentum about it.
    fn momentum(&self, id: LinkId) -> (DVec3, DVec3) {
        let Some(link) = self.link(id) else { return Default::default() };
        let [velocity, _] = velocity_at(&self.world, link.body, link.center_in_body());
        (velocity, link.spin(&self.world))
    }

    /// Adds the contacts of a substep.
    pub(super) fn watch_contacts(&mut self) {
        let mut watches = std::mem::take(&mut self.watches);
        for watch in &mut watches {
            watch.contacts = self.contacts_from_outside(&watch.links, watch.contacts);
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

    /// The links on the child's side of a joint; `None` if they are also connected to the parent or to
    /// static bodies.
    fn links_on_child_side(&self, id: JointId) -> Option<Vec<ChildLink>> {
        let watched = self.joint(id)?;
        let [parent, child] = watched.links;
        let mut found = vec![child.filter(|&child| self.is_carried(child))?];
        let mut next = 0;
        while let Some(&link) = found.get(next) {
            next += 1;
            for (other, joint) in self.joints.iter() {
                let is_self = other == id || watched.twin == Some(other);
                if joint.holder == Holder::Coupling || is_self || !joint.links.contains(&Some(link)) {
                    continue;
                }
                let is_parent = joint.links[0] == Some(link);
                let neighbour = joint.links[usize::from(is_parent)];
                let neighbour = neighbour.filter(|&one| Some(one) != parent && self.is_carried(one))?;
                if !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
        }
        let (velocity, spin) = (DVec3::ZERO, DVec3::ZERO);
        Some(found.into_iter().map(|link| ChildLink { link, velocity, spin }).collect())
    }

    /// True if a joint may hold a link. Links that are fixed to the world through it do not move, but have their weight.
    fn is_carried(&self, link: LinkId) -> bool {
        self.link(link).is_some_and(|link| link.is_carried)
    }

    /// Adds to `sum` the contact impulses of the last substep from links that are not on the child's side.
    fn contacts_from_outside(&self, links: &[ChildLink], mut sum: Wrench) -> Wrench {
        let substep = self.settings.substep();
        for own in links {
            for &id in self.link(own.link).into_iter().flat_map(|link| &link.collisions) {
                self.read_collision(id, |contact| {
                    let is_first = contact.collisions[0] == id;
                    let other = self.link_of(contact.collisions[usize::from(is_first)]);
                    if links.iter().any(|own| Some(own.link) == other) {
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
        let origin = self.joint(watch.joint).map(|joint| joint.origin(&self.world))?;
        let seconds = self.settings.step;
        let mut sum = Wrench::default();
        for own in &watch.links {
            let link = self.link(own.link)?;
            let center = self.world.pose(link.body).transform_point(link.center_in_body());
            let (velocity, spin) = self.momentum(own.link);
            let (mass, arm) = (link.inertial.mass, center - origin);
            let weight = self.settings.gravity * if link.gravity { mass } else { 0.0 };
            sum.add((velocity - own.velocity) * (mass / seconds) - weight, arm);
            sum.torque += (spin - own.spin) / seconds;
            for push in self.pushes.iter().filter(|push| push.link == own.link) {
                sum.subtract_push(push, center, origin);
            }
        }
        let contacts = watch.contacts;
        sum.force -= contacts.force / seconds;
        // The contacts' torque is about the world's origin.
        sum.torque -= (contacts.torque - origin.cross(contacts.force)) / seconds;
        (!watch.links.is_empty()).then_some(sum)
    }
}

impl Wrench {
    fn subtract_push(&mut self, push: &Push, center: DVec3, origin: DVec3) {
        let point = push.point.unwrap_or(center);
        self.add(-push.force, point - origin);
        self.torque -= push.torque;
    }
}

//! Friction that depends on the direction, gives way to a force, or resists turning on the spot.
//!
//! rapier knows one coefficient for all directions of a contact. A collision with another kind of friction has none for
//! rapier. Instead, each of its contact points is a joint between the two bodies for the next substep. The joint has
//! motors along both directions and about the normal, which hold the bodies with at most the force of friction. Normal
//! forces are those of the last substep.

use bridgehead_sdf::pose::{DMat3, DQuat, DVec3, Pose};
use rapier3d_f64::dynamics::{
    GenericJoint, GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointMotor, MotorModel,
    RigidBodyHandle,
};
use serde::{Deserialize, Serialize};

use super::body::{from_rapier, to_rapier};
use super::contact::Contact;
use super::id::CollisionId;
use super::motor::LEAST_GAIN;
use super::spec::{DirectionalFriction, ModelSpec, Patch, Torsion};
use super::surface_motion::SurfaceMotion;
use super::world::{AddedModel, Physics};

/// The damping of a motor that does not slip, N s/m: a force of 1e6 N makes it slip by 1 µm/s.
const RIGID: f64 = 1e12;

/// The axes of a joint along the directions of friction and about the normal, as rapier numbers them.
const AXES: [usize; 3] = [0, 1, 5];

/// The collisions with such friction, and the joints of the next substep.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Directional {
    /// Sorted by collision.
    surfaces: Vec<DirectionalSurface>,
    /// The first directions of collisions that are not among them, in frames of bodies; sorted by collision.
    firsts: Vec<(CollisionId, RigidBodyHandle, DVec3)>,
    joints: Vec<FrictionJoint>,
    /// The friction of the last substep on the first of two collisions, in the world, newtons; sorted by the pair.
    forces: Vec<([CollisionId; 2], DVec3)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct DirectionalSurface {
    pub(super) collision: CollisionId,
    /// The first direction, in the frame of a body.
    pub(super) first: Option<(RigidBodyHandle, DVec3)>,
    pub(super) coefficients: [f64; 2],
    pub(super) slips: [f64; 2],
    pub(super) torsion: Option<Torsion>,
    /// Set if the surface runs.
    pub(super) motion: Option<SurfaceMotion>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct FrictionJoint {
    handle: ImpulseJointHandle,
    bodies: [RigidBodyHandle; 2],
    /// The collisions of these bodies.
    collisions: [CollisionId; 2],
    rotation: DQuat,
}

/// The friction at one contact point.
#[derive(Debug, Clone, Copy)]
struct Friction {
    bodies: [RigidBodyHandle; 2],
    collisions: [CollisionId; 2],
    /// At the contact point; x and y are the directions of friction, z is the normal.
    frame: Pose,
    /// The greatest forces along x and y, newtons, and the greatest torque about z, newton metres.
    most: [f64; 3],
    /// What resists a velocity along x and y, N s/m, and about z, N m s.
    damping: [f64; 3],
    /// The velocity of the second body along x that friction works towards, m/s.
    speed: f64,
}

impl Directional {
    fn surface(&self, collision: CollisionId) -> Option<&DirectionalSurface> {
        self.surfaces.get(self.place(collision).ok()?)
    }

    pub(super) fn surface_mut(&mut self, collision: CollisionId) -> Option<&mut DirectionalSurface> {
        let index = self.place(collision).ok()?;
        self.surfaces.get_mut(index)
    }

    /// Adds the surface of a collision that has none.
    pub(super) fn insert(&mut self, surface: DirectionalSurface) {
        if let Err(index) = self.place(surface.collision) {
            self.surfaces.insert(index, surface);
        }
    }

    fn place(&self, collision: CollisionId) -> Result<usize, usize> {
        self.surfaces.binary_search_by_key(&collision, |surface| surface.collision)
    }

    /// Returns the friction of the last substep on the first of two collisions, the one with the smaller id.
    pub(super) fn force_on_first(&self, collisions: [CollisionId; 2]) -> Option<DVec3> {
        let index = self.forces.binary_search_by_key(&collisions, |(pair, _)| *pair).ok()?;
        self.forces.get(index).map(|(_, force)| *force)
    }

    /// Removes the collisions of a model.
    pub(super) fn forget(&mut self, collisions: &[CollisionId]) {
        self.surfaces.retain(|surface| !collisions.contains(&surface.collision));
        self.firsts.retain(|(collision, ..)| !collisions.contains(collision));
    }

    /// The first direction that a collision without a surface has.
    pub(super) fn first_of(&self, collision: CollisionId) -> Option<(RigidBodyHandle, DVec3)> {
        let index = self.firsts.binary_search_by_key(&collision, |(collision, ..)| *collision).ok()?;
        self.firsts.get(index).map(|(_, body, direction)| (*body, *direction))
    }
}

impl Physics {
    /// Records the friction of a model's collisions, whose ids are greater than those of all others.
    pub(super) fn add_directional(&mut self, spec: &ModelSpec, added: &AddedModel) {
        for (link, ids) in spec.links.iter().zip(&added.collisions) {
            for (collision, id) in link.collisions.iter().zip(ids) {
                let in_body = |(link, direction): (usize, DVec3)| {
                    Some((self.link(*added.links.get(link)?)?.body, direction))
                };
                let Some(directional) = collision.surface.directional else {
                    let first = collision.surface.first.and_then(in_body);
                    self.directional.firsts.extend(first.map(|(body, direction)| (*id, body, direction)));
                    continue;
                };
                let first = directional.first.and_then(in_body);
                let DirectionalFriction { coefficients, slips, torsion, .. } = directional;
                let surface =
                    DirectionalSurface { collision: *id, first, coefficients, slips, torsion, motion: None };
                self.directional.surfaces.push(surface);
            }
        }
    }

    /// Sets the joints for the friction of the next substep.
    pub(super) fn update_directional_friction(&mut self) {
        if self.directional.surfaces.is_empty() {
            return;
        }
        self.directional.forces = self.directional_forces();
        let frictions = self.directional_frictions();
        let mut joints = std::mem::take(&mut self.directional.joints);
        let surplus = joints.split_off(frictions.len().min(joints.len()));
        surplus.iter().for_each(|joint| self.remove_friction_joint(joint));
        for (index, friction) in frictions.iter().enumerate() {
            let Some(joint) = joints.get_mut(index) else {
                joints.push(self.insert_friction_joint(friction));
                continue;
            };
            if !self.reuse(joint, friction) {
                self.remove_friction_joint(joint);
                *joint = self.insert_friction_joint(friction);
            }
        }
        self.directional.joints = joints;
    }

    /// Returns the friction of the last substep for each pair, from the impulses of its joints.
    fn directional_forces(&self) -> Vec<([CollisionId; 2], DVec3)> {
        let mut forces: Vec<([CollisionId; 2], DVec3)> = Vec::with_capacity(self.directional.joints.len());
        for joint in &self.directional.joints {
            let Some(solved) = self.rapier.impulse_joints.get(joint.handle) else { continue };
            let [x, y] = [0, 1].map(|axis: usize| solved.data.motors[axis].impulse);
            let impulse = DVec3::new(x, y, 0.0);
            let force = joint.rotation * impulse / self.iteration(joint.bodies);
            let [first, second] = joint.collisions;
            forces.push(if first < second { ([first, second], force) } else { ([second, first], -force) });
        }
        forces.sort_by_key(|(pair, _)| *pair);
        forces.dedup_by(|(pair, force), (kept, sum)| {
            let is_same = pair == kept;
            *sum += if is_same { *force } else { DVec3::ZERO };
            is_same
        });
        forces
    }

    fn reuse(&mut self, joint: &mut FrictionJoint, friction: &Friction) -> bool {
        if joint.bodies != friction.bodies {
            return false;
        }
        let Some(data) = self.joint_of(friction) else { return false };
        let Some(existing) = self.rapier.impulse_joints.get_mut(joint.handle, false) else { return false };
        existing.data = data;
        (joint.collisions, joint.rotation) = (friction.collisions, friction.frame.rotation);
        true
    }

    fn remove_friction_joint(&mut self, joint: &FrictionJoint) {
        self.rapier.impulse_joints.remove(joint.handle, false);
    }

    fn insert_friction_joint(&mut self, friction: &Friction) -> FrictionJoint {
        let data = self.joint_of(friction).unwrap_or_default();
        let &Friction { bodies, collisions, .. } = friction;
        let handle = self.rapier.impulse_joints.insert(bodies[0], bodies[1], data, false);
        FrictionJoint { handle, bodies, collisions, rotation: friction.frame.rotation }
    }

    /// Returns the joint; `None` if a body was removed.
    fn joint_of(&self, friction: &Friction) -> Option<GenericJoint> {
        let local = |body| -> Option<_> {
            let pose = from_rapier(self.rapier.bodies.get(body)?.position());
            Some(to_rapier(&friction.frame.relative_to(&pose)))
        };
        let [first, second] = friction.bodies;
        let mut joint = GenericJointBuilder::new(JointAxesMask::empty())
            .local_frame1(local(first)?)
            .local_frame2(local(second)?)
            .contacts_enabled(true)
            .build();
        for (axis, (most, damping)) in AXES.into_iter().zip(friction.most.into_iter().zip(friction.damping)) {
            if most > 0.0 && damping > LEAST_GAIN {
                let max_force = most.min(f64::MAX);
                let target_vel = if axis == AXES[0] { friction.speed } else { 0.0 };
                let motor = JointMotor { damping, max_force, target_vel, ..JointMotor::default() };
                joint.motors[axis] = JointMotor { model: MotorModel::ForceBased, ..motor };
                joint.motor_axes.insert(JointAxesMask::from_bits_truncate(1 << axis));
            }
        }
        Some(joint)
    }

    /// Returns the friction of all contact points of such collisions, in an order that depends only on the history of
    /// the world.
    fn directional_frictions(&self) -> Vec<Friction> {
        let mut contacts: Vec<Contact> = Vec::new();
        for surface in &self.directional.surfaces {
            let Some(collider) = self.collider(surface.collision) else { continue };
            self.read_collider(collider, |contact| {
                // A pair of two such collisions is met twice.
                let first = self.directional.surface(contact.collisions[0]).map(|first| first.collision);
                if contact.force > 0.0 && first.is_none_or(|first| first == surface.collision) {
                    contacts.push(contact);
                }
            });
        }
        contacts.sort_by(Contact::order);
        let pairs = contacts.chunk_by(|one, next| one.collisions == next.collisions);
        pairs.filter_map(|pair| self.frictions_of(pair)).flatten().collect()
    }

    /// Returns the friction of all contact points of a pair.
    fn frictions_of(&self, contacts: &[Contact]) -> Option<Vec<Friction>> {
        let [first, second] = contacts.first()?.collisions;
        let runs = |surface: &DirectionalSurface| surface.motion.is_some();
        let (surface, other) = match (self.directional.surface(first), self.directional.surface(second)) {
            (Some(one), Some(two)) if runs(two) && !runs(one) => (two, first),
            (Some(one), _) => (one, second),
            (None, two) => (two?, first),
        };
        let (coefficients, slips, torsion) = self.combined(surface, other)?;
        let body =
            |collision: CollisionId| self.link(self.collisions.get(collision)?.0).map(|link| link.body);
        let bodies = [body(surface.collision)?, body(other)?];
        // The slip is that of the pair, so that it does not depend on the number of points.
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let points = contacts.len() as f64;
        let damping = slips.map(|slip| (1.0 / (slip * points)).min(RIGID));
        let at = |contact: &Contact| {
            let torque = torsion.map_or(0.0, |torsion| torsion.most(contact.force, contact.depth));
            let out = if first == surface.collision { contact.normal } else { -contact.normal };
            let driven = self.driven(surface, contact.point, out);
            let speed = driven.as_ref().map_or(0.0, |driven| driven.speed);
            let rotation =
                driven.map_or_else(|| self.directions(surface, contact.normal), |driven| driven.rotation);
            Friction {
                bodies,
                collisions: [surface.collision, other],
                speed,
                frame: Pose { position: contact.point, rotation },
                most: [coefficients[0] * contact.force, coefficients[1] * contact.force, torque],
                damping: [damping[0], damping[1], RIGID],
            }
        };
        Some(contacts.iter().map(at).collect())
    }

    /// Combines the friction of a pair: the smaller coefficients, and the sum of the slips.
    fn combined(
        &self,
        surface: &DirectionalSurface,
        other: CollisionId,
    ) -> Option<([f64; 2], [f64; 2], Option<Torsion>)> {
        let (coefficients, slips, torsion) = match self.directional.surface(other) {
            Some(other) => (other.coefficients, other.slips, other.torsion),
            None => ([self.rapier.colliders.get(self.collider(other)?)?.friction(); 2], [0.0; 2], None),
        };
        let both = [0, 1].map(|axis| surface.coefficients[axis].min(coefficients[axis]));
        let sums = [0, 1].map(|axis| surface.slips[axis] + slips[axis]);
        Some((both, sums, surface.torsion.or(torsion)))
    }

    /// Returns the rotation whose x axis is the first direction of friction and whose z axis is the normal.
    fn directions(&self, surface: &DirectionalSurface, normal: DVec3) -> DQuat {
        let written = surface.first.and_then(|(body, direction)| {
            Some(from_rapier(self.rapier.bodies.get(body)?.position()).rotation * direction)
        });
        let in_plane = |direction: DVec3| direction - normal * direction.dot(normal);
        // A direction along the normal says nothing about the plane.
        let usable = |direction: &DVec3| in_plane(*direction).length_squared() > 1e-12;
        let first = [written, Some(DVec3::X), Some(DVec3::Y)].into_iter().flatten().find(usable);
        let x = in_plane(first.unwrap_or(DVec3::X)).normalize_or(DVec3::X);
        DQuat::from_mat3(&DMat3::from_cols(x, normal.cross(x), normal))
    }
}

impl Torsion {
    /// Returns the greatest torque about the normal, newton metres: that of a round patch with the pressure of a
    /// sphere, as in SDF's description of torsional friction.
    fn most(&self, force: f64, depth: f64) -> f64 {
        let radius = match self.patch {
            Patch::Radius(radius) => radius,
            Patch::OfSphere(radius) => (radius * depth.max(0.0)).sqrt(),
        };
        3.0 * std::f64::consts::PI / 16.0 * self.coefficient * radius * force
    }
}

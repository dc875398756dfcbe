//! Adding and removing models.
//!
//! A model is checked as a whole before anything is added, so a refusal leaves the physics as it was.

use rapier3d_f64::dynamics::RigidBodyHandle;
use rapier3d_f64::geometry::ColliderBuilder;

use super::attach::{Attached, Attaching};
use super::body::{self, Link, Part};
use super::check;
use super::error::PhysicsError;
use super::filter::Tag;
use super::id::{CollisionId, LinkId, ModelId};
use super::parts::{self, Parts};
use super::rest;
use super::spec::{JointKind, JointSpec, LinkSpec, ModelSpec};
use super::topology::{self, JointModel};
use super::world::{AddedModel, Model, Physics};

impl Physics {
    /// Adds a model at rest, with its links at the poses of the specification.
    ///
    /// # Errors
    /// Returns an error if a joint, an inertia or a shape cannot be simulated; the error names it and nothing
    /// is added.
    pub fn add_model(&mut self, spec: &ModelSpec) -> Result<AddedModel, PhysicsError> {
        check::model(spec)?;
        let mut parts = parts::of(spec)?;
        let decided = topology::decide(spec, &parts);
        topology::check(spec, &parts, &decided)?;
        topology::check_size(spec, &parts, &decided)?;
        let colliders = build_colliders(spec)?;
        let in_chain = topology::has_chain(spec, &parts, &decided) || has_directional(spec);
        self.has_unstepped = true;
        self.topology += 1;
        let model = self.models.next_id();
        self.overlaps.place(model);
        let mut added = AddedModel {
            model,
            links: Vec::new(),
            joints: Vec::new(),
            second_axes: Vec::new(),
            collisions: Vec::new(),
        };
        for (index, (link, colliders)) in spec.links.iter().zip(colliders).enumerate() {
            let (id, body) = self.add_link(spec, link, Part { spins: spins(spec, index), in_chain }, model);
            added.links.push(id);
            added.collisions.push(self.add_colliders(link, colliders, id, model, body));
        }
        let mut links = added.links.clone();
        links.extend(self.add_companions(spec, &mut parts, &decided, model));
        self.update_masses(&links);
        let attached = if spec.is_static {
            Attached::default()
        } else {
            self.attach_joints(&Attaching { spec, parts: &parts, decided: &decided, model, links: &links })
        };
        self.add_directional(spec, &added);
        let collisions = added.collisions.iter().flatten().copied().collect();
        let Attached { all: joints, anchors, .. } = attached;
        self.models.push(Model { name: spec.name.clone(), links, joints, collisions, anchors });
        (added.joints, added.second_axes) = (attached.joints, attached.second_axes);
        Ok(added)
    }

    /// Adds the bodies between the axes of joints: links that are not reported to the caller.
    fn add_companions(
        &mut self,
        spec: &ModelSpec,
        parts: &mut Parts,
        decided: &[JointModel],
        model: ModelId,
    ) -> Vec<LinkId> {
        let mut ids = Vec::with_capacity(parts.companions.len());
        for companion in parts.companions.iter_mut().filter(|_| !spec.is_static) {
            if companion.hinges.iter().any(|&hinge| !decided[hinge].is_multibody()) {
                companion.add_companion_mass(spec);
            }
            ids.push(self.add_link(spec, &companion.link, Part { spins: true, in_chain: true }, model).0);
        }
        ids
    }

    /// Removes a model with all its links and joints. Their ids are invalid from then on.
    ///
    /// # Errors
    /// Returns an error if it was removed before.
    pub fn remove_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        let model = self.models.remove(id).ok_or(PhysicsError::NoSuchModel(id))?;
        // The engine wakes what rested on the model in the next step, unless its records are read before.
        self.has_unstepped = true;
        self.topology += 1;
        for joint in model.joints {
            self.joints.remove(joint);
        }
        self.directional.forget(&model.collisions);
        for collision in model.collisions {
            self.collisions.remove(collision);
        }
        for link in model.links {
            if let Some((velocities, place)) = self.velocities.as_mut().zip(self.links.place(link)) {
                velocities.remove(place);
            }
            if let Some(link) = self.links.remove(link) {
                self.rapier.remove_body(link.body);
                self.forget_joints_of(link.body);
            }
        }
        for anchor in model.anchors {
            self.rapier.remove_body(anchor);
        }
        // The rest stays sorted.
        self.apart.retain(|pair| pair.iter().all(|&body| self.rapier.bodies.contains(body)));
        self.lost = self.lost.filter(|&lost| self.link(lost).is_some());
        Ok(())
    }

    /// Removes the joints of other models to a body that was removed; rapier has removed its side already.
    fn forget_joints_of(&mut self, body: RigidBodyHandle) {
        self.joints.retain(|joint| joint.ends.parent != body && joint.ends.child != body);
    }

    fn add_link(
        &mut self,
        spec: &ModelSpec,
        link: &LinkSpec,
        part: Part,
        model: ModelId,
    ) -> (LinkId, RigidBodyHandle) {
        let body = self.rapier.insert_body(body::build(link, spec, part, &self.settings));
        if let Some(body) = self.rapier.bodies.get_mut(body) {
            body.activation_mut().time_until_sleep = rest::time_until_sleep(&self.settings);
        }
        let center = body::center(link, spec.is_static);
        let rest = body::body_pose(&link.pose, center);
        let id =
            self.links.push(Link { name: link.name.clone(), model, body, center, initial: link.pose, rest });
        (id, body)
    }

    fn add_colliders(
        &mut self,
        spec: &LinkSpec,
        colliders: Vec<ColliderBuilder>,
        link: LinkId,
        model: ModelId,
        body: RigidBodyHandle,
    ) -> Vec<CollisionId> {
        let mut ids = Vec::with_capacity(colliders.len());
        for (collider, collision) in colliders.into_iter().zip(&spec.collisions) {
            let id = self.collisions.next_id();
            let tag = Tag::new(id, model, spec.self_collide, &collision.surface);
            let collider = self.rapier.insert_collider(body::tagged(collider, tag), Some(body));
            self.collisions.push((link, collider));
            ids.push(id);
        }
        ids
    }

    /// Computes masses now: multibodies read them before rapier would compute them in the first step.
    fn update_masses(&mut self, links: &[LinkId]) {
        for &id in links {
            let Some(handle) = self.link(id).map(|link| link.body) else { continue };
            if let Some(body) = self.rapier.bodies.get_mut(handle) {
                body.recompute_mass_properties_from_colliders(&self.rapier.colliders);
            }
        }
    }
}

/// Returns true if a joint can turn a link without limit.
fn spins(spec: &ModelSpec, link: usize) -> bool {
    spec.joints.iter().any(|joint| joint.child == link && turns_freely(joint))
}

fn turns_freely(joint: &JointSpec) -> bool {
    let is_wide = |[lower, upper]: [f64; 2]| upper - lower > 1e3;
    match joint.kind {
        JointKind::Continuous => true,
        JointKind::Revolute | JointKind::Screw { .. } => is_wide(joint.limits),
        JointKind::Universal | JointKind::Revolute2 => {
            is_wide(joint.limits) || joint.second.as_ref().is_some_and(|axis| is_wide(axis.limits))
        }
        JointKind::Fixed | JointKind::Prismatic | JointKind::Ball | JointKind::Gearbox { .. } => false,
    }
}

fn build_colliders(spec: &ModelSpec) -> Result<Vec<Vec<ColliderBuilder>>, PhysicsError> {
    let of_link = |link: &LinkSpec| {
        let center = body::center(link, spec.is_static);
        let build = |collision| {
            body::build_collider(collision, center, spec).map_err(|problem| PhysicsError::BadShape {
                model: spec.name.clone(),
                link: link.name.clone(),
                collision: collision.name.clone(),
                problem: Box::new(problem),
            })
        };
        link.collisions.iter().map(build).collect()
    };
    spec.links.iter().map(of_link).collect()
}

/// Returns true if a collision has friction that is solved as a joint, which needs more iterations than a contact.
fn has_directional(spec: &ModelSpec) -> bool {
    let mut collisions = spec.links.iter().flat_map(|link| &link.collisions);
    !spec.is_static && collisions.any(|collision| collision.surface.directional.is_some())
}

//! Adding and removing models.
//!
//! A model is checked as a whole before anything is added, so a refusal leaves the physics as it was.

use bridgehead_dynamics::{ColliderSpec, Directional, Filter, Surface, Torsion, TreeSpec};
use bridgehead_pose::{DVec3, Pose};
use rapier3d_f64::geometry::SharedShape;

use super::assemble::{self, Group, Moved, Plan, PlannedTree};
use super::check;
use super::error::PhysicsError;
use super::id::{CollisionId, LinkId, ModelId};
use super::link::{Link, combined, to_core};
use super::parts::{self, Parts};
use super::shape;
use super::spec::{CollisionSpec, DirectionalFriction, LinkSpec, ModelSpec, Patch};
use super::world::{AddedModel, Collision, Model, Physics, Root};

/// Replaces the infinite friction that SDF allows; its product with a force of zero must stay zero.
const MAX_FRICTION: f64 = 1e6;

/// A convex part of a collision, and its pose in the link.
type PartShape = (SharedShape, Pose);

/// The model that is being added.
pub(super) struct Adding<'a> {
    pub(super) spec: &'a ModelSpec,
    pub(super) parts: &'a Parts,
    pub(super) plan: &'a Plan,
    pub(super) model: ModelId,
    /// The body of each group, with its frame in the world when it was added.
    pub(super) bodies: Vec<(usize, Pose)>,
    /// For each group of a tree, the tree and the index of the body in it.
    pub(super) places: Vec<Option<(usize, usize)>>,
}

impl Physics {
    /// Adds a model at rest, with its links at the poses of the specification.
    ///
    /// # Errors
    /// Returns an error if a joint, an inertia or a shape cannot be simulated; the error names it and nothing
    /// is added.
    pub fn add_model(&mut self, spec: &ModelSpec) -> Result<AddedModel, PhysicsError> {
        check::model(spec)?;
        let mut parts = parts::of(spec)?;
        let plan = match spec.is_static {
            true => assemble::static_plan(spec),
            false => assemble::plan(spec, &parts)?,
        };
        let shapes = build_shapes(spec)?;
        parts.weigh_companions(spec, &plan.held);
        self.topology += 1;
        let model = self.models.next_id();
        let mut adding = Adding {
            spec,
            parts: &parts,
            plan: &plan,
            model,
            bodies: vec![(usize::MAX, Pose::IDENTITY); plan.groups.len()],
            places: vec![None; plan.groups.len()],
        };
        let roots = self.add_bodies(&mut adding);
        let links = self.add_links(&adding);
        let collisions = self.add_collisions(&adding, &links, shapes);
        let all = collisions.iter().flatten().copied().collect();
        let name = spec.name.clone();
        self.models.push(Model { name, links: links.clone(), joints: Vec::new(), collisions: all, roots });
        let (joints, second_axes) =
            if spec.is_static { Default::default() } else { self.add_joints(&adding, &links) };
        Ok(AddedModel { model, links, joints, second_axes, collisions })
    }

    fn add_bodies(&mut self, adding: &mut Adding<'_>) -> Vec<Root> {
        let plan = adding.plan;
        plan.trees.iter().filter_map(|tree| self.add_planned_tree(adding, tree)).collect()
    }

    /// Adds the bodies of a tree; `None` if it represents the world for nobody.
    fn add_planned_tree(&mut self, adding: &mut Adding<'_>, tree: &PlannedTree) -> Option<Root> {
        let spec = adding.spec;
        let group = &adding.plan.groups[tree.root];
        let has_link = group.members.iter().any(|&member| member < spec.links.len());
        let uses_world = !spec.is_static && adding.parts.joints.iter().any(|joint| joint.parent.is_none());
        if adding.plan.is_world(tree.root) && !has_link && !uses_world {
            return None;
        }
        let (mass, initial) = adding.frame_of(tree.root);
        let is_free = group.moved == Moved::ByForces;
        let (body, index) = if tree.branches.is_empty() {
            let body = match is_free {
                true => self.world.add_free(to_core(&initial), mass, !spec.never_sleeps),
                false => self.world.add_fixed(to_core(&initial)),
            };
            adding.bodies[tree.root] = (body, initial);
            (body, None)
        } else {
            let links = tree.branches.iter().map(|branch| adding.link_spec(branch)).collect();
            let root = to_core(&initial);
            let planned = TreeSpec { root, mass: is_free.then_some(mass), links };
            let index = self.world.add_tree(&planned, !spec.never_sleeps);
            let groups = std::iter::once(tree.root).chain(tree.branches.iter().map(|branch| branch.group));
            for (place, group) in groups.enumerate() {
                let body = self.world.bodies_of(index)[place];
                let (_, frame) = adding.frame_of(group);
                adding.bodies[group] = (body, frame);
                adding.places[group] = Some((index, place));
            }
            (self.world.bodies_of(index)[0], Some(index))
        };
        let is_anchor = adding.plan.is_world(tree.root);
        Some(Root { body, tree: index, initial, is_anchor, moves: group.moved != Moved::Never })
    }

    fn add_links(&mut self, adding: &Adding<'_>) -> Vec<LinkId> {
        let links = adding.spec.links.iter().enumerate().map(|(index, link)| {
            let (body, frame) = adding.bodies[adding.plan.group_of[index]];
            self.links.push(Link {
                name: link.name.clone(),
                model: adding.model,
                body,
                in_body: link.pose.relative_to(&frame),
                inertial: link.inertial,
                gravity: link.gravity,
                is_carried: !adding.spec.is_static && !link.kinematic,
                collisions: Vec::new(),
                initial: link.pose,
            })
        });
        links.collect()
    }

    fn add_collisions(
        &mut self,
        adding: &Adding<'_>,
        links: &[LinkId],
        shapes: Vec<Vec<Vec<PartShape>>>,
    ) -> Vec<Vec<CollisionId>> {
        let mut all = Vec::with_capacity(links.len());
        for ((&link, spec), shapes) in links.iter().zip(&adding.spec.links).zip(shapes) {
            let mut ids = Vec::with_capacity(shapes.len());
            for (collision, parts) in spec.collisions.iter().zip(shapes) {
                ids.push(self.add_collision(adding, links, link, spec, collision, parts));
            }
            if let Some(link) = self.links.get_mut(link) {
                link.collisions.clone_from(&ids);
            }
            all.push(ids);
        }
        all
    }

    fn add_collision(
        &mut self,
        adding: &Adding<'_>,
        links: &[LinkId],
        link: LinkId,
        spec: &LinkSpec,
        collision: &CollisionSpec,
        parts: Vec<PartShape>,
    ) -> CollisionId {
        let id = self.collisions.next_id();
        let surface = &collision.surface;
        // A direction in the frame of a link of the model, in the frame of its body.
        let in_body = |(index, direction): (usize, DVec3)| {
            let link = self.link(*links.get(index)?)?;
            Some((link.body, link.in_body.rotate(direction)))
        };
        let directional = surface.directional.map(|friction| directional(&friction, in_body));
        let first = surface.first.and_then(in_body);
        let Some((body, frame)) = self.link(link).map(|link| (link.body, link.in_body)) else { return id };
        let core = Surface {
            friction: surface.friction.min(MAX_FRICTION),
            restitution: surface.restitution,
            bounce_threshold: surface.bounce_threshold.max(0.0),
            directional,
        };
        let filter = Filter {
            group: adding.model.index(),
            touches_own: spec.self_collide,
            mask: surface.collide_bitmask,
            category: surface.category_bitmask,
            only_feels: surface.without_contact,
        };
        let colliders = parts.into_iter().map(|(shape, pose)| {
            let pose = to_core(&(frame * pose));
            let (tag, part) = (id.index(), link.index());
            self.world.add_collider(ColliderSpec { body, tag, part, pose, shape, surface: core, filter })
        });
        let colliders = colliders.collect();
        self.collisions.push(Collision { link, colliders, first })
    }

    /// Removes a model with all its links and joints. Their ids are invalid from then on.
    ///
    /// # Errors
    /// Returns an error if it was removed before.
    pub fn remove_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        let model = self.models.remove(id).ok_or(PhysicsError::NoSuchModel(id))?;
        self.topology += 1;
        let links = model.links;
        // Joints of other models to this one go as well.
        let touches =
            |joint: &super::joint::Joint| joint.links.iter().flatten().any(|link| links.contains(link));
        let gone: Vec<_> = self.joints.iter().filter(|(_, joint)| touches(joint)).map(|(id, _)| id).collect();
        for joint in gone.into_iter().chain(model.joints) {
            if let Some(joint) = self.joints.remove(joint)
                && let super::joint::Holder::Constraint(constraint) = joint.holder
            {
                self.world.remove_constraint(constraint);
            }
        }
        for collision in model.collisions {
            self.collisions.remove(collision);
        }
        for link in links {
            if let Some((velocities, place)) = self.velocities.as_mut().zip(self.links.place(link)) {
                velocities.remove(place);
            }
            self.links.remove(link);
            self.world.forget_part(link.index());
        }
        for root in model.roots {
            match root.tree {
                Some(tree) => self.world.remove_tree(tree),
                None => self.world.remove_body(root.body),
            }
        }
        Ok(())
    }
}

impl Plan {
    /// True if a group is the world, or fixed to it.
    fn is_world(&self, group: usize) -> bool {
        self.groups[group].moved == Moved::Never && self.group_of.last() == Some(&group)
    }
}

impl Adding<'_> {
    /// The mass of a group and its frame in the world.
    fn frame_of(&self, group: usize) -> (bridgehead_dynamics::Mass, Pose) {
        let Group { members, moved } = &self.plan.groups[group];
        let links: Vec<&LinkSpec> = members.iter().filter_map(|&member| self.link(member)).collect();
        let held = |link: &&&LinkSpec| *moved == Moved::ByCaller && link.kinematic;
        match (moved, links.as_slice()) {
            (Moved::ByForces, links) => combined(links),
            (Moved::Never, _) if self.plan.is_world(group) => Default::default(),
            (_, links) => {
                let first = links.iter().find(held).or(links.first());
                (Default::default(), first.map_or(Pose::IDENTITY, |link| link.pose))
            }
        }
    }

    /// A link or a companion; `None` is the world.
    fn link(&self, node: usize) -> Option<&LinkSpec> {
        let links = &self.spec.links;
        let companion = || self.parts.companions.get(node - links.len()).map(|companion| &companion.link);
        links.get(node).or_else(companion)
    }

    fn link_spec(&self, branch: &assemble::Branch) -> bridgehead_dynamics::LinkSpec {
        let joint = &self.parts.joints[branch.joint];
        let (mass, frame) = self.frame_of(branch.group);
        // From the child to the parent, the position about the opposite axis is the same.
        let sign = if branch.is_turned { -1.0 } else { 1.0 };
        bridgehead_dynamics::LinkSpec {
            parent: branch.parent,
            joint: super::joint::core_kind(joint.kind),
            anchor: joint.pose.position,
            axis: joint.axis.normalize_or(DVec3::X) * sign,
            pose: to_core(&frame),
            mass,
        }
    }
}

fn directional(
    friction: &DirectionalFriction,
    in_body: impl Fn((usize, DVec3)) -> Option<(usize, DVec3)>,
) -> Directional {
    let DirectionalFriction { first, coefficients, slips, torsion } = *friction;
    let torsion = torsion.map(|torsion| {
        let (radius, of_sphere) = match torsion.patch {
            Patch::Radius(radius) => (radius, false),
            Patch::OfSphere(radius) => (radius, true),
        };
        Torsion { coefficient: torsion.coefficient, radius, of_sphere }
    });
    let coefficients = coefficients.map(|coefficient| coefficient.min(MAX_FRICTION));
    Directional { first: first.and_then(in_body), coefficients, slips, torsion, belt: None }
}

/// Builds the shapes of all collisions, each as its convex parts with their poses in the link.
fn build_shapes(spec: &ModelSpec) -> Result<Vec<Vec<Vec<PartShape>>>, PhysicsError> {
    let of_link = |link: &LinkSpec| {
        let build = |collision: &CollisionSpec| {
            let (shape, pose) = shape::build(&collision.shape).map_err(|problem| PhysicsError::BadShape {
                model: spec.name.clone(),
                link: link.name.clone(),
                collision: collision.name.clone(),
                problem: Box::new(problem),
            })?;
            Ok(shape::convex_shapes(&shape, &(collision.pose * pose)))
        };
        link.collisions.iter().map(build).collect()
    };
    spec.links.iter().map(of_link).collect()
}

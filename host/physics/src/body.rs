//! Links as rapier's bodies: frames, masses, and reading their state.
//!
//! The origin of a body is the centre of mass of its link, with the orientation of the link frame. rapier
//! would accept an offset, but it turns the free root of a multibody about the origin of its body instead of
//! its centre of mass.

use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::{RigidBody, RigidBodyBuilder, RigidBodyHandle};
use rapier3d_f64::geometry::{Collider, ColliderBuilder};
use rapier3d_f64::pipeline::ActiveHooks;
use rapier3d_f64::prelude::CoefficientCombineRule;

use serde::{Deserialize, Serialize};

use super::error::ShapeError;
use super::filter::Tag;
use super::id::ModelId;
use super::inertia;
use super::settings::Settings;
use super::shape;
use super::spec::{CollisionSpec, LinkSpec, ModelSpec, Surface};
use super::velocity;

/// Replaces the infinite friction that SDF allows; its product with a force of zero must stay zero.
const MAX_FRICTION: f64 = 1e6;

/// A link in the table of the physics.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) model: ModelId,
    pub(super) body: RigidBodyHandle,
    /// The origin of the body in the link frame.
    pub(super) center: DVec3,
    /// The pose of the link when it was added, in the world.
    pub(super) initial: Pose,
    /// The pose of the body when it was last found to have moved.
    pub(super) rest: Pose,
}

pub(super) fn to_rapier(pose: &Pose) -> rapier3d_f64::math::Pose {
    rapier3d_f64::math::Pose::from_parts(pose.position, pose.rotation)
}

pub(super) fn from_rapier(pose: &rapier3d_f64::math::Pose) -> Pose {
    Pose::new(pose.translation, pose.rotation)
}

/// The origin of a link's body in the link frame: its centre of mass, or the frame origin of links that
/// forces do not move.
pub(super) fn center(link: &LinkSpec, is_static: bool) -> DVec3 {
    if is_static || link.kinematic { DVec3::ZERO } else { link.inertial.pose.position }
}

/// The pose of a link's body in the world, for a pose of the link frame.
pub(super) fn body_pose(link: &Pose, center: DVec3) -> Pose {
    Pose::new(link.transform_point(center), link.rotation)
}

impl Link {
    /// The pose of the link frame in the world.
    pub(super) fn pose(&self, body: &RigidBody) -> Pose {
        body_pose(&from_rapier(body.position()), -self.center)
    }

    /// The velocity of the origin of the link frame, in the world.
    pub(super) fn origin_velocity(&self, body: &RigidBody) -> DVec3 {
        let [linear, _] = velocity::of_point(body, -self.center);
        linear
    }
}

/// What a link is a part of.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Part of a wheel or rotor.
    pub(super) spins: bool,
    /// Part of a chain or loop of joints, whose solution needs more iterations.
    pub(super) in_chain: bool,
}

/// The body of a link, without collisions.
pub(super) fn build(
    link: &LinkSpec,
    model: &ModelSpec,
    Part { spins, in_chain }: Part,
    settings: &Settings,
) -> RigidBodyBuilder {
    let is_static = model.is_static;
    let builder = if is_static {
        RigidBodyBuilder::fixed()
    } else if link.kinematic {
        RigidBodyBuilder::kinematic_velocity_based()
    } else {
        RigidBodyBuilder::dynamic()
    };
    builder
        .pose(to_rapier(&body_pose(&link.pose, center(link, is_static))))
        .additional_mass_properties(inertia::mass_properties(&link.inertial))
        .gravity_scale(if link.gravity { 1.0 } else { 0.0 })
        .linear_damping(link.linear_decay)
        .angular_damping(link.angular_decay)
        .can_sleep(settings.sleeping && !model.never_sleeps)
        // Without this rapier caps the spin of a wheel or rotor at an eighth of a turn per step.
        .allow_fast_rotation(spins)
        .additional_solver_iterations(if in_chain { settings.chain_iterations } else { 0 })
}

/// The collider of a collision.
pub(super) fn build_collider(
    collision: &CollisionSpec,
    center: DVec3,
    model: &ModelSpec,
) -> Result<ColliderBuilder, ShapeError> {
    let (shape, in_collision) = shape::build(&collision.shape)?;
    let surface = &collision.surface;
    let in_link = collision.pose * in_collision;
    let pose = Pose::new(in_link.position - center, in_link.rotation);
    let builder = ColliderBuilder::new(shape)
        .position(to_rapier(&pose))
        // The mass of a link comes from its <inertial>, not from its shapes.
        .density(0.0)
        .friction(if surface.directional.is_some() { 0.0 } else { surface.friction.min(MAX_FRICTION) })
        .friction_combine_rule(CoefficientCombineRule::Min)
        .restitution(surface.restitution)
        .restitution_combine_rule(CoefficientCombineRule::Min)
        .active_hooks(hooks(surface, model));
    Ok(builder)
}

/// The hooks that rapier has to call: which pairs touch, and how contacts are solved.
///
/// For pairs with a hook for contacts, rapier finds the contacts anew in every step; for others it would reuse them while
/// the two hardly move relative to each other.
fn hooks(surface: &Surface, model: &ModelSpec) -> ActiveHooks {
    let has_own_kind = !model.is_static && model.links.len() > 1;
    let touches_all = surface.collide_bitmask == u16::MAX && surface.category_bitmask == u16::MAX;
    let is_plain = touches_all && !surface.without_contact && !has_own_kind;
    let filter = if is_plain { ActiveHooks::empty() } else { ActiveHooks::FILTER_CONTACT_PAIRS };
    filter | ActiveHooks::MODIFY_SOLVER_CONTACTS
}

/// Gives a collider its identity.
pub(super) fn tagged(builder: ColliderBuilder, tag: Tag) -> Collider {
    builder.user_data(tag.pack()).build()
}

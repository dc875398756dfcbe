//! Decides which pairs of collisions touch, which of them exert forces, and which bounce.
//!
//! Links of one model pass through each other unless `self_collide` is set, and bitmasks must share a bit.
//! The engine keeps links apart that share a joint. The user data of a collision holds what the decision
//! needs.

use rapier3d_f64::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d_f64::geometry::{Collider, SolverContact, SolverFlags};
use rapier3d_f64::pipeline::{ContactModificationContext, PairFilterContext, PhysicsHooks};

use super::id::{CollisionId, ModelId};
use super::overlap::OverlapsInStep;
use super::spec::Surface;

/// The properties of a collision that rapier's hooks need, packed into 128 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tag {
    pub(super) collision: CollisionId,
    pub(super) model: ModelId,
    mask: u16,
    category: u16,
    self_collide: bool,
    without_contact: bool,
    /// Closing speed below which the collision does not bounce, m/s.
    bounce_threshold: f32,
}

impl Tag {
    pub(super) fn new(collision: CollisionId, model: ModelId, self_collide: bool, surface: &Surface) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a speed need not be known better")]
        let bounce_threshold = surface.bounce_threshold.max(0.0) as f32;
        Self {
            collision,
            model,
            mask: surface.collide_bitmask,
            category: surface.category_bitmask,
            self_collide,
            without_contact: surface.without_contact,
            bounce_threshold,
        }
    }

    pub(super) fn pack(self) -> u128 {
        // The highest bit is free, because the number is not negative; the lowest is worth less than a
        // millionth.
        let threshold = self.bounce_threshold.to_bits() >> 1;
        u128::from(self.collision.0)
            | u128::from(self.model.0) << 32
            | u128::from(self.mask) << 64
            | u128::from(self.category) << 80
            | u128::from(threshold) << 96
            | u128::from(self.self_collide) << 126
            | u128::from(self.without_contact) << 127
    }

    #[expect(clippy::cast_possible_truncation, reason = "each field is the low bits after the shift")]
    pub(super) fn unpack(data: u128) -> Self {
        Self {
            collision: CollisionId(data as u32),
            model: ModelId((data >> 32) as u32),
            mask: (data >> 64) as u16,
            category: (data >> 80) as u16,
            bounce_threshold: f32::from_bits((((data >> 96) as u32) << 1) & (u32::MAX >> 1)),
            self_collide: data >> 126 & 1 != 0,
            without_contact: data >> 127 != 0,
        }
    }

    pub(super) fn of(collider: &Collider) -> Self {
        Self::unpack(collider.user_data)
    }

    /// SDF: links of one model touch when either of them has `self_collide`.
    fn touches(self, other: Self) -> bool {
        let may = self.model != other.model || self.self_collide || other.self_collide;
        may && (self.category & other.mask) | (other.category & self.mask) != 0
    }

    /// Returns true if the two sense each other without exerting forces.
    pub(super) fn only_feels(self, other: Self) -> bool {
        self.without_contact || other.without_contact
    }
}

/// The filter as rapier calls it.
pub(super) struct Filter<'a> {
    /// Bodies that share a joint that is several joints for rapier: pairs of [`in_order`], sorted.
    pub(super) apart: &'a [[RigidBodyHandle; 2]],
    /// Pairs that may overlap.
    pub(super) overlaps: OverlapsInStep<'a>,
}

/// Sorts the two bodies of a pair.
pub(super) fn in_order(mut pair: [RigidBodyHandle; 2]) -> [RigidBodyHandle; 2] {
    pair.sort_unstable_by_key(|body| body.into_raw_parts());
    pair
}

/// Returns the index of a pair of [`in_order`], or the index at which to insert it.
pub(super) fn place_of(pair: [RigidBodyHandle; 2], apart: &[[RigidBodyHandle; 2]]) -> Result<usize, usize> {
    let key = |pair: &[RigidBodyHandle; 2]| pair.map(|body| body.into_raw_parts());
    apart.binary_search_by_key(&key(&pair), key)
}

impl Filter<'_> {
    /// Hides the part of an overlap that is allowed from the solver.
    fn allow_overlap(&self, pair: [Tag; 2], contacts: &mut [SolverContact]) {
        let (collisions, models) = (pair.map(|tag| tag.collision), pair.map(|tag| tag.model));
        let depth = contacts.iter().map(|contact| -contact.dist).fold(0.0, f64::max);
        let allowed = self.overlaps.allow(collisions, models, depth);
        contacts.iter_mut().for_each(|contact| contact.dist += allowed);
    }

    fn is_contactless(&self, pair: &PairFilterContext<'_>) -> bool {
        let (Some(first), Some(second)) = (pair.rigid_body1, pair.rigid_body2) else { return false };
        place_of(in_order([first, second]), self.apart).is_ok()
    }
}

impl PhysicsHooks for Filter<'_> {
    fn filter_contact_pair(&self, pair: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let moves = |body| pair.bodies.get(body).is_some_and(|body| body.is_dynamic());
        // This replaces rapier's own filter, which also requires that one of the bodies can move.
        if !pair.rigid_body1.is_some_and(moves) && !pair.rigid_body2.is_some_and(moves) {
            return None;
        }
        let (first, second) = pair.colliders.get(pair.collider1).zip(pair.colliders.get(pair.collider2))?;
        let (first, second) = (Tag::of(first), Tag::of(second));
        // The search comes last: few pairs touch, and joints are within models.
        if !first.touches(second) || (first.model == second.model && self.is_contactless(pair)) {
            return None;
        }
        Some(if first.only_feels(second) { SolverFlags::empty() } else { SolverFlags::default() })
    }

    /// Called for all pairs that touch.
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let tag = |collider| context.colliders.get(collider).map(Tag::of);
        let (Some(first), Some(second)) = (tag(context.collider1), tag(context.collider2)) else { return };
        let threshold = f64::from(first.bounce_threshold.min(second.bounce_threshold));
        let bodies = [context.rigid_body1, context.rigid_body2];
        let bodies = bodies.map(|body| body.and_then(|body| context.bodies.get(body)));
        let Some(manifold) = context.rigid_mut() else { return };
        if !self.overlaps.is_idle() {
            self.allow_overlap([first, second], manifold.solver_contacts);
        }
        if *manifold.restitution <= 0.0 {
            // Not for bounces: they are solved one by one, at contacts with an impulse, and this order leaves two without one.
            pair_opposite_corners(manifold.solver_contacts);
            return;
        }
        let normal = *manifold.normal;
        let speed = |body: Option<&RigidBody>, point| {
            body.map_or(0.0, |body| body.velocity_at_point(point).dot(normal))
        };
        let closing = |contact: &SolverContact| {
            let point = (contact.anchor1 + contact.anchor2) * 0.5;
            speed(bodies[0], point) - speed(bodies[1], point)
        };
        if manifold.solver_contacts.iter().all(|contact| closing(contact) < threshold) {
            *manifold.restitution = 0.0;
        }
    }
}

/// Moves the contact that is opposite to the first one next to it.
///
/// rapier solves contacts exactly in pairs. A pair of opposite corners stops a face that falls flat without turning it, and
/// leaves nothing for the other pair; the corners of one edge turn it, and those of the other edge turn it back too far.
/// rapier sorts the four contacts of a face along an axis of the face, so that its pairs are edges ([decision 35]).
///
/// [decision 35]: ../../../docs/decisions/0035-opposite-corners-in-pairs.md
fn pair_opposite_corners(contacts: &mut [SolverContact]) {
    let [first, others @ ..] = &*contacts else { return };
    if others.len() != 3 {
        return;
    }
    let distance = |contact: &SolverContact| (contact.anchor1 - first.anchor1).length_squared();
    let distances = others.iter().map(distance).enumerate();
    let farthest = distances.max_by(|(_, one), (_, other)| one.total_cmp(other));
    if let Some((farthest, _)) = farthest {
        contacts.swap(1, farthest + 1);
    }
}

//! Which pairs of collisions touch.
//!
//! Links of one model pass through each other unless asked not to, and bitmasks must share a bit. Links that share a
//! joint are kept apart by the joint itself. What a collision needs for the decision travels in its user data.

use rapier3d_f64::dynamics::RigidBodyHandle;
use rapier3d_f64::geometry::{Collider, SolverFlags};
use rapier3d_f64::pipeline::{PairFilterContext, PhysicsHooks};

use super::id::{CollisionId, ModelId};

/// What the filter knows about a collision, packed into 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) collision: CollisionId,
    pub(super) model: ModelId,
    pub(super) bitmask: u32,
    pub(super) self_collide: bool,
}

impl Tag {
    pub(super) fn pack(self) -> u128 {
        u128::from(self.collision.0)
            | u128::from(self.model.0) << 32
            | u128::from(self.bitmask) << 64
            | u128::from(self.self_collide) << 96
    }

    #[expect(clippy::cast_possible_truncation, reason = "each field is the low 32 bits after the shift")]
    pub(super) fn unpack(data: u128) -> Self {
        Self {
            collision: CollisionId(data as u32),
            model: ModelId((data >> 32) as u32),
            bitmask: (data >> 64) as u32,
            self_collide: data >> 96 != 0,
        }
    }

    pub(super) fn of(collider: &Collider) -> Self {
        Self::unpack(collider.user_data)
    }

    /// SDF: links of one model touch when either of them has `self_collide`.
    fn touches(self, other: Self) -> bool {
        let may = self.model != other.model || self.self_collide || other.self_collide;
        may && self.bitmask & other.bitmask != 0
    }
}

/// The filter as rapier calls it.
pub(super) struct Filter<'a> {
    /// Bodies that share a joint which is several for rapier.
    pub(super) apart: &'a [[RigidBodyHandle; 2]],
}

impl PhysicsHooks for Filter<'_> {
    fn filter_contact_pair(&self, pair: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let moves = |body| pair.bodies.get(body).is_some_and(|body| body.is_dynamic());
        // Replacing rapier's own filter means doing its duty: something must be able to move.
        if !pair.rigid_body1.is_some_and(moves) && !pair.rigid_body2.is_some_and(moves) {
            return None;
        }
        if let (Some(first), Some(second)) = (pair.rigid_body1, pair.rigid_body2)
            && self.apart.iter().any(|apart| *apart == [first, second] || *apart == [second, first])
        {
            return None;
        }
        let tags = pair.colliders.get(pair.collider1).zip(pair.colliders.get(pair.collider2));
        let touch = tags.is_none_or(|(first, second)| Tag::of(first).touches(Tag::of(second)));
        touch.then(SolverFlags::default)
    }
}

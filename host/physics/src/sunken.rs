//! Finds models that begin below a plane: overlaps are resolved slowly, so that they would rise for minutes.

use rapier3d_f64::geometry::{Collider, TypedShape};

use super::id::{CollisionId, ModelId};
use super::world::Physics;

/// A collision whose middle is below a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sunken {
    /// The collision.
    pub collision: CollisionId,
    /// The plane.
    pub plane: CollisionId,
    /// The depth of its lowest corner below the plane, metres.
    pub depth: f64,
}

impl Physics {
    /// Returns the deepest collision of each model whose bounding box has its middle below a plane that it collides
    /// with. Models that are fixed to the world by a joint are left out.
    pub fn sunken(&self, models: &[ModelId]) -> Vec<Sunken> {
        let planes: Vec<(CollisionId, &Collider)> = self
            .collisions
            .iter()
            .filter_map(|(id, (_, handle))| Some((id, self.rapier.colliders.get(*handle)?)))
            .filter(|(_, collider)| matches!(collider.shape().as_typed_shape(), TypedShape::HalfSpace(_)))
            .collect();
        if planes.is_empty() {
            return Vec::new();
        }
        models.iter().filter_map(|model| self.deepest_below(*model, &planes)).collect()
    }

    fn deepest_below(&self, id: ModelId, planes: &[(CollisionId, &Collider)]) -> Option<Sunken> {
        let model = self.models.get(id)?;
        if !model.anchors.is_empty() {
            return None;
        }
        let pairs =
            model.collisions.iter().flat_map(|collision| planes.iter().map(move |plane| (collision, plane)));
        let found = pairs.filter_map(|(collision, (plane, below))| {
            let collider = self.rapier.colliders.get(self.collisions.get(*collision)?.1)?;
            let depth = self.depth_below(collider, below)?;
            Some(Sunken { collision: *collision, plane: *plane, depth })
        });
        found.reduce(|one, other| if other.depth > one.depth { other } else { one })
    }

    /// Returns the depth of a collider's lowest corner below a plane; `None` if its middle is above, if its body does
    /// not move, or if the two do not collide.
    fn depth_below(&self, collider: &Collider, plane: &Collider) -> Option<f64> {
        let TypedShape::HalfSpace(half_space) = plane.shape().as_typed_shape() else { return None };
        let is_dynamic = self.rapier.bodies.get(collider.parent()?)?.is_dynamic();
        if !is_dynamic || !collider.collision_groups().test(plane.collision_groups()) {
            return None;
        }
        let normal = plane.position().rotation * half_space.normal;
        let bounds = collider.compute_aabb();
        let height = (bounds.center() - plane.position().translation).dot(normal);
        let reach = bounds.half_extents().dot(normal.abs());
        (height < 0.0).then_some(reach - height)
    }
}

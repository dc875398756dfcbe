//! Finds models that begin below a plane: overlaps are resolved slowly, so that they would rise for minutes.

use bridgehead_pose::DVec3;
use rapier3d_f64::geometry::TypedShape;

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
        let colliders = self
            .collisions
            .iter()
            .flat_map(|(id, collision)| collision.colliders.iter().map(move |&collider| (id, collider)));
        let planes: Vec<(CollisionId, usize)> = colliders
            .filter(|(_, collider)| {
                matches!(self.world.shape(*collider).as_typed_shape(), TypedShape::HalfSpace(_))
            })
            .collect();
        if planes.is_empty() {
            return Vec::new();
        }
        models.iter().filter_map(|model| self.deepest_below(*model, &planes)).collect()
    }

    fn deepest_below(&self, id: ModelId, planes: &[(CollisionId, usize)]) -> Option<Sunken> {
        let model = self.models.get(id)?;
        if model.roots.iter().any(|root| root.is_anchor) {
            return None;
        }
        let colliders = model.collisions.iter().flat_map(|&collision| {
            let colliders = self.collisions.get(collision).into_iter().flat_map(|found| &found.colliders);
            colliders.map(move |&collider| (collision, collider))
        });
        let pairs = colliders.flat_map(|own| planes.iter().map(move |plane| (own, *plane)));
        let found = pairs.filter_map(|((collision, collider), (plane, below))| {
            Some(Sunken { collision, plane, depth: self.depth_below(collider, below)? })
        });
        found.reduce(|one, other| if other.depth > one.depth { other } else { one })
    }

    /// Returns the depth of a collider's lowest corner below a plane; `None` if its middle is above, if its body does
    /// not move, or if the two do not collide.
    fn depth_below(&self, collider: usize, plane: usize) -> Option<f64> {
        let TypedShape::HalfSpace(half_space) = self.world.shape(plane).as_typed_shape() else { return None };
        if !self.world.may_touch(collider, plane) {
            return None;
        }
        let below = self.world.shape_pose(plane);
        let normal: DVec3 = below.rotation * half_space.normal;
        let bounds = self.world.shape(collider).compute_aabb(&self.world.shape_pose(collider));
        let height = (bounds.center() - below.translation).dot(normal);
        let reach = bounds.half_extents().dot(normal.abs());
        (height < 0.0).then_some(reach - height)
    }
}

//! Rays of sensors: they hit the shapes that make contact, or those that are drawn. Simulation thread only.

use bridgehead_physics::rays::{Hit, Query, Ray};
use bridgehead_sdf::Budget;
use bridgehead_sdf::pose::{DVec3, Pose};

use super::World;

/// Rays in one frame.
pub struct RayQuery<'a> {
    /// Frame of directions and origins, in the world frame.
    pub frame: Pose,
    /// Unit vectors in that frame.
    pub directions: &'a [[f64; 3]],
    /// Origins in that frame; `None` for its origin.
    pub origins: Option<&'a [[f64; 3]]>,
    /// Minimum and maximum distance, metres.
    pub range: [f64; 2],
    /// Link whose own shapes are ignored, with those of the links that fixed joints hold to it.
    pub ignore: Option<u32>,
}

/// The shapes that rays hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shapes {
    /// Those that make contact.
    Collisions,
    /// Those that are drawn.
    Visuals,
}

impl World {
    /// Casts rays at the shapes that make contact, and passes each hit to `take`, in order.
    pub fn cast_rays(&mut self, query: &RayQuery<'_>, take: impl FnMut(usize, &Hit)) {
        self.cast_at(Shapes::Collisions, query, take);
    }

    /// Casts rays like [`World::cast_rays`], at the shapes that are drawn.
    pub fn cast_rays_at_visuals(&mut self, query: &RayQuery<'_>, take: impl FnMut(usize, &Hit)) {
        for problem in self.build_drawn_shapes(&Budget::default()) {
            log::warn!("{problem}");
        }
        self.cast_at(Shapes::Visuals, query, take);
    }

    /// Makes shapes of the visuals that rays have not needed so far; returns what is invisible to them.
    pub(super) fn build_drawn_shapes(&mut self, budget: &Budget) -> Vec<String> {
        if !self.drawn.has_unbuilt() {
            return Vec::new();
        }
        self.rays_are_fresh = false;
        self.drawn.build(&mut self.meshes, budget)
    }

    fn cast_at(&mut self, shapes: Shapes, query: &RayQuery<'_>, mut take: impl FnMut(usize, &Hit)) {
        self.update_rays();
        self.ray_buffer.clear();
        self.ray_buffer.extend(query.directions.iter().enumerate().map(|(index, direction)| Ray {
            origin: match query.origins.and_then(|origins| origins.get(index)) {
                Some(origin) => query.frame.transform_point(DVec3::from_array(*origin)),
                None => query.frame.position,
            },
            direction: query.frame.rotation * DVec3::from_array(*direction),
        }));
        self.hit_buffer.resize(self.ray_buffer.len(), Hit::NONE);
        let body = query.ignore.and_then(|link| Some(self.links.get(link)?.rigid));
        let (ignore, scene) = match shapes {
            Shapes::Collisions => (body.and_then(|body| Some(self.links.get(body)?.frame)), &mut self.rays),
            Shapes::Visuals => (body.and_then(|body| self.drawn.body(body)), self.drawn.scene_mut()),
        };
        let [from, to] = query.range;
        let settings = Query { from, to, ignore, normals: true, ..Query::up_to(to) };
        scene.caster().cast_batch(&self.ray_buffer, &settings, &mut self.hit_buffer, self.ray_threads);
        self.hit_buffer.iter().enumerate().for_each(|(index, hit)| take(index, hit));
    }

    /// Updates the ray scenes to the poses of the links; only before rays are cast.
    pub(super) fn update_rays(&mut self) {
        if self.rays_are_fresh {
            return;
        }
        for (handle, link) in self.links.iter().filter(|(_, link)| link.moves || link.is_led) {
            if let Some(pose) = self.physics.link_pose(link.physics) {
                self.rays.set_pose(link.frame, pose);
                self.drawn.set_pose(handle, pose);
            }
        }
        self.rays_are_fresh = true;
    }
}

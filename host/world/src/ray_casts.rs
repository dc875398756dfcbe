//! Rays that plugins cast in the world. Simulation thread only.

use bridgehead_physics::rays::Hit;
use bridgehead_sdf::Budget;

use super::sight::{RayQuery, Shapes};
use super::world::World;

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
        self.sight.build_drawn_shapes(&mut self.meshes, budget)
    }

    fn cast_at(&mut self, shapes: Shapes, query: &RayQuery<'_>, take: impl FnMut(usize, &Hit)) {
        self.update_rays();
        let body = query.ignore.and_then(|link| Some(self.links.get(link)?.rigid));
        let body = body.and_then(|first_link| Some((first_link, self.links.get(first_link)?.frame)));
        self.sight.cast(shapes, query, body, take);
    }

    /// Updates the ray scenes to the poses of the links; only before rays are cast.
    pub(super) fn update_rays(&mut self) {
        let moved = self.links.iter().filter(|(_, link)| link.moves || link.is_led);
        let physics = &self.physics;
        self.sight.update(
            moved.filter_map(|(handle, link)| Some((handle, link.frame, physics.link_pose(link.physics)?))),
        );
    }
}

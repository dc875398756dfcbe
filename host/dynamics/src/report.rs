//! What happened in the last step: contacts with their impulses, and bodies that are lost.

use glam::DVec3;

use crate::body::Body;
use crate::world::World;

/// A point where two colliders touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The tags of both colliders.
    pub tags: [u32; 2],
    /// Midway between the two surfaces, world.
    pub point: DVec3,
    /// From the first to the second, world, of length one.
    pub normal: DVec3,
    /// How deep they overlap, metres.
    pub depth: f64,
    /// Along the normal in the last step, N s.
    pub impulse: f64,
    /// The share of friction on the second in the last step, world, N s.
    pub drag: DVec3,
}

impl World {
    /// Calls `take` with every contact that pushed in the last step, or overlaps without pushing.
    pub fn for_each_contact(&self, mut take: impl FnMut(ContactPoint)) {
        for (index, _) in self.pairs.iter() {
            self.read_pair(index, &mut take);
        }
    }

    /// Calls `take` with the contacts of one collider.
    pub fn for_each_contact_of(&self, collider: usize, mut take: impl FnMut(ContactPoint)) {
        for (_, pair) in &self.colliders[collider].near {
            self.read_pair(*pair, &mut take);
        }
    }

    fn read_pair(&self, index: usize, take: &mut impl FnMut(ContactPoint)) {
        let pair = &self.pairs[index];
        if pair.touches.is_empty() {
            return;
        }
        let colliders = pair.colliders.map(|collider| &self.colliders[collider]);
        let pushes = colliders[0].pushes(colliders[1]);
        let tags = colliders.map(|collider| collider.tag);
        let poses = colliders.map(|collider| &self.bodies[collider.body].pose);
        for touch in &pair.touches {
            let placed = touch.manifold.at(poses[0], poses[1]);
            let total: f64 = touch.normal.iter().sum();
            for index in 0..touch.manifold.count {
                let (impulse, depth) = (touch.normal[index], -placed.distances[index]);
                if if pushes { impulse > 0.0 } else { depth >= 0.0 } {
                    let share = if total > 0.0 { impulse / total } else { 0.0 };
                    let (point, normal) = (placed.at[index], placed.normal);
                    let impulse = if pushes { impulse } else { 0.0 };
                    take(ContactPoint { tags, point, normal, depth, impulse, drag: touch.drag * share });
                }
            }
        }
    }

    /// Returns the first body whose state is not finite.
    #[must_use]
    pub fn lost(&self) -> Option<usize> {
        let is_finite = |body: &Body| {
            let [linear, angular] = body.velocity;
            body.pose.is_finite() && linear.is_finite() && angular.is_finite()
        };
        self.bodies.iter().find(|(_, body)| !is_finite(body)).map(|(index, _)| index)
    }
}

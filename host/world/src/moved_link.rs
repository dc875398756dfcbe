//! Links that plugins move along paths of their own, such as cabins of elevators and actors with goals.
//!
//! A link becomes kinematic with its first move and rests in steps without one. Simulation thread only.

use bridgehead_physics::PhysicsError;
use bridgehead_sdf::pose::Pose;

use super::command::CommandError;
use super::world::World;

impl World {
    /// Refuses a link that a joint holds: the two would contradict each other.
    pub(super) fn require_free_link(&self, link: u32) -> Result<(), CommandError> {
        match self.links.get(link) {
            Some(entity) if self.physics.is_held_by_joint(entity.physics) => {
                Err(CommandError::HeldLink(entity.name.clone()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Moves a link to a pose that it reaches at the end of the coming step.
    pub(super) fn move_link(&mut self, link: u32, pose: Pose) -> Result<(), PhysicsError> {
        let Some(entity) = self.links.get_mut(link) else { return Ok(()) };
        entity.is_led = true;
        let (model, physics) = (entity.model, entity.physics);
        if !self.led_models.contains(&model) {
            self.led_models.push(model);
        }
        self.physics.lead_link(physics, pose)
    }

    /// Forgets which links plugins moved, after physics returned to its beginning.
    pub(super) fn forget_led_links(&mut self) {
        self.led_models.clear();
        self.sight.expire();
        if self.links.values().any(|link| link.is_led) {
            // The rays see links of static models at rest from now on.
            self.update_rays();
            self.links.values_mut().for_each(|link| link.is_led = false);
        }
    }
}

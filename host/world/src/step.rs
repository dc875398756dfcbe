//! The steps of a world, and its return to the beginning. Simulation thread only.

use bridgehead_physics::PhysicsError;
use bridgehead_sdf::pose::Pose;

use super::world::World;

impl World {
    /// Applies the queued commands, and advances physics by one step.
    ///
    /// # Errors
    /// Returns an error if a state became non-finite, with the entity's name, or if the engine failed.
    pub fn step(&mut self) -> Result<(), PhysicsError> {
        self.keep_motion();
        self.apply_commands();
        self.sight.expire();
        self.move_actors()?;
        self.led_models.clear();
        self.steps += 1;
        self.physics.step()
    }

    /// Places a model. Physics, contacts and rays are consistent when this returns.
    ///
    /// # Errors
    /// Returns an error if physics rejects the pose.
    pub fn place_model(&mut self, model: usize, pose: Pose) -> Result<(), PhysicsError> {
        let Some((link, in_link)) = self.models.get(model).and_then(|model| model.canonical) else {
            return Ok(());
        };
        let Some(link) = self.links.get(link) else { return Ok(()) };
        self.physics.set_link_pose(link.physics, pose * in_link.inverse())?;
        self.physics.refresh();
        self.sight.expire();
        Ok(())
    }

    /// Moves every model to its initial pose, at rest and without commands or bonds. Actors restart their scripts.
    ///
    /// # Errors
    /// Returns an error if physics fails.
    pub fn reset_state(&mut self) -> Result<(), PhysicsError> {
        self.commands.clear();
        self.detach_all()?;
        self.physics.reset_models(self.models.values().filter_map(|model| model.physics))?;
        self.steps = 0;
        self.forget_motion(None);
        self.physics.refresh();
        self.sight.expire();
        Ok(())
    }
}

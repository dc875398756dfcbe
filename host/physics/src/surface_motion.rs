//! Surfaces that run, such as the belts of tracks, and slips that change during a run.
//!
//! Both are friction by direction, so that a collision without it gets it, with its coefficient in all directions. Runs on
//! the simulation thread.

use bridgehead_dynamics::{Belt, Directional};
use bridgehead_pose::DVec3;
use serde::{Deserialize, Serialize};

use super::error::PhysicsError;
use super::id::CollisionId;
use super::world::Physics;

/// The motion of a surface relative to its link.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMotion {
    /// The axis that the surface runs about, in the link frame, of length one: that of the wheels of a belt. What is on the
    /// side of the normal n moves along axis × n, so that a vehicle on its belt is driven along n × axis.
    pub axis: DVec3,
    /// m/s.
    pub speed: f64,
    /// The point in the world that the vehicle turns about. The surface then pushes perpendicularly to the
    /// way there, with its whole speed, as Gazebo's `TrackController.cc` does.
    pub center: Option<DVec3>,
}

impl Physics {
    /// Sets the motion of a surface until the next call; `None` ends it.
    ///
    /// # Errors
    /// Returns an error if there is no such collision.
    pub fn drive_surface(
        &mut self,
        id: CollisionId,
        motion: Option<SurfaceMotion>,
    ) -> Result<(), PhysicsError> {
        let link = self.link_of(id).and_then(|link| self.link(link));
        let link = link.ok_or(PhysicsError::NoSuchCollision(id))?;
        let (body, turn) = (link.body, link.in_body.rotation);
        let belt =
            motion.map(|SurfaceMotion { axis, speed, center }| Belt { axis: turn * axis, speed, center });
        self.change_friction(id, |friction| friction.belt = belt, motion.is_none())?;
        // What rests on a belt is asleep, and a belt of a static model wakes nothing by itself.
        if motion.is_some_and(|motion| motion.speed != 0.0) {
            self.world.wake_touching(body);
        }
        Ok(())
    }

    /// Sets the slips of a surface, m/(s N), along both directions of its friction.
    ///
    /// # Errors
    /// Returns an error if there is no such collision.
    pub fn set_slips(&mut self, id: CollisionId, slips: [f64; 2]) -> Result<(), PhysicsError> {
        self.change_friction(id, |friction| friction.slips = slips, slips == [0.0; 2])
    }

    /// Stops the surfaces of a model.
    pub(super) fn stop_surfaces(&mut self, collisions: &[CollisionId]) {
        for id in collisions {
            // A collision that was removed has no surface to stop.
            let _ = self.change_friction(*id, |friction| friction.belt = None, true);
        }
    }

    /// Changes the friction by direction of a collision, which it gets if it has none; with `only_known` it does not.
    fn change_friction(
        &mut self,
        id: CollisionId,
        change: impl Fn(&mut Directional),
        only_known: bool,
    ) -> Result<(), PhysicsError> {
        let collision = self.collisions.get(id).ok_or(PhysicsError::NoSuchCollision(id))?;
        for &collider in &collision.colliders {
            let mut surface = *self.world.surface(collider);
            if surface.directional.is_none() && only_known {
                continue;
            }
            let plain = Directional {
                first: collision.first,
                coefficients: [surface.friction; 2],
                ..Directional::default()
            };
            change(surface.directional.get_or_insert(plain));
            self.world.set_surface(collider, surface);
        }
        Ok(())
    }
}

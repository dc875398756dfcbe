//! Surfaces that run, such as the belts of tracks, and slips that change during a run.
//!
//! Both are friction by direction, so that a collision without it gets it, with its coefficient in all directions. Runs on
//! the simulation thread.

use bridgehead_sdf::pose::{DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::body::from_rapier;
use super::directional::DirectionalSurface;
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

/// The directions of friction at a contact, and the speed at which the other body passes along the first one.
pub(super) struct Driven {
    pub(super) rotation: DQuat,
    pub(super) speed: f64,
}

impl SurfaceMotion {
    /// Returns the friction at a contact with the normal `out` of the surface; `None` if the normal is along the axis.
    pub(super) fn at(&self, rotation: DQuat, point: DVec3, out: DVec3) -> Option<Driven> {
        let forward = out.cross(rotation * self.axis).try_normalize()?;
        let around = self.center.and_then(|center| out.cross(point - center).try_normalize());
        let along = around.map_or(forward, |around| around * around.dot(forward).signum());
        let frame = DMat3::from_cols(along, out.cross(along), out);
        Some(Driven { rotation: DQuat::from_mat3(&frame), speed: -self.speed })
    }
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
        if motion.is_none() && self.directional.surface_mut(id).is_none() {
            return Ok(());
        }
        let surface = self.directional_surface(id)?;
        let runs = motion.is_some_and(|motion| motion.speed != 0.0);
        surface.motion = motion;
        // What rests on a belt is asleep, and a belt of a static model wakes nothing by itself.
        if let Some(body) =
            self.link_of(id).and_then(|link| self.link(link)).map(|link| link.body).filter(|_| runs)
        {
            self.wake_bodies_at(body);
        }
        Ok(())
    }

    /// Sets the slips of a surface, m/(s N), along both directions of its friction.
    ///
    /// # Errors
    /// Returns an error if there is no such collision.
    pub fn set_slips(&mut self, id: CollisionId, slips: [f64; 2]) -> Result<(), PhysicsError> {
        if slips == [0.0; 2] && self.directional.surface_mut(id).is_none() {
            return Ok(());
        }
        self.directional_surface(id)?.slips = slips;
        Ok(())
    }

    /// Stops the surfaces of a model.
    pub(super) fn stop_surfaces(&mut self, collisions: &[CollisionId]) {
        for id in collisions {
            if let Some(surface) = self.directional.surface_mut(*id) {
                surface.motion = None;
            }
        }
    }

    /// The friction by direction of a collision, which it gets if it has none.
    fn directional_surface(&mut self, id: CollisionId) -> Result<&mut DirectionalSurface, PhysicsError> {
        let handle = self.collider(id).ok_or(PhysicsError::NoSuchCollision(id))?;
        if self.directional.surface_mut(id).is_none()
            && let Some(collider) = self.rapier.colliders.get_mut(handle)
        {
            let friction = collider.friction();
            collider.set_friction(0.0);
            self.directional.insert(DirectionalSurface {
                collision: id,
                first: self.directional.first_of(id),
                coefficients: [friction; 2],
                slips: [0.0; 2],
                torsion: None,
                motion: None,
            });
        }
        self.directional.surface_mut(id).ok_or(PhysicsError::NoSuchCollision(id))
    }

    /// The directions of a running surface at a contact; `out` is the normal from the surface to the other body.
    pub(super) fn driven(&self, surface: &DirectionalSurface, point: DVec3, out: DVec3) -> Option<Driven> {
        let motion = surface.motion?;
        let body = self.link(self.link_of(surface.collision)?)?.body;
        let rotation = from_rapier(self.rapier.bodies.get(body)?.position()).rotation;
        motion.at(rotation, point, out)
    }
}

//! Velocities of links at the beginning and the end of a step, kept only on request.
//!
//! They are recorded during the check of the state at the end of a step, which visits every body anyway.

use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::{RigidBody, RigidBodyHandle, RigidBodySet};

use super::body::{Link, body_pose, from_rapier};
use super::id::{LinkId, ModelId};
use super::world::Physics;

/// Linear velocity of a point, m/s, and angular velocity, rad/s; world frame.
pub type Velocity = [DVec3; 2];

/// Velocities of all links, in the order of their table.
#[derive(Debug, Default)]
pub(super) struct Velocities {
    /// The body, and the vector from its centre of mass to the point, link frame.
    points: Vec<(RigidBodyHandle, DVec3)>,
    /// At the end of the last step, or as set since.
    now: Vec<Velocity>,
    /// At the beginning of the last step.
    before: Vec<Velocity>,
}

/// A link for frequent reads without a look-up. Valid until a model is added or removed.
#[derive(Clone, Copy, Debug)]
pub struct LinkCursor {
    body: RigidBodyHandle,
    /// Index in the table of links.
    place: usize,
    /// The centre of mass in the link frame.
    center: DVec3,
}

/// The pose and velocity of a link.
#[derive(Clone, Copy, Debug)]
pub struct LinkMotion {
    /// The pose of the link frame in the world.
    pub pose: Pose,
    /// The velocity of the point that was given to [`Physics::keep_velocities`].
    pub velocity: Velocity,
    /// The change of the velocity in the last step.
    pub change: Velocity,
}

/// The velocity of a point of a body, `arm` away from its centre of mass in the axes of the body.
pub(super) fn of_point(body: &RigidBody, arm: DVec3) -> Velocity {
    let (linear, angular) = (body.linvel(), body.angvel());
    // For most bodies the point is the centre of mass, and the rotation can be skipped.
    if arm == DVec3::ZERO {
        return [linear, angular];
    }
    [linear + angular.cross(*body.rotation() * arm), angular]
}

impl Velocities {
    /// Records the velocities at the end of a step; returns true if the whole state is finite.
    fn note(&mut self, bodies: &RigidBodySet) -> bool {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        let mut is_finite = true;
        self.now.extend(self.points.iter().map(|(body, arm)| {
            let Some(body) = bodies.get(*body) else { return Velocity::default() };
            let velocity @ [linear, angular] = of_point(body, *arm);
            is_finite &= from_rapier(body.position()).is_finite() & linear.is_finite() & angular.is_finite();
            velocity
        }));
        is_finite
    }

    /// The velocity and its change, if both are known.
    fn at(&self, place: usize) -> Option<(Velocity, Velocity)> {
        let (now, before) = self.now.get(place).zip(self.before.get(place))?;
        Some((*now, [now[0] - before[0], now[1] - before[1]]))
    }

    /// Removes the entry of a removed link; later entries move up.
    pub(super) fn remove(&mut self, place: usize) {
        if place < self.points.len() {
            self.points.remove(place);
        }
        for velocities in [&mut self.now, &mut self.before] {
            if place < velocities.len() {
                velocities.remove(place);
            }
        }
    }
}

impl Physics {
    /// Keeps velocities from now on, so that changes are known after the next step: of the origin of each
    /// link, or of the point in its frame that `points` gives.
    pub fn keep_velocities(&mut self, points: impl Iterator<Item = (LinkId, DVec3)>) {
        let mut kept: Vec<_> = self.links.values().map(|link| (link.body, -link.center)).collect();
        for (place, point) in points.filter_map(|(link, point)| Some((self.links.place(link)?, point))) {
            if let Some((_, arm)) = kept.get_mut(place) {
                *arm += point;
            }
        }
        let mut velocities = Velocities { points: kept, ..Velocities::default() };
        velocities.note(&self.rapier.bodies);
        self.velocities = Some(velocities);
    }

    /// Stops keeping velocities.
    pub fn drop_velocities(&mut self) {
        self.velocities = None;
    }

    /// Invalidates the changes of a model that was moved or whose velocity was set: they do not result from
    /// the last step.
    pub fn forget_velocities(&mut self, model: ModelId) {
        let Some(velocities) = &mut self.velocities else { return };
        let links = self.models.get(model).into_iter().flat_map(|model| &model.links);
        for place in links.filter_map(|link| self.links.place(*link)) {
            let point = velocities.points.get(place);
            let body = point.and_then(|(body, arm)| Some((self.rapier.bodies.get(*body)?, *arm)));
            let Some(current) = body.map(|(body, arm)| of_point(body, arm)) else { continue };
            for kept in [&mut velocities.now, &mut velocities.before] {
                if let Some(kept) = kept.get_mut(place) {
                    *kept = current;
                }
            }
        }
    }

    /// Returns the change of a link's velocity in the last step; `None` if it is not known.
    pub fn velocity_change(&self, link: LinkId) -> Option<Velocity> {
        Some(self.velocities.as_ref()?.at(self.links.place(link)?)?.1)
    }

    /// Returns a cursor for reading a link without a look-up.
    pub fn link_cursor(&self, link: LinkId) -> Option<LinkCursor> {
        let place = self.links.place(link)?;
        let Link { body, center, .. } = *self.links.at(place)?.1;
        Some(LinkCursor { body, place, center })
    }

    /// Returns the pose and velocity of a link; `None` if velocities are not kept yet.
    pub fn motion(&self, cursor: &LinkCursor) -> Option<LinkMotion> {
        let (velocity, change) = self.velocities.as_ref()?.at(cursor.place)?;
        let body = from_rapier(self.rapier.bodies.get(cursor.body)?.position());
        let pose = if cursor.center == DVec3::ZERO { body } else { body_pose(&body, -cursor.center) };
        Some(LinkMotion { pose, velocity, change })
    }

    /// Checks the state at the end of a step, and records velocities if they are kept. Returns true if the
    /// state is finite.
    pub(super) fn record_and_check(&mut self) -> bool {
        match &mut self.velocities {
            Some(velocities) => {
                velocities.note(&self.rapier.bodies)
                    && velocities.points.len() == self.links.len()
                    && self.lost.is_none()
            }
            None => self.check_finite().is_ok(),
        }
    }
}

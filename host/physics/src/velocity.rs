//! Velocities of links at the beginning and the end of a step, kept only on request.
//!
//! They are recorded during the check of the state at the end of a step, which visits every body anyway.

use bridgehead_dynamics::World;
use bridgehead_pose::{DVec3, Pose};

use super::id::{LinkId, ModelId};
use super::link::{from_core, velocity_at};
use super::world::Physics;

/// Linear velocity of a point, m/s, and angular velocity, rad/s; world frame.
pub type Velocity = [DVec3; 2];

/// Velocities of all links, in the order of their table.
#[derive(Debug, Clone, Default)]
pub(super) struct Velocities {
    /// The body, and the point in its frame.
    points: Vec<(usize, DVec3)>,
    /// At the end of the last step, or as set since.
    now: Vec<Velocity>,
    /// At the beginning of the last step.
    before: Vec<Velocity>,
}

/// A link for frequent reads without a look-up. Valid until a model is added or removed.
#[derive(Clone, Copy, Debug)]
pub struct LinkCursor {
    body: usize,
    /// Index in the table of links.
    place: usize,
    /// The link frame in the frame of the body.
    in_body: Pose,
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

impl Velocities {
    /// Records the velocities at the end of a step; returns true if the whole state is finite.
    fn note(&mut self, world: &World) -> bool {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        let mut is_finite = true;
        self.now.extend(self.points.iter().map(|(body, arm)| {
            let velocity @ [linear, angular] = velocity_at(world, *body, *arm);
            is_finite &= world.pose(*body).is_finite() & linear.is_finite() & angular.is_finite();
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
        let mut kept: Vec<_> = self.links.values().map(|link| (link.body, link.in_body.position)).collect();
        for (link, point) in points {
            let place = self.links.place(link).and_then(|place| kept.get_mut(place));
            if let Some((link, (_, arm))) = self.link(link).zip(place) {
                *arm = link.in_body.transform_point(point);
            }
        }
        let mut velocities = Velocities { points: kept, ..Velocities::default() };
        velocities.note(&self.world);
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
            let Some((body, arm)) = velocities.points.get(place) else { continue };
            let current = velocity_at(&self.world, *body, *arm);
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
        let (_, link) = self.links.at(place)?;
        Some(LinkCursor { body: link.body, place, in_body: link.in_body })
    }

    /// Returns the pose and velocity of a link; `None` if velocities are not kept yet.
    pub fn motion(&self, cursor: &LinkCursor) -> Option<LinkMotion> {
        let (velocity, change) = self.velocities.as_ref()?.at(cursor.place)?;
        let body = from_core(&self.world.pose(cursor.body));
        let pose = if cursor.in_body == Pose::IDENTITY { body } else { body * cursor.in_body };
        Some(LinkMotion { pose, velocity, change })
    }

    /// Checks the state at the end of a step, and records velocities if they are kept. Returns true if the
    /// state is finite.
    pub(super) fn record_and_check(&mut self) -> bool {
        match &mut self.velocities {
            Some(velocities) => velocities.note(&self.world) && velocities.points.len() == self.links.len(),
            None => self.check_finite().is_ok(),
        }
    }
}

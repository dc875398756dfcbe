//! Rigid bodies: what moves them, where they are, and whether they rest.

use glam::{DMat3, DVec3};
use rapier3d_f64::math::Pose;
use serde::{Deserialize, Serialize};

use crate::math::{Spatial, rotation_by, unit};
use crate::tree::Mass;

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Owner {
    /// Nothing, or the caller by [`Body::target`].
    Caller,
    /// Forces, on its own.
    Forces,
    /// The tree of which it is a link.
    Tree { tree: usize, link: usize },
}

/// A rigid body. Its frame is at its centre of mass along its principal axes, or anywhere if forces do not move it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Body {
    pub(crate) owner: Owner,
    pub(crate) pose: Pose,
    /// m/s of the centre of mass, and rad/s; world.
    pub(crate) velocity: [DVec3; 2],
    /// The velocity by forces alone in this step.
    #[serde(skip)]
    pub(crate) free_velocity: [DVec3; 2],
    /// The rotation at the beginning of the step, at which its rows are made.
    #[serde(skip)]
    pub(crate) axes: DMat3,
    pub(crate) mass: Mass,
    /// The inverse of the square roots of mass and moments, by which velocities are scaled for the solver; zero if the body
    /// does not move on its own.
    pub(crate) roots: (f64, DVec3),
    /// The force and torque on the centre of mass during the next step.
    pub(crate) push: Spatial,
    /// The pose at the end of the next step, if the caller moves the body.
    pub(crate) target: Option<Pose>,
    /// The velocity that the caller gave a body which forces do not move; it holds until there is a target.
    pub(crate) drift: [DVec3; 2],
    pub(crate) colliders: Vec<usize>,
    /// The distance of the farthest point of its colliders from the centre of mass.
    pub(crate) radius: f64,
    /// The way of its fastest point since the beginning, metres, and its speed.
    pub(crate) way: f64,
    pub(crate) speed: f64,
    pub(crate) rest: Rest,
}

/// Whether a body rests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rest {
    /// True if it may sleep.
    pub(crate) may_sleep: bool,
    /// The pose since which it has hardly moved, and for how long, seconds.
    pub(crate) since: Pose,
    pub(crate) time: f64,
    /// The group of bodies that sleep together, if it sleeps.
    pub(crate) asleep: Option<usize>,
}

impl Body {
    pub(crate) fn new(owner: Owner, pose: Pose, mass: Mass, may_sleep: bool) -> Self {
        Self {
            owner,
            pose,
            velocity: [DVec3::ZERO; 2],
            free_velocity: [DVec3::ZERO; 2],
            axes: DMat3::IDENTITY,
            roots: if owner == Owner::Forces { inverse_roots(&mass) } else { (0.0, DVec3::ZERO) },
            mass,
            push: Spatial::ZERO,
            target: None,
            drift: [DVec3::ZERO; 2],
            colliders: Vec::new(),
            radius: 0.0,
            way: 0.0,
            speed: 0.0,
            rest: Rest { may_sleep, since: pose, time: 0.0, asleep: None },
        }
    }

    /// Returns true if forces can move it.
    #[inline]
    pub(crate) fn is_dynamic(&self) -> bool {
        // The root of a tree that forces do not move belongs to the caller.
        self.owner != Owner::Caller
    }

    /// Returns true if it is simulated in the next step.
    #[inline]
    pub(crate) fn is_awake(&self) -> bool {
        self.rest.asleep.is_none()
    }

    /// The velocity of a point in the world.
    #[inline]
    pub(crate) fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity[0] + self.velocity[1].cross(point - self.pose.translation)
    }

    /// The angular momentum about the centre of mass, world.
    pub(crate) fn spin(&self) -> DVec3 {
        let axes = DMat3::from_quat(self.pose.rotation);
        axes * (self.mass.moments * (axes.transpose() * self.velocity[1]))
    }

    /// Advances the velocity of a single body by the forces of a step.
    pub(crate) fn accelerate(&mut self, h: f64, gravity: DVec3) {
        let axes = self.axes;
        let weight = gravity * self.mass.heavy;
        let mut torque = self.push.angular;
        if self.mass.heavy_center != DVec3::ZERO {
            torque += (axes * self.mass.heavy_center).cross(weight);
        }
        let [linear, angular] = self.mass.decay.map(|decay| 1.0 / (1.0 + h * decay));
        self.velocity[0] = (self.velocity[0] + (self.push.linear + weight) * (h / self.mass.mass)) * linear;
        let spin = turn_freely(axes.transpose() * self.velocity[1], self.mass.moments, h);
        let pulled = (axes.transpose() * torque) * h / self.mass.moments;
        self.velocity[1] = (axes * (spin + pulled)) * angular;
        self.free_velocity = self.velocity;
    }

    /// Moves a single body by its velocity.
    pub(crate) fn integrate(&mut self, h: f64) {
        self.pose.translation += self.velocity[0] * h;
        self.pose.rotation = unit(rotation_by(self.velocity[1] * h) * self.pose.rotation);
    }

    /// Sets the velocity that reaches the target at the end of the step.
    pub(crate) fn head_for_target(&mut self, h: f64) {
        let Some(target) = self.target else {
            self.velocity = self.drift;
            return;
        };
        self.drift = [DVec3::ZERO; 2];
        let turn = crate::math::vector_of(unit(target.rotation * self.pose.rotation.conjugate()));
        self.velocity = [(target.translation - self.pose.translation) / h, turn / h];
    }

    /// Notes how far it went in a step.
    #[inline]
    pub(crate) fn note_way(&mut self, h: f64) {
        self.speed = self.velocity[0].length() + self.velocity[1].length() * self.radius;
        self.way += self.speed * h;
    }

    /// Starts the time of its rest anew.
    pub(crate) fn restart_rest(&mut self) {
        (self.rest.since, self.rest.time) = (self.pose, 0.0);
    }
}

/// Euler's equations without a torque for a step, by the method of Runge and Kutta; principal axes.
fn turn_freely(spin: DVec3, moments: DVec3, h: f64) -> DVec3 {
    if moments.x == moments.y && moments.y == moments.z {
        return spin;
    }
    let m = moments;
    let factors = DVec3::new((m.y - m.z) / m.x, (m.z - m.x) / m.y, (m.x - m.y) / m.z);
    let change = |w: DVec3| factors * DVec3::new(w.y * w.z, w.z * w.x, w.x * w.y);
    let one = change(spin);
    let two = change(spin + one * (0.5 * h));
    let three = change(spin + two * (0.5 * h));
    let four = change(spin + three * h);
    spin + (one + (two + three) * 2.0 + four) * (h / 6.0)
}

fn inverse_roots(mass: &Mass) -> (f64, DVec3) {
    let root = |value: f64| 1.0 / value.sqrt();
    let moments = mass.moments;
    (root(mass.mass), DVec3::new(root(moments.x), root(moments.y), root(moments.z)))
}

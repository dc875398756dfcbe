//! Servos and stops: what works towards a velocity along an axis, with an impulse in proportion to the difference.

use serde::{Deserialize, Serialize};

use super::{AxisRow, Slot};

/// The damping of a stop for an axis that moves 1 kg m², N m s/rad: more than that of any servo.
const STOP: f64 = 1e12;

/// A spring and damper towards a position and a speed, in a step: impulse = gain (goal − v), where v is the velocity at the
/// end of the step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Servo {
    pub(super) gain: f64,
    pub(super) goal: f64,
    /// The greatest impulse.
    pub(super) most: f64,
}

impl Servo {
    /// Effort = stiffness · (target − q) + damping · (speed − v), with q and v at the end of the step. Gains that are too
    /// small for their inverse to be finite exert nothing.
    pub(super) fn new([stiffness, damping]: [f64; 2], [way, speed]: [f64; 2], most: f64, h: f64) -> Self {
        let per_velocity = damping + h * stiffness;
        if !(h * per_velocity).is_normal() {
            return Self { most: most * h, ..Self::default() };
        }
        let goal = (stiffness * way + damping * speed) / per_velocity;
        Self { gain: h * per_velocity, goal, most: most * h }
    }

    /// The impulse, without its limit.
    #[inline]
    pub(super) fn impulse(&self, velocity: f64) -> f64 {
        self.gain * (self.goal - velocity)
    }

    pub(super) fn row(&self, slot: Option<Slot>, impulse: f64) -> AxisRow {
        let range = [-self.most, self.most];
        AxisRow { slot, bias: [-self.goal; 2], softness: 1.0 / self.gain, range, impulse }
    }
}

/// A stop that an axis pushes against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Stop {
    /// True for the limit of the speed, false for that of the position.
    pub(super) is_speed: bool,
    /// Positive at the upper limit.
    pub(super) side: f64,
    /// The velocity at which it holds the axis.
    pub(super) goal: f64,
}

impl Stop {
    /// `scale` is the length of the step times the inertia.
    pub(super) fn servo(&self, scale: f64) -> Servo {
        Servo { gain: STOP * scale, goal: self.goal, most: f64::INFINITY }
    }
}

/// True if a servo of any effort pushes against a stop of the position: it yields.
#[inline]
pub(super) fn yields(stop: Option<Stop>, servo: &Servo) -> bool {
    servo.most == f64::INFINITY && stop.is_some_and(|stop| !stop.is_speed && servo.goal * stop.side > 0.0)
}

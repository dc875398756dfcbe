//! What acts along one axis of a joint: motor, spring, damper, friction, limits.
//!
//! Springs, dampers, motors and friction are all *servos*: they work towards a velocity, with a gain, and some with at
//! most a certain effort. A servo that has not reached its greatest effort is part of the mass matrix of its tree, and so
//! exact, however stiff it is. One that has reached it is a row of the solver, which gives the greatest effort.
//!
//! Limits of positions and speeds are *stops*: an axis that has reached one is held there by the mass matrix as well, as
//! long as it pushes against it. A step is solved again if a servo or a stop turns out to be in the wrong state.

mod freedom;
mod servo;

use serde::{Deserialize, Serialize};

pub(crate) use freedom::Freedom;

/// What acts along an axis. Positions are radians or metres, efforts N m or N.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The lowest and the highest position; infinite for none.
    pub limits: [f64; 2],
    /// Makes the limits springs instead of rigid stops.
    pub stop: Option<SoftStop>,
    /// The speed at which an axis that is beyond a limit returns, rad/s or m/s.
    pub return_speed: f64,
    /// The greatest speed, whatever drives the axis; infinite for none.
    pub speed_limit: f64,
    /// The greatest effort of dry friction.
    pub friction: f64,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// The stiffness of a spring, N m/rad or N/m.
    pub stiffness: f64,
    /// The position at which the spring exerts no effort.
    pub reference: f64,
    /// The motor.
    pub motor: Motor,
    /// A constant effort.
    pub effort: f64,
}

impl Default for Axis {
    fn default() -> Self {
        Self {
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            stop: None,
            return_speed: 1.0,
            speed_limit: f64::INFINITY,
            friction: 0.0,
            damping: 0.0,
            stiffness: 0.0,
            reference: 0.0,
            motor: Motor::Off,
            effort: 0.0,
        }
    }
}

/// A spring and damper beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftStop {
    /// N m/rad or N/m.
    pub stiffness: f64,
    /// N m s/rad or N s/m.
    pub dissipation: f64,
}

/// A motor of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Motor {
    /// It exerts nothing.
    #[default]
    Off,
    /// Holds a speed.
    Velocity {
        /// rad/s or m/s.
        target: f64,
        /// The greatest effort.
        most: f64,
    },
    /// A spring and damper towards a position.
    Position {
        /// The position.
        target: f64,
        /// N m/rad or N/m.
        stiffness: f64,
        /// N m s/rad or N s/m.
        damping: f64,
        /// The greatest effort.
        most: f64,
    },
}

/// The impulses of an axis that are kept from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Friction,
    Motor,
    Limit,
    Speed,
}

/// A row along an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRow {
    /// The slot that keeps its impulse.
    pub(crate) slot: Option<Slot>,
    /// Added to the velocity while positions are corrected, and without correction.
    pub(crate) bias: [f64; 2],
    pub(crate) softness: f64,
    /// The least and greatest impulse; for a limit of the speed, the least and greatest velocity.
    pub(crate) range: [f64; 2],
    /// The impulse of the last step.
    pub(crate) impulse: f64,
}

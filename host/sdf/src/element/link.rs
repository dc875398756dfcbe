//! `<link>`: one rigid body with its mass, its shapes and the sensors mounted on it.
//! Plain values, usable from any thread.

use super::collision::Collision;
use super::frame::FramePose;
use super::inertial::Inertial;
use super::light::Light;
use super::sensor::Sensor;
use super::visual::Visual;
use crate::document::Origin;

/// A `<link>`.
#[derive(Clone, Debug)]
pub struct Link {
    /// Name within its model.
    pub name: String,
    /// Its pose; the default frame is the model.
    pub pose: FramePose,
    /// Mass and inertia; SDF's default is 1 kg with a unit inertia matrix.
    pub inertial: Inertial,
    /// True if gravity pulls it.
    pub gravity: bool,
    /// True if its motion is prescribed and forces do not act on it.
    pub kinematic: bool,
    /// Whether it collides with other links of its model; `None` leaves it to the model.
    pub self_collide: Option<bool>,
    /// True if the wind acts on it.
    pub enable_wind: bool,
    /// Damping of its free motion.
    pub velocity_decay: VelocityDecay,
    /// Collision shapes in document order.
    pub collisions: Vec<Collision>,
    /// Visual shapes in document order.
    pub visuals: Vec<Visual>,
    /// Sensors in document order.
    pub sensors: Vec<Sensor>,
    /// Lights mounted on the link.
    pub lights: Vec<Light>,
    /// Batteries in document order.
    pub batteries: Vec<Battery>,
    /// The element in its file.
    pub origin: Origin,
}

impl Default for Link {
    fn default() -> Self {
        Self {
            name: String::new(),
            pose: FramePose::default(),
            inertial: Inertial::default(),
            gravity: true,
            kinematic: false,
            self_collide: None,
            enable_wind: false,
            velocity_decay: VelocityDecay::default(),
            collisions: Vec::new(),
            visuals: Vec::new(),
            sensors: Vec::new(),
            lights: Vec::new(),
            batteries: Vec::new(),
            origin: Origin::default(),
        }
    }
}

/// `<battery>`: a voltage for plugins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Battery {
    /// Name, which plugins refer to.
    pub name: String,
    /// V when full.
    pub voltage: f64,
}

/// `<velocity_decay>`: exponential damping of a link's own motion, 1/s; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VelocityDecay {
    /// Damping of linear velocity.
    pub linear: f64,
    /// Damping of angular velocity.
    pub angular: f64,
}

//! What a plugin instance is attached to: names, frames, links and joints, as the plugin is told.
//! Plain values, made when the world is built.

use crate::pose::{DVec3, Pose};

/// What an instance is attached to.
#[derive(Clone, Debug, Default)]
pub struct Attachment {
    /// Vehicle; empty for the world.
    pub vehicle: String,
    /// Scoped model name; empty for the world.
    pub model: String,
    /// Name of the element.
    pub element: String,
    /// Unique path of the element.
    pub path: String,
    /// Frame of its messages.
    pub frame_id: String,
    /// `<topic>` of a sensor; empty without one.
    pub topic: String,
    /// The element as written.
    pub xml: String,
    /// Link that carries the sensor.
    pub parent_link: Option<u32>,
    /// Pose of the sensor in its link, or of the model in the world.
    pub pose: Pose,
    /// Nanoseconds between samples; 0 for every step.
    pub update_period_ns: i64,
    /// Gravity of the world, m/s².
    pub gravity: DVec3,
    /// Top-level model, for commands that move it.
    pub entity: Option<usize>,
    /// Links of the model.
    pub links: Vec<LinkFacts>,
    /// Joints of the model.
    pub joints: Vec<JointFacts>,
}

/// A link of the instance's model.
#[derive(Clone, Debug)]
pub struct LinkFacts {
    /// Handle in the world.
    pub link: u32,
    /// Name relative to the vehicle.
    pub name: String,
    /// Frame id for messages.
    pub frame_id: String,
    /// Pose in the model frame as loaded.
    pub pose: Pose,
    /// Kilograms.
    pub mass: f64,
}

/// A joint of the instance's model.
#[derive(Clone, Debug)]
pub struct JointFacts {
    /// Handle in the world.
    pub joint: u32,
    /// One of the ABI's `JOINT_` constants.
    pub kind: u32,
    /// Name relative to the vehicle.
    pub name: String,
    /// Lower limit.
    pub lower: f64,
    /// Upper limit.
    pub upper: f64,
    /// Largest effort.
    pub effort: f64,
    /// Largest speed.
    pub velocity: f64,
}

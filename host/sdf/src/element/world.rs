//! `<world>`: the root of a scene, with its models, lights, plugins and surroundings. Included models are in
//! `models` like all others. Plain values, usable from any thread.

use super::actor::Actor;
use super::entity::NamedPose;
use super::environment::Environment;
use super::frame::Frame;
use super::joint::Joint;
use super::light::Light;
use super::model::Model;
use super::physics::{DEFAULT_GRAVITY, DEFAULT_MAGNETIC_FIELD, Physics};
use super::plugin::Plugin;
use super::scene::Scene;
use crate::document::Origin;
use glam::DVec3;

/// A `<world>`.
#[derive(Clone, Debug)]
pub struct World {
    /// Name of the world.
    pub name: String,
    /// Gravity in the world frame, m/s².
    pub gravity: DVec3,
    /// Magnetic field in the world frame, tesla.
    pub magnetic_field: DVec3,
    /// Place on Earth, air and wind.
    pub environment: Environment,
    /// The physics profile in use.
    pub physics: Physics,
    /// All physics profiles, in document order.
    pub profiles: Vec<Physics>,
    /// Ambient light, background and sky.
    pub scene: Scene,
    /// Models in document order, included ones among them.
    pub models: Vec<Model>,
    /// Joints between models (SDF 1.10 and later).
    pub joints: Vec<Joint>,
    /// Frames of the world.
    pub frames: Vec<Frame>,
    /// Actors of the world.
    pub actors: Vec<Actor>,
    /// Lights of the world.
    pub lights: Vec<Light>,
    /// Poses that have a name.
    pub poses: Vec<NamedPose>,
    /// Plugins attached to the world.
    pub plugins: Vec<Plugin>,
    /// The element in its file.
    pub origin: Origin,
}

impl Default for World {
    fn default() -> Self {
        Self {
            name: String::new(),
            gravity: DEFAULT_GRAVITY,
            magnetic_field: DEFAULT_MAGNETIC_FIELD,
            environment: Environment::default(),
            physics: Physics::default(),
            profiles: Vec::new(),
            scene: Scene::default(),
            models: Vec::new(),
            joints: Vec::new(),
            frames: Vec::new(),
            actors: Vec::new(),
            lights: Vec::new(),
            poses: Vec::new(),
            plugins: Vec::new(),
            origin: Origin::default(),
        }
    }
}

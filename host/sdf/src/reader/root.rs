//! What an SDF file contains.

use crate::element::{Actor, Light, Model, World};

/// The content of an SDF file.
#[derive(Clone, Debug)]
pub enum Root {
    /// A world.
    World(Box<World>),
    /// A single model.
    Model(Box<Model>),
    /// A single light, used only by includes.
    Light(Box<Light>),
    /// A single actor.
    Actor(Box<Actor>),
}

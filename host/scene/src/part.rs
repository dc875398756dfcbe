//! The parts of a scene: what the world and each model look like, as resolved from their files. Plain values.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_sdf::element::{Collision, Light, Scene, Visual};
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::{Link, Model, Placed, World};

/// All parts of a world. A copy shares them.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The world.
    pub world: Arc<WorldPart>,
    /// Its models by index: in document order, spawned ones last.
    pub models: BTreeMap<usize, Arc<ModelPart>>,
}

/// What belongs to the world itself.
#[derive(Debug, Default)]
pub struct WorldPart {
    pub(crate) name: String,
    pub(crate) scene: Scene,
    pub(crate) lights: Vec<Placed<Light>>,
}

impl WorldPart {
    /// Creates the part of a world.
    #[must_use]
    pub fn new(world: &World) -> Self {
        WorldPart { name: world.name.clone(), scene: world.scene.clone(), lights: world.lights.clone() }
    }
}

/// A top-level model with the models nested in it.
#[derive(Debug, Default)]
pub struct ModelPart {
    pub(crate) name: String,
    pub(crate) links: Vec<LinkPart>,
}

/// A link, which carries visuals, lights and collisions.
#[derive(Debug)]
pub(crate) struct LinkPart {
    pub(crate) name: String,
    /// In the world.
    pub(crate) pose: Pose,
    pub(crate) is_static: bool,
    pub(crate) visuals: Vec<Placed<Visual>>,
    pub(crate) lights: Vec<Placed<Light>>,
    pub(crate) collisions: Vec<Placed<Collision>>,
}

impl ModelPart {
    /// Creates the part of a model at its pose.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let links = model.links.iter().map(|link| link_part(model, link)).collect();
        ModelPart { name: model.name.clone(), links }
    }
}

fn link_part(model: &Model, link: &Link) -> LinkPart {
    LinkPart {
        name: format!("{}::{}", model.name, link.name),
        pose: model.link_pose_world(link),
        is_static: model.is_static || link.is_static,
        visuals: link.visuals.clone(),
        lights: link.lights.clone(),
        collisions: link.collisions.clone(),
    }
}

//! Builds the world of a run from a resolved SDF world: physics, ray scene, tables of handles, and the list of plugin
//! slots. Usable from any thread.

use std::collections::BTreeMap;

use bridgehead_physics::{OVERLAP_SPEED, Physics, PhysicsError, Settings};
use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::resolved::{Actor, Model};
use bridgehead_sdf::{Budget, Diagnostic, Origin, resolved};
use thiserror::Error;

use super::attachment::Attachment;
use super::listing::plugin_slots;
use super::markers::SceneMarkers;
use super::origin::{element_name, place_of};
use super::slot::{ModelSlots, PluginSlot};
use super::surroundings::Surroundings;
use super::world::World;
use super::{actor, markers, names};
use crate::names::style::NameStyle;

/// Why a world could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Physics rejected the settings of the world.
    #[error("[BH-PHY-060] the world's physics settings cannot be used: {0}")]
    Settings(PhysicsError),
    /// Physics failed to remove a model.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    /// The budget of the reading did not suffice.
    #[error("{0}")]
    Stopped(Box<Diagnostic>),
}

/// Result of building a world.
pub struct Built {
    /// The world.
    pub world: World,
    /// Plugin slots in document order.
    pub slots: Vec<PluginSlot>,
    /// Attachments for plugins before their element is known, by vehicle; "" for the world.
    pub attachments: BTreeMap<String, Attachment>,
    /// Its visuals.
    pub markers: SceneMarkers,
    /// One message for each part that could not be built.
    pub problems: Vec<String>,
}

/// What a run says about the physics of its worlds.
#[derive(Clone, Copy, Debug)]
pub struct BuildOptions {
    /// Length of a step, seconds.
    pub step: f64,
    /// Number of equal parts of a step.
    pub substeps: u32,
    /// The speed at which bodies that are placed in each other are pushed apart, m/s.
    pub overlap_speed: f64,
    /// Whether a plane with a size ends there. In a world with plugins of CLOiSim it always does.
    pub finite_planes: bool,
    /// How topics are named.
    pub names: NameStyle,
}

impl BuildOptions {
    /// Returns the defaults for steps of `step` seconds, divided into `substeps`.
    #[must_use]
    pub fn new(step: f64, substeps: u32) -> Self {
        BuildOptions {
            step,
            substeps,
            overlap_speed: OVERLAP_SPEED,
            finite_planes: false,
            names: NameStyle::default(),
        }
    }
}

/// Builds a world with steps of `step` seconds, divided into `substeps` for physics.
///
/// # Errors
/// Returns an error if physics rejects the world's settings. A model that cannot be built is a problem in the list, and
/// the rest is built.
pub fn build(source: &resolved::World, step: f64, substeps: u32) -> Result<Built, BuildError> {
    build_within(source, BuildOptions::new(step, substeps), &Budget::default())
}

/// Builds a world like [`build`], with its meshes and images charged to `budget`.
///
/// # Errors
/// Returns an error like [`build`], and if the budget does not suffice.
pub fn build_within(
    source: &resolved::World,
    options: BuildOptions,
    budget: &Budget,
) -> Result<Built, BuildError> {
    let BuildOptions { step, substeps, overlap_speed, finite_planes, names } = options;
    let settings = Settings { step, substeps, overlap_speed, gravity: source.gravity, ..Settings::default() };
    let physics = Physics::new(settings).map_err(BuildError::Settings)?;
    let mut builder = Builder {
        world: World::new(source.name.clone(), Surroundings::of(source), physics),
        slots: Vec::new(),
        attachments: BTreeMap::new(),
        problems: Vec::new(),
    };
    builder.world.names = names;
    builder.world.meshes.finite_planes = finite_planes || is_of_cloisim(source);
    let of_world = Attachment { surroundings: builder.world.surroundings, ..Attachment::default() };
    builder.attachments.insert(String::new(), of_world);
    for plugin in &source.plugins {
        builder.world_plugin(plugin);
    }
    for model in &source.models {
        budget.go_on(|| model.origin.location()).map_err(BuildError::Stopped)?;
        builder.model(model, budget);
    }
    for actor in &source.actors {
        builder.actor(actor, budget);
    }
    if let Some(stopped) = budget.stopped() {
        return Err(BuildError::Stopped(Box::new(stopped.clone())));
    }
    if builder.slots.iter().any(PluginSlot::sees_visuals) {
        let problems = builder.world.build_drawn_shapes(budget);
        builder.problems.extend(problems);
    }
    builder.world_joints(source);
    builder.note_sunken(source);
    builder.world.set_named_poses(source);
    let markers = markers::collect(source, &builder.world);
    let Builder { mut world, slots, attachments, problems } = builder;
    world.beginning = Some(Box::new(world.physics.clone()));
    Ok(Built { world, slots, attachments, markers, problems })
}

/// Whether a world has plugins of CLOiSim, in whose worlds a plane ends at its size.
fn is_of_cloisim(source: &resolved::World) -> bool {
    let is_of_cloisim = |plugin: &Plugin| {
        names::file(&plugin.filename).is_some_and(|name| name.family == names::Family::CloisimPlugin)
    };
    let has_one = |plugins: &[Plugin]| plugins.iter().any(is_of_cloisim);
    has_one(&source.plugins)
        || source.models.iter().any(|model| {
            let mut sensors = model.links.iter().flat_map(|link| &link.sensors);
            has_one(&model.plugins)
                || model.submodels.iter().any(|nested| has_one(&nested.plugins))
                || sensors.any(|sensor| has_one(&sensor.element.plugins))
        })
}

struct Builder {
    world: World,
    slots: Vec<PluginSlot>,
    attachments: BTreeMap<String, Attachment>,
    problems: Vec<String>,
}

impl Builder {
    fn world_plugin(&mut self, plugin: &Plugin) {
        let element = element_name(plugin);
        let attachment = Attachment {
            path: element.clone(),
            element,
            surroundings: self.world.surroundings,
            ..Attachment::default()
        };
        let mut slots = plugin_slots(plugin, attachment, &[]);
        self.world.names.apply(&mut slots, &self.world.name);
        self.slots.extend(slots);
    }

    fn actor(&mut self, actor: &Actor, budget: &Budget) {
        let (index, links) = self.model(&actor::model_of(actor), budget);
        if let Err(error) = self.world.add_scripted_actor(index, actor, &links) {
            // Physics has the model, so only its earlier removal could cause a failure.
            self.problems.push(error.to_string());
        }
    }

    /// Builds a model. Returns its index and the handles of its links.
    fn model(&mut self, model: &Model, budget: &Budget) -> (usize, Vec<u32>) {
        let index = self.world.reserve(model);
        let mut added = self.world.populate(index, model, budget);
        self.problems.append(&mut added.problems);
        let links = added.links.clone();
        let ModelSlots { attachment, mut slots } = self.world.model_slots(index, model, added);
        self.attachments.insert(model.name.clone(), attachment);
        self.slots.append(&mut slots);
        (index, links)
    }

    /// Warns about models that begin below a plane.
    fn note_sunken(&mut self, source: &resolved::World) {
        let models: Vec<_> = self.world.models.values().filter_map(|model| model.physics).collect();
        let origins: BTreeMap<&str, &Origin> =
            source.models.iter().map(|model| (model.name.as_str(), &model.origin)).collect();
        self.problems.extend(self.world.sunken(&models, |name| origins.get(name).copied()));
    }

    /// Adds the joints that connect models to the world or to each other.
    fn world_joints(&mut self, source: &resolved::World) {
        for joint in &source.joints {
            if let Err(error) = self.world.add_world_joint(source, joint) {
                let place =
                    place_of(&joint.joint.origin).map(|place| format!("{place}: ")).unwrap_or_default();
                let name = &joint.joint.name;
                self.problems.push(format!(
                    "[BH-PHY-061] {place}joint `{name}` of the world is left out of physics: {error}"
                ));
            }
        }
    }
}

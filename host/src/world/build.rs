//! Builds the world of a run from a resolved SDF world: physics, ray scene, tables of handles, and the list
//! of plugins it asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::actor;
use super::markers::{self, SceneMarkers};
use super::names;
use super::populate::Added;
use super::{Attachment, LinkFacts, PluginSlot, SlotKind, Surroundings, World};
use crate::params::Place;
use crate::physics::{Physics, PhysicsError, Settings};
use crate::sdf::Origin;
use crate::sdf::element::{Plugin, Sensor};
use crate::sdf::resolved::{self, Actor, Model, Placed};

/// Why a world could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Physics refused its settings.
    #[error("[BH-PHY-060] the world's physics settings cannot be used: {0}")]
    Settings(PhysicsError),
    /// Physics refused to let a model go.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
}

/// A world and what goes with it.
pub struct Built {
    /// The world.
    pub world: World,
    /// Plugins it asks for, in document order.
    pub slots: Vec<PluginSlot>,
    /// What a plugin is attached to, before its element is known: by vehicle, "" for the world.
    pub attachments: BTreeMap<String, Attachment>,
    /// Its visuals.
    pub markers: SceneMarkers,
    /// What could not be had, for the log; the rest of the world stands.
    pub problems: Vec<String>,
}

/// Builds a world with steps of `step` seconds, divided into `substeps` for physics.
///
/// # Errors
/// Where physics cannot work with the world's settings at all; a model that cannot be had is a problem in the
/// list, and the rest is built.
pub fn build(source: &resolved::World, step: f64, substeps: u32) -> Result<Built, BuildError> {
    let settings = Settings { step, substeps, gravity: source.gravity, ..Settings::default() };
    let physics = Physics::new(settings).map_err(BuildError::Settings)?;
    let mut builder = Builder {
        world: World::new(source.name.clone(), Surroundings::of(source), physics),
        slots: Vec::new(),
        attachments: BTreeMap::new(),
        problems: Vec::new(),
    };
    let of_world = Attachment { surroundings: builder.world.surroundings, ..Attachment::default() };
    builder.attachments.insert(String::new(), of_world);
    for plugin in &source.plugins {
        builder.world_plugin(plugin);
    }
    for model in &source.models {
        builder.model(model);
    }
    for actor in &source.actors {
        builder.actor(actor);
    }
    builder.world_joints(source);
    let markers = markers::collect(source, &builder.world);
    let Builder { mut world, slots, attachments, problems } = builder;
    world.beginning = Some(Box::new(world.physics.clone()));
    Ok(Built { world, slots, attachments, markers, problems })
}

struct Builder {
    world: World,
    slots: Vec<PluginSlot>,
    attachments: BTreeMap<String, Attachment>,
    problems: Vec<String>,
}

/// A model while its plugins are listed.
struct Parts {
    name: String,
    /// Handle of each link.
    links: Vec<u32>,
    /// Handle of each joint of the model that physics has, by its index in the model.
    joints: BTreeMap<usize, u32>,
    attachment: Attachment,
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
        self.slots.push(plugin_slot(plugin, attachment));
    }

    fn actor(&mut self, actor: &Actor) {
        let (index, links) = self.model(&actor::model_of(actor));
        if let Err(error) = self.world.lead(index, actor, &links) {
            // Physics has the model, so that nothing but its removal could be in the way.
            self.problems.push(error.to_string());
        }
    }

    /// Builds a model; gives its index and the handles of its links.
    fn model(&mut self, model: &Model) -> (usize, Vec<u32>) {
        let index = self.world.reserve(model);
        let Added { links, joints, collisions, mut problems } = self.world.populate(index, model);
        self.problems.append(&mut problems);
        if let Some(entity) = self.world.models.get_mut(index) {
            entity.is_vehicle = has_plugins(model);
        }
        let handles =
            joints.iter().filter_map(|(position, facts)| Some(((*position)?, facts.joint))).collect();
        let attachment = Attachment {
            vehicle: model.name.clone(),
            model: model.name.clone(),
            pose: model.pose,
            surroundings: self.world.surroundings,
            entity: Some(index),
            links: link_facts(model, &links),
            joints: joints.into_iter().map(|(_, facts)| facts).collect(),
            collisions,
            ..Attachment::default()
        };
        self.attachments.insert(model.name.clone(), attachment.clone());
        let parts = Parts { name: model.name.clone(), links, joints: handles, attachment };
        self.plugins(model, &parts);
        (index, parts.links)
    }

    /// Joints that tie models to the world or to each other.
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

    /// Lists the plugins of a model: sensors of its links, then its own and its submodels' plugins.
    fn plugins(&mut self, model: &Model, parts: &Parts) {
        for (index, link) in model.links.iter().enumerate() {
            let handle = parts.links.get(index).copied();
            for placed in &link.sensors {
                let slot = parts.sensor(placed, &link.name);
                self.sensor(slot, handle, None, placed, parts);
            }
        }
        for (index, joint) in model.joints.iter().enumerate() {
            let handle = parts.joints.get(&index).copied();
            for placed in &joint.sensors {
                let slot = parts.sensor(placed, &joint.name);
                self.sensor(slot, None, handle, placed, parts);
            }
        }
        for plugin in &model.plugins {
            self.slots.push(plugin_slot(plugin, parts.attach("", plugin, &model.name)));
        }
        for submodel in &model.submodels {
            let scope = format!("{}::{}", model.name, submodel.name);
            for plugin in &submodel.plugins {
                self.slots.push(plugin_slot(plugin, parts.attach(&scoped(&submodel.name), plugin, &scope)));
            }
        }
    }

    /// Lists a sensor of a link or joint, and the plugins inside its element.
    fn sensor(
        &mut self,
        mut slot: PluginSlot,
        link: Option<u32>,
        joint: Option<u32>,
        placed: &Placed<Sensor>,
        parts: &Parts,
    ) {
        slot.attachment.parent_link = link;
        slot.attachment.parent_joint = joint;
        let path = slot.attachment.path.clone();
        let under = path.strip_prefix(&format!("{}/", parts.name)).unwrap_or(&path).to_owned();
        let own = |plugin: &&Plugin| !names::join(&mut slot, plugin);
        let plugins: Vec<&Plugin> = placed.element.plugins.iter().filter(own).collect();
        self.slots.push(slot);
        for plugin in plugins {
            self.slots.push(plugin_slot(plugin, parts.attach(&under, plugin, &parts.name)));
        }
    }
}

impl Parts {
    /// The slot of a sensor on the link or joint of that name.
    fn sensor(&self, placed: &Placed<Sensor>, carrier: &str) -> PluginSlot {
        let sensor = &placed.element;
        let path = format!("{}/{}/{}", self.name, scoped(carrier), sensor.name);
        let attachment = Attachment {
            element: sensor.name.clone(),
            frame_id: path.clone(),
            path,
            topic: sensor.topic.clone().unwrap_or_default(),
            xml: sensor.origin.xml().unwrap_or_default().to_owned(),
            pose: placed.pose,
            update_period_ns: period_ns(sensor.update_rate),
            ..self.attachment.clone()
        };
        PluginSlot {
            asked: sensor.kind.clone(),
            kind: SlotKind::Sensor,
            place: place_of(&sensor.origin),
            element: sensor.origin.clone(),
            attachment,
            params: Arc::clone(&sensor.params),
        }
    }

    /// The attachment of a plugin under `scope` inside this model.
    fn attach(&self, scope: &str, plugin: &Plugin, model: &str) -> Attachment {
        let element = element_name(plugin);
        let scope = if scope.is_empty() { String::new() } else { format!("/{scope}") };
        Attachment {
            path: format!("{}{scope}/{element}", self.name),
            frame_id: format!("{}{scope}", self.name),
            model: model.to_owned(),
            element,
            ..self.attachment.clone()
        }
    }
}

/// `arm::hand` as a path: `arm/hand`.
pub(super) fn scoped(name: &str) -> String {
    name.replace("::", "/")
}

fn element_name(plugin: &Plugin) -> String {
    if plugin.name.is_empty() { plugin.filename.clone() } else { plugin.name.clone() }
}

pub(super) fn place_of(origin: &Origin) -> Option<Place> {
    let location = origin.location()?;
    Some(Place { file: Arc::clone(&location.file), line: location.line })
}

fn plugin_slot(plugin: &Plugin, mut attachment: Attachment) -> PluginSlot {
    attachment.xml = plugin.origin.xml().unwrap_or_default().to_owned();
    PluginSlot {
        asked: plugin.filename.clone(),
        kind: SlotKind::Plugin,
        place: place_of(&plugin.origin),
        element: plugin.origin.clone(),
        params: names::translated(plugin, &attachment),
        attachment,
    }
}

/// Nanoseconds between samples; 0 (every step) for rates that are not positive numbers. Rounded down: rounding
/// up would make the third sample at 60 Hz due one 1 ms step late.
#[expect(clippy::cast_possible_truncation, reason = "periods above 292 years saturate")]
#[must_use]
pub fn period_ns(rate: f64) -> i64 {
    if rate > 0.0 && rate.is_finite() { (1e9 / rate).floor() as i64 } else { 0 }
}

fn link_facts(model: &Model, handles: &[u32]) -> Vec<LinkFacts> {
    let facts = model.links.iter().zip(handles);
    facts
        .map(|(link, handle)| LinkFacts {
            link: *handle,
            name: link.name.clone(),
            frame_id: format!("{}/{}", model.name, scoped(&link.name)),
            pose: link.pose,
            mass: link.inertial.mass,
        })
        .collect()
}

fn has_plugins(model: &Model) -> bool {
    !model.plugins.is_empty()
        || model.links.iter().any(|link| !link.sensors.is_empty())
        || model.joints.iter().any(|joint| !joint.sensors.is_empty())
        || model.submodels.iter().any(|submodel| !submodel.plugins.is_empty())
}

//! Builds the world of a run from a resolved SDF world: physics, ray scene, tables of handles, and the list
//! of plugins it asks for.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use bridgehead_abi::host as raw;
use thiserror::Error;

use super::convert::{model_spec, ray_shape};
use super::markers::{self, SceneMarkers};
use super::{
    Attachment, JointEntity, JointFacts, LinkEntity, LinkFacts, ModelEntity, PluginSlot, SlotKind, World,
};
use crate::params::Place;
use crate::physics::{AddedModel, Physics, PhysicsError, Settings};
use crate::pose::Pose;
use crate::rays::{Placement, RayScene};
use crate::sdf::Origin;
use crate::sdf::element::{Geometry, JointKind, Plugin, Sensor};
use crate::sdf::resolved::{self, Link, Model};

/// Why a world could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Physics refused its settings.
    #[error("[BH-PHY-060] the world's physics settings cannot be used: {0}")]
    Settings(PhysicsError),
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
        world: World {
            name: source.name.clone(),
            gravity: source.gravity,
            physics,
            rays: RayScene::new(),
            models: Vec::new(),
            links: Vec::new(),
            joints: Vec::new(),
            commands: Vec::new(),
            rays_are_fresh: false,
            ray_buffer: Vec::new(),
            hit_buffer: Vec::new(),
            ray_threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        },
        slots: Vec::new(),
        attachments: BTreeMap::new(),
        problems: Vec::new(),
    };
    builder
        .attachments
        .insert(String::new(), Attachment { gravity: source.gravity, ..Attachment::default() });
    for plugin in &source.plugins {
        builder.world_plugin(plugin);
    }
    for model in &source.models {
        builder.model(model);
    }
    if !source.joints.is_empty() {
        let text = "[BH-PHY-061] joints between models of the world are not simulated yet; they are left out";
        builder.problems.push(text.to_owned());
    }
    let markers = markers::collect(source, &builder.world);
    let Builder { world, slots, attachments, problems } = builder;
    Ok(Built { world, slots, attachments, markers, problems })
}

struct Builder {
    world: World,
    slots: Vec<PluginSlot>,
    attachments: BTreeMap<String, Attachment>,
    problems: Vec<String>,
}

/// A model while it is built.
struct Parts {
    index: usize,
    name: String,
    /// Handle of each link.
    links: Vec<u32>,
    attachment: Attachment,
}

impl Builder {
    fn world_plugin(&mut self, plugin: &Plugin) {
        let element = element_name(plugin);
        let attachment = Attachment {
            path: element.clone(),
            element,
            gravity: self.world.gravity,
            ..Attachment::default()
        };
        self.slots.push(plugin_slot(plugin, attachment));
    }

    fn model(&mut self, model: &Model) {
        let index = self.world.models.len();
        let (spec, joint_indices) = model_spec(model);
        let added = match self.world.physics.add_model(&spec) {
            Ok(added) => Some(added),
            Err(error) => {
                let place = place_of(&model.origin).map(|place| format!("{place}: ")).unwrap_or_default();
                self.problems.push(format!("{place}model `{}` is left out of physics: {error}", model.name));
                None
            }
        };
        let links = added.as_ref().map(|added| self.links(model, index, added)).unwrap_or_default();
        let joints =
            added.as_ref().map(|added| self.joints(model, added, &joint_indices)).unwrap_or_default();
        let canonical = model.canonical_link.and_then(|canonical| {
            let link = model.links.get(canonical)?;
            Some((*links.get(canonical)?, link.pose.inverse()))
        });
        self.world.models.push(ModelEntity {
            name: model.name.clone(),
            is_static: model.is_static,
            is_vehicle: has_plugins(model),
            canonical,
            physics: added.map(|added| added.model),
        });
        let attachment = Attachment {
            vehicle: model.name.clone(),
            model: model.name.clone(),
            pose: model.pose,
            gravity: self.world.gravity,
            entity: Some(index),
            links: link_facts(model, &links),
            joints,
            ..Attachment::default()
        };
        self.attachments.insert(model.name.clone(), attachment.clone());
        self.plugins(model, &Parts { index, name: model.name.clone(), links, attachment });
    }

    /// Adds the links to the table and to the ray scene; gives their handles.
    fn links(&mut self, model: &Model, index: usize, added: &AddedModel) -> Vec<u32> {
        let mut handles = Vec::with_capacity(model.links.len());
        for (link, physics) in model.links.iter().zip(&added.links) {
            let frame = self.world.rays.add_frame(model.link_pose_world(link));
            let handle = u32::try_from(self.world.links.len()).unwrap_or(u32::MAX);
            // Ids of hit entities count from 1: 0 says that nothing was hit.
            self.see(link, &model.name, frame, u64::from(handle) + 1);
            let moves = !(model.is_static || link.is_static);
            self.world.links.push(LinkEntity { physics: *physics, model: index, frame, moves });
            handles.push(handle);
        }
        handles
    }

    /// Shows a link's collisions to rays.
    fn see(&mut self, link: &Link, model: &str, frame: crate::rays::FrameId, object: u64) {
        for placed in &link.collisions {
            let collision = &placed.element;
            let Some((shape, pose)) = ray_shape(&collision.geometry, placed.pose) else {
                self.report_unseen(model, &link.name, &collision.geometry, &collision.origin);
                continue;
            };
            if let Err(error) =
                self.world.rays.add_shape(frame, shape, &Placement { pose, ..Placement::of_object(object) })
            {
                self.problems.push(format!("`{model}::{}` is not seen by rays: {error}", link.name));
            }
        }
    }

    fn report_unseen(&mut self, model: &str, link: &str, geometry: &Geometry, origin: &Origin) {
        let kind = match geometry {
            Geometry::Mesh(mesh) => format!("mesh `{}`", mesh.uri),
            Geometry::Unsupported { kind } => format!("<{kind}>"),
            _ => return,
        };
        let place = place_of(origin).map(|place| format!("{place}: ")).unwrap_or_default();
        self.problems.push(format!(
            "[BH-PHY-062] {place}the collision of `{model}::{link}` is a {kind}, which is not simulated yet: nothing touches or sees it"
        ));
    }

    fn joints(&mut self, model: &Model, added: &AddedModel, indices: &[Option<usize>]) -> Vec<JointFacts> {
        let mut facts = Vec::new();
        for (joint, index) in model.joints.iter().zip(indices) {
            let Some(physics) = index.and_then(|index| added.joints.get(index)) else {
                continue;
            };
            let handle = u32::try_from(self.world.joints.len()).unwrap_or(u32::MAX);
            let name = format!("{}::{}", model.name, joint.name);
            self.world.joints.push(JointEntity { name, physics: *physics });
            let limit = joint.axis.as_ref().map(|axis| axis.limit).unwrap_or_default();
            facts.push(JointFacts {
                joint: handle,
                kind: joint_number(&joint.kind),
                name: joint.name.clone(),
                lower: limit.lower,
                upper: limit.upper,
                effort: limit.effort,
                velocity: limit.velocity,
            });
        }
        facts
    }

    /// Lists the plugins of a model: sensors of its links, then its own and its submodels' plugins.
    fn plugins(&mut self, model: &Model, parts: &Parts) {
        for (index, link) in model.links.iter().enumerate() {
            for placed in &link.sensors {
                let slot =
                    sensor_slot(&placed.element, placed.pose, &link.name, parts.links.get(index), parts);
                self.slots.push(slot);
                for plugin in &placed.element.plugins {
                    let under = format!("{}/{}", scoped(&link.name), placed.element.name);
                    self.slots.push(plugin_slot(plugin, parts.attach(&under, plugin, &model.name)));
                }
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
        debug_assert_eq!(self.world.models.get(parts.index).map(|model| &model.name), Some(&parts.name));
    }
}

impl Parts {
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
        attachment,
        params: Arc::clone(&plugin.params),
    }
}

fn sensor_slot(sensor: &Sensor, pose: Pose, link: &str, handle: Option<&u32>, parts: &Parts) -> PluginSlot {
    let path = format!("{}/{}/{}", parts.name, scoped(link), sensor.name);
    let attachment = Attachment {
        element: sensor.name.clone(),
        frame_id: path.clone(),
        path,
        topic: sensor.topic.clone().unwrap_or_default(),
        xml: sensor.origin.xml().unwrap_or_default().to_owned(),
        parent_link: handle.copied(),
        pose,
        update_period_ns: period_ns(sensor.update_rate),
        ..parts.attachment.clone()
    };
    PluginSlot {
        asked: sensor.kind.clone(),
        kind: SlotKind::Sensor,
        place: place_of(&sensor.origin),
        attachment,
        params: Arc::clone(&sensor.params),
    }
}

/// Nanoseconds between samples; 0 (every step) for rates that are not positive numbers. Rounded down: rounding
/// up would make the third sample at 60 Hz due one 1 ms step late.
#[expect(clippy::cast_possible_truncation, reason = "periods above 292 years saturate")]
fn period_ns(rate: f64) -> i64 {
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

fn joint_number(kind: &JointKind) -> u32 {
    match kind {
        JointKind::Fixed => raw::JOINT_FIXED,
        JointKind::Revolute => raw::JOINT_REVOLUTE,
        JointKind::Continuous => raw::JOINT_CONTINUOUS,
        JointKind::Prismatic => raw::JOINT_PRISMATIC,
        JointKind::Ball
        | JointKind::Universal
        | JointKind::Revolute2
        | JointKind::Screw { .. }
        | JointKind::Gearbox { .. } => raw::JOINT_OTHER,
    }
}

fn has_plugins(model: &Model) -> bool {
    !model.plugins.is_empty()
        || model.links.iter().any(|link| !link.sensors.is_empty())
        || model.submodels.iter().any(|submodel| !submodel.plugins.is_empty())
}

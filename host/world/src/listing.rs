//! Lists the plugin slots of a model in document order, with the attachment of each.
//!
//! Used for loading a world and for spawning during the run. Simulation thread only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bridgehead_sdf::element::{Ellipsoid, Plugin, Sensor, is_placeholder, is_token};
use bridgehead_sdf::params::Params;
use bridgehead_sdf::resolved::{Model, Placed};

pub(super) use super::origin::{element_name, place_of, scoped};

use super::attachment::{Attachment, LinkFacts};
use super::names;
use super::populate::Added;
use super::slot::{ModelSlots, PluginSlot, SlotKind};
use super::world::World;
use crate::names::style::NameStyle;

impl World {
    /// Lists the slots of the model at `index`, after it was added.
    pub(super) fn model_slots(&self, index: usize, model: &Model, added: Added) -> ModelSlots {
        let Added { links, joints, collisions, .. } = added;
        let handles =
            joints.iter().filter_map(|(position, facts)| Some(((*position)?, facts.joint))).collect();
        let attachment = Attachment {
            vehicle: model.name.clone(),
            namespace: self.models.get(index).map(|entity| entity.namespace.clone()).unwrap_or_default(),
            model: model.name.clone(),
            pose: model.pose,
            surroundings: self.surroundings,
            entity: Some(index),
            links: link_facts(model, &links),
            joints: joints.into_iter().map(|(_, facts)| facts).collect(),
            collisions,
            batteries: model.links.iter().flat_map(|link| link.batteries.iter().cloned()).collect(),
            ..Attachment::default()
        };
        let mut parts = Parts {
            name: model.name.clone(),
            links,
            joints: handles,
            attachment: attachment.clone(),
            slots: Vec::new(),
        };
        parts.plugins(model);
        if self.names == NameStyle::Bridgehead {
            separate_topics(&mut parts.slots);
        }
        self.names.apply(&mut parts.slots, &self.name);
        if let Some(surface) = self.surroundings.other_surface() {
            parts.slots.iter_mut().for_each(|slot| add_surface(slot, surface));
        }
        ModelSlots { attachment, slots: parts.slots }
    }
}

/// State of listing the plugins of one model.
struct Parts {
    name: String,
    /// Handle of each link.
    links: Vec<u32>,
    /// Handle of each joint of the model that physics has, by its index in the model.
    joints: BTreeMap<usize, u32>,
    attachment: Attachment,
    /// Slots listed so far.
    slots: Vec<PluginSlot>,
}

impl Parts {
    /// Lists the plugins of a model: sensors of its links and joints, then its own and its submodels' plugins.
    fn plugins(&mut self, model: &Model) {
        for (index, link) in model.links.iter().enumerate() {
            let handle = self.links.get(index).copied();
            for placed in &link.sensors {
                let slot = self.sensor_slot(placed, &link.name);
                self.sensor(slot, handle, None, placed);
            }
        }
        for (index, joint) in model.joints.iter().enumerate() {
            let handle = self.joints.get(&index).copied();
            for placed in &joint.sensors {
                let slot = self.sensor_slot(placed, &joint.name);
                self.sensor(slot, None, handle, placed);
            }
        }
        for plugin in &model.plugins {
            let attachment = self.attach("", plugin, &model.name);
            self.plugin(plugin, attachment);
        }
        for submodel in &model.submodels {
            let scope = format!("{}::{}", model.name, submodel.name);
            for plugin in &submodel.plugins {
                let attachment = self.attach(&scoped(&submodel.name), plugin, &scope);
                self.plugin(plugin, attachment);
            }
        }
    }

    /// Lists a plugin of a model, which may refer to the sensors listed before it.
    fn plugin(&mut self, plugin: &Plugin, attachment: Attachment) {
        let slots = plugin_slots(plugin, attachment, &self.slots);
        self.slots.extend(slots);
    }

    /// Lists a sensor of a link or joint, and the plugins inside its element.
    fn sensor(
        &mut self,
        mut slot: PluginSlot,
        link: Option<u32>,
        joint: Option<u32>,
        placed: &Placed<Sensor>,
    ) {
        slot.attachment.parent_link = link;
        slot.attachment.parent_joint = joint;
        let path = slot.attachment.path.clone();
        let under = path.strip_prefix(&format!("{}/", self.name)).unwrap_or(&path).to_owned();
        let own = |plugin: &&Plugin| !names::join(&mut slot, plugin) && !names::implement(&mut slot, plugin);
        let plugins: Vec<&Plugin> = placed.element.plugins.iter().filter(own).collect();
        self.slots.push(slot);
        for plugin in plugins {
            let attachment = Attachment {
                parent_link: link,
                parent_joint: joint,
                ..self.attach(&under, plugin, &self.name)
            };
            let slots = plugin_slots(plugin, attachment, &self.slots);
            self.slots.extend(slots.into_iter().map(|slot| PluginSlot { sensor: path.clone(), ..slot }));
        }
    }

    /// Returns the slot of a sensor on the link or joint of that name.
    fn sensor_slot(&self, placed: &Placed<Sensor>, carrier: &str) -> PluginSlot {
        let sensor = &placed.element;
        let path = format!("{}/{}/{}", self.name, scoped(carrier), sensor.name);
        let attachment = Attachment {
            element: sensor.name.clone(),
            frame_id: sensor.frame.clone().filter(|_| !is_camera(sensor)).unwrap_or_else(|| path.clone()),
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
            sensor: String::new(),
            companions: Vec::new(),
            params: params_of(sensor),
        }
    }

    /// Returns the attachment of a plugin in `scope` of this model.
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

/// Gives a sensor whose topic is a placeholder one of its own, if an earlier sensor of that type has the usual one: files
/// with placeholders had a topic for each sensor in Gazebo.
fn separate_topics(slots: &mut [PluginSlot]) {
    let mut kinds = BTreeSet::new();
    for slot in slots.iter_mut().filter(|slot| slot.kind == SlotKind::Sensor) {
        let topic = slot.element.element().and_then(|element| element.child("topic"));
        let is_placeholder = topic.is_some_and(|topic| is_placeholder(topic.text()));
        let is_usual = slot.attachment.topic.is_empty();
        if is_usual
            && !kinds.insert(slot.asked.clone())
            && is_placeholder
            && is_token(&slot.attachment.element)
        {
            slot.attachment.topic = slot.attachment.element.clone();
        }
    }
}

/// Path of the frame of a camera's messages.
pub const OPTICAL_FRAME: &str = "camera/optical_frame_id";

/// Returns the parameters of a sensor. The frame that a camera names is that of its messages, which are in its optical
/// frame.
fn params_of(sensor: &Sensor) -> Arc<Params> {
    let is_given = sensor.params.get(OPTICAL_FRAME).is_some();
    let named = sensor.frame.as_deref().filter(|_| is_camera(sensor) && !is_given);
    let Some(frame) = named else { return Arc::clone(&sensor.params) };
    let mut params = Params::clone(&sensor.params);
    // The path is well-formed.
    let _ = params.set(OPTICAL_FRAME, frame);
    Arc::new(params)
}

/// Returns true for sensors with one optical frame.
fn is_camera(sensor: &Sensor) -> bool {
    let kind = sensor.present_kind();
    kind.ends_with("camera") && !matches!(kind, "logical_camera" | "multicamera")
}

/// Returns the slots of a plugin: its own, and those of plugins that serve parts of its element. `before` are the slots
/// of the model listed before it.
pub(super) fn plugin_slots(
    plugin: &Plugin,
    attachment: Attachment,
    before: &[PluginSlot],
) -> Vec<PluginSlot> {
    let site = names::ElementContext { at: &attachment, before };
    let params = names::translated(plugin, site);
    let parts = names::parts(plugin, site);
    let mut slot = PluginSlot {
        asked: plugin.filename.clone(),
        kind: SlotKind::Plugin,
        place: place_of(&plugin.origin),
        element: plugin.origin.clone(),
        sensor: String::new(),
        companions: Vec::new(),
        params,
        attachment,
    };
    let mut slots: Vec<PluginSlot> =
        parts.into_iter().map(|(name, params)| part_slot(&slot, name, params)).collect();
    plugin.origin.xml().unwrap_or_default().clone_into(&mut slot.attachment.xml);
    slots.insert(0, slot);
    slots
}

/// Adds the ellipsoid of a world that is not on Earth to the parameters of a satellite receiver.
fn add_surface(slot: &mut PluginSlot, surface: Ellipsoid) {
    if slot.kind == SlotKind::Sensor && matches!(slot.asked.as_str(), "navsat" | "gps") {
        let axis = |name: &str, metres: f64| Params::new(name).with_text(metres.to_string());
        let surface = Params::new("bridgehead:surface")
            .with_child(axis("equatorial", surface.equatorial))
            .with_child(axis("polar", surface.polar));
        slot.params = Arc::new(Params::clone(&slot.params).with_child(surface));
    }
}

/// Returns the slot of a plugin that serves a part of another slot's element.
fn part_slot(whole: &PluginSlot, name: &str, params: Params) -> PluginSlot {
    let mut slot = PluginSlot { asked: name.to_owned(), params: Arc::new(params), ..whole.clone() };
    slot.attachment.path = format!("{}/{name}", whole.attachment.path);
    name.clone_into(&mut slot.attachment.element);
    slot
}

/// Returns the nanoseconds between samples; 0 (every step) for rates that are not positive numbers. Rounded down: with
/// rounding up, the third sample at 60 Hz would be one step of 1 ms late.
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

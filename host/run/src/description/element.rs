//! Sensors and plugins, supported or not, and the topics that they open. Usable from any thread.

use std::fmt;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{ElementDescription, ElementTopic};
use bridgehead_scene::message::pose;
use bridgehead_sdf::pose::Pose;

use super::frames::{self, Frame};
use crate::bus::{Role, Topic};
use crate::thread::lock;
use crate::world::{Attachment, PluginSlot, SlotKind, period_ns};

/// The topics that an instance has opened, in order.
#[derive(Default)]
pub struct Opened(Mutex<Vec<(Arc<Topic>, Role)>>);

impl Opened {
    /// Records a topic that `open` returns.
    pub(super) fn record<E>(
        &self,
        role: Role,
        open: impl FnOnce() -> Result<Arc<Topic>, E>,
    ) -> Result<Arc<Topic>, E> {
        let mut topics = lock(&self.0);
        let topic = open()?;
        if !topics.iter().any(|(known, as_what)| known.id == topic.id && *as_what == role) {
            topics.push((Arc::clone(&topic), role));
        }
        Ok(topic)
    }

    fn messages(&self) -> Vec<ElementTopic> {
        let message = |(topic, role): &(Arc<Topic>, Role)| ElementTopic {
            topic: topic.name.clone(),
            r#type: topic.data_type.ros_name().to_owned(),
            is_published: *role == Role::Publisher,
        };
        lock(&self.0).iter().map(message).collect()
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opened({})", lock(&self.0).len())
    }
}

/// The plugin or bridge that serves an element.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// Name of the plugin or bridge.
    pub plugin: String,
    /// Label of the instance, if it differs from the path of the element.
    pub label: Option<String>,
    /// Topics opened by the instance; `None` for bridges.
    pub opened: Option<Arc<Opened>>,
    /// True if the host itself does the work of the element.
    pub is_built_in: bool,
}

#[derive(Debug)]
struct Element {
    /// The description without topics.
    message: ElementDescription,
    opened: Option<Arc<Opened>>,
    /// Path of the element in the file, for its children.
    own_path: String,
    /// Frames of a sensor.
    frames: Vec<Frame>,
}

/// Sensors and plugins in document order.
#[derive(Debug, Default)]
pub struct Elements(Vec<Element>);

impl Elements {
    /// Adds the element of a slot, followed by the plugins whose work its sensor does.
    pub fn push(&mut self, slot: &PluginSlot, server: Option<Server>) {
        let server = server.unwrap_or_default();
        let message = self.describe(slot, &server);
        let inside: Vec<ElementDescription> =
            slot.companions.iter().map(|plugin| companion(plugin, &message)).collect();
        let own_path = slot.label().to_owned();
        let frames =
            frames::of_sensor(slot, &message).into_iter().chain(frames::of_drive(slot, &message)).collect();
        self.0.push(Element { message, opened: server.opened, own_path, frames });
        let served = |message| Element { message, opened: None, own_path: String::new(), frames: Vec::new() };
        self.0.extend(inside.into_iter().map(served));
    }

    fn describe(&self, slot: &PluginSlot, server: &Server) -> ElementDescription {
        let at = &slot.attachment;
        let mut message = ElementDescription {
            kind: slot.kind.name().to_owned(),
            path: server.label.clone().unwrap_or_else(|| slot.label().to_owned()),
            name: at.element.clone(),
            asked: slot.asked.clone(),
            plugin: server.plugin.clone(),
            is_built_in: server.is_built_in,
            vehicle: at.vehicle.clone(),
            model: at.model.clone(),
            frame_id: at.frame_id.clone(),
            pose: Some(pose(&Pose::IDENTITY)),
            update_rate: rate(at.update_period_ns),
            xml: at.xml.clone(),
            ..ElementDescription::default()
        };
        if let Some((carrier, in_carrier)) = carrier(at) {
            message.link = format!("{}::{carrier}", at.vehicle);
            scope_of(&message.link).clone_into(&mut message.model);
            message.pose = Some(pose(&in_carrier));
        }
        let is_sensor = |element: &&Element| element.own_path == slot.sensor;
        if let Some(around) = self.0.iter().rev().find(is_sensor).filter(|_| !slot.sensor.is_empty()) {
            message.sensor.clone_from(&around.message.path);
            message.link.clone_from(&around.message.link);
            message.model.clone_from(&around.message.model);
        }
        message
    }

    /// Returns the frames of the sensors.
    pub(super) fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.0.iter().flat_map(|element| &element.frames)
    }

    /// Returns true if an element is served by one of these plugins.
    pub(super) fn has_any(&self, plugins: &[&str]) -> bool {
        self.0.iter().any(|element| plugins.contains(&element.message.plugin.as_str()))
    }

    pub(super) fn messages(&self) -> Vec<ElementDescription> {
        let message = |element: &Element| {
            let topics = element.opened.as_ref().map(|opened| opened.messages()).unwrap_or_default();
            ElementDescription { topics, ..element.message.clone() }
        };
        self.0.iter().map(message).collect()
    }
}

/// A plugin element whose work its sensor does.
fn companion(plugin: &bridgehead_sdf::element::Plugin, sensor: &ElementDescription) -> ElementDescription {
    ElementDescription {
        kind: SlotKind::Plugin.name().to_owned(),
        path: String::new(),
        name: plugin.name.clone(),
        asked: plugin.filename.clone(),
        sensor: sensor.path.clone(),
        xml: plugin.origin.xml().unwrap_or_default().to_owned(),
        pose: Some(pose(&Pose::IDENTITY)),
        ..sensor.clone()
    }
}

/// Returns the link that carries a sensor, by its name below the vehicle, and the sensor's pose in that link. The
/// sensor of a joint is carried by the child link.
fn carrier(at: &Attachment) -> Option<(&str, Pose)> {
    let name = |handle: u32| at.links.iter().find(|link| link.link == handle).map(|link| link.name.as_str());
    if let Some(joint) = at.parent_joint {
        let joint = at.joints.iter().find(|known| known.joint == joint)?;
        return Some((name(joint.child)?, joint.pose * at.pose));
    }
    Some((name(at.parent_link?)?, at.pose))
}

/// Returns the samples per second of a period: the original rate, if it has at most three decimals.
fn rate(update_period_ns: i64) -> f64 {
    if update_period_ns <= 0 {
        return 0.0;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "the precision of a rate with a period of months does not matter"
    )]
    let exact = 1e9 / update_period_ns as f64;
    let round = (exact * 1e3).round() / 1e3;
    if period_ns(round) == update_period_ns { round } else { exact }
}

/// Returns the scope of a scoped name: the model that contains it; empty for the world.
pub(super) fn scope_of(name: &str) -> &str {
    name.rsplit_once("::").map_or("", |(scope, _)| scope)
}

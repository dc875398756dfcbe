//! Models, with nested models as a tree again.

use serde_json::{Value, json};

use super::value::{number, pose, vector};
use super::{appearance, shape};
use crate::element::{JointKind, Sensor};
use crate::resolved::{Axis, Body, Joint, Link, Model, Placed, Submodel, World, WorldFrame, WorldJoint};
use bridgehead_pose::Pose;

/// A model or submodel, as part of its top-level model.
struct Part<'a> {
    top: &'a Model,
    /// `None` for the top-level model itself.
    sub: Option<&'a Submodel>,
}

/// A top-level model.
pub(super) fn model(model: &Model) -> Value {
    Part { top: model, sub: None }.json()
}

impl<'a> Part<'a> {
    fn json(&self) -> Value {
        let (top, sub) = (self.top, self.sub);
        let in_world = sub.map_or(top.pose, |sub| top.pose.compose(&sub.pose));
        let canonical = sub.map_or(top.canonical_link, |sub| sub.canonical_link);
        let placement = sub.map_or(&top.placement_frame, |sub| &sub.placement_frame);
        json!({
            "name": sub.map_or_else(|| top.name.clone(), |sub| format!("{}::{}", top.name, sub.name)),
            "static": sub.map_or(top.is_static, |sub| sub.is_static),
            "self_collide": sub.map_or(top.self_collide, |sub| sub.self_collide),
            "pose_world": pose(&in_world),
            "canonical_link": canonical.map_or("", |link| self.link_name(link)),
            "placement_frame": placement.as_deref().unwrap_or_default(),
            "links": self.own(&top.links, |link| &link.name).map(|(name, link)| self.link(name, link)).collect::<Value>(),
            "frames": self.own(&top.frames, |frame| &frame.name).map(|(name, frame)| json!({
                "name": name,
                "pose_world": pose(&top.pose.compose(&frame.pose)),
                "attached_to_link": frame.link.map_or("", |link| self.link_name(link)),
            })).collect::<Value>(),
            "joints": self.own(&top.joints, |joint| &joint.name).map(|(name, joint)| self.joint(name, joint)).collect::<Value>(),
            "models": self
                .own(&top.submodels, |sub| &sub.name)
                .map(|(_, sub)| Part { top, sub: Some(sub) }.json())
                .collect::<Value>(),
        })
    }

    /// The prefix of the names of this part in the top-level model.
    fn prefix(&self) -> String {
        self.sub.map_or_else(String::new, |sub| format!("{}::", sub.name))
    }

    /// The items of this part, excluding nested ones, under their own names.
    fn own<T>(&self, all: &'a [T], name: fn(&T) -> &String) -> impl Iterator<Item = (&'a str, &'a T)> {
        let prefix = self.prefix();
        let inner: Vec<String> = self
            .top
            .submodels
            .iter()
            .filter(|sub| sub.name.starts_with(&prefix) && sub.name.len() > prefix.len())
            .map(|sub| format!("{}::", sub.name))
            .collect();
        all.iter().filter_map(move |item| {
            let full = name(item).as_str();
            let own = full.strip_prefix(&prefix)?;
            (!own.is_empty() && !inner.iter().any(|inner| full.starts_with(inner))).then_some((own, item))
        })
    }

    /// A link's name, relative to this part.
    fn link_name(&self, link: usize) -> &'a str {
        let full = self.top.links.get(link).map_or("", |link| link.name.as_str());
        let prefix = self.prefix();
        full.strip_prefix(&prefix).unwrap_or(full)
    }

    fn link(&self, name: &str, link: &Link) -> Value {
        let in_world = self.top.link_pose_world(link);
        let inertial = &link.inertial;
        let (moments, products) = (inertial.diagonal.to_array(), inertial.products.to_array());
        json!({
            "name": name,
            "pose_world": pose(&in_world),
            "mass": number(inertial.mass),
            "inertia": moments.into_iter().chain(products).map(number).collect::<Value>(),
            "inertial_pose": pose(&inertial.pose),
            "collisions": link.collisions.iter().map(|collision| shape::collision(collision, &in_world)).collect::<Value>(),
            "visuals": link.visuals.iter().map(|visual| appearance::visual(visual, &in_world)).collect::<Value>(),
            "sensors": link.sensors.iter().map(|sensor| self::sensor(sensor, &in_world)).collect::<Value>(),
            "lights": link.lights.iter().map(|light| appearance::light(light, &in_world)).collect::<Value>(),
        })
    }

    fn joint(&self, name: &str, joint: &Joint) -> Value {
        let side = |body: Body| match body {
            Body::World => "world",
            Body::Link(link) => self.link_name(link),
        };
        let in_world = self.top.pose.compose(&joint.pose);
        joint_json(name, joint, [side(joint.parent), side(joint.child)], &in_world, &self.top.pose)
    }
}

/// A joint of the world.
pub(super) fn world_joint(world: &World, joint: &WorldJoint) -> Value {
    let side = |model: Option<usize>, body: Body| match (model, body) {
        (Some(model), Body::Link(link)) => link_in_world(world, model, link),
        _ => "world".to_owned(),
    };
    let sides = [side(joint.parent_model, joint.joint.parent), side(joint.child_model, joint.joint.child)];
    let [parent, child] = sides.each_ref().map(String::as_str);
    joint_json(&joint.joint.name, &joint.joint, [parent, child], &joint.joint.pose, &Pose::IDENTITY)
}

/// The name of the element that a frame of the world moves with.
pub(super) fn carrier_name(world: &World, frame: &WorldFrame) -> String {
    frame.link.map_or_else(|| "world".to_owned(), |(model, link)| link_in_world(world, model, link))
}

fn link_in_world(world: &World, model: usize, link: usize) -> String {
    let name = |model: &Model| Some(format!("{}::{}", model.name, model.links.get(link)?.name));
    world.models.get(model).and_then(name).unwrap_or_default()
}

/// `base` is the frame of the axis directions, in the world.
fn joint_json(name: &str, joint: &Joint, [parent, child]: [&str; 2], in_world: &Pose, base: &Pose) -> Value {
    let axes = [&joint.axis, &joint.axis2].into_iter().flatten();
    let mut object = json!({
        "name": name,
        "type": joint.kind.as_str(),
        "parent": parent,
        "child": child,
        "pose_world": pose(in_world),
        "axes": axes.map(|axis| axis_json(axis, base)).collect::<Value>(),
        "sensors": joint.sensors.iter().map(|sensor| self::sensor(sensor, in_world)).collect::<Value>(),
    });
    match &joint.kind {
        JointKind::Screw { pitch } => object["screw_thread_pitch"] = number(*pitch),
        JointKind::Gearbox { ratio, .. } => object["gearbox_ratio"] = number(*ratio),
        _ => {}
    }
    object
}

fn axis_json(axis: &Axis, base: &Pose) -> Value {
    let Axis { limit, dynamics, mimic, .. } = axis;
    let mut object = json!({
        "xyz_world": vector(base.rotate(axis.direction_in_model)),
        "lower": number(limit.lower),
        "upper": number(limit.upper),
        "effort": number(limit.effort),
        "velocity": number(limit.velocity),
        "damping": number(dynamics.damping),
        "friction": number(dynamics.friction),
        "spring": [number(dynamics.spring_reference), number(dynamics.spring_stiffness)],
    });
    if let Some(stop) = limit.stop {
        object["stop"] = json!([number(stop.stiffness), number(stop.dissipation)]);
    }
    if let Some(mimic) = mimic {
        object["mimic"] = json!({
            "joint": mimic.joint,
            "axis": mimic.axis,
            "multiplier": number(mimic.multiplier),
            "offset": number(mimic.offset),
            "reference": number(mimic.reference),
        });
    }
    object
}

fn sensor(sensor: &Placed<Sensor>, holder: &Pose) -> Value {
    let element = &sensor.element;
    json!({
        "name": element.name,
        "type": element.present_kind(),
        "update_rate": number(element.update_rate),
        "topic": element.topic.as_deref().unwrap_or_default(),
        "pose_world": pose(&holder.compose(&sensor.pose)),
    })
}

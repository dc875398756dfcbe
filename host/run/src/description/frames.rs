//! Frames that do not move in their parents: those of sensors, of the images of cameras, and of links at fixed joints.
//! Plain values.
//!
//! A frame has one parent in ROS, so a frame that somebody else may publish is left out: one that the file names itself,
//! and the frame of a link that an odometry carries or that a plugin of the model publishes.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ElementDescription;
use bridgehead_plugin_api::messages::geometry_msgs::{Quaternion, Transform, TransformStamped, Vector3};
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_scene::message::pose_of;
use bridgehead_sdf::element::JointKind;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};
use bridgehead_sdf::resolved::{Body, Joint, Link, Model};

use crate::world::{Attachment, OPTICAL_FRAME, PluginSlot, SlotKind};

/// Plugins that publish the frames of links.
pub(super) const PUBLISHERS_OF_LINKS: [&str; 2] = ["link_transforms", "model_pose"];

/// Plugins that publish odometry, with `child_frame_id` as the name of the frame that moves.
const DRIVES: [&str; 3] = ["diff_drive", "ackermann", "mecanum_drive"];

/// The link whose frame an odometry carries, if a model has a link of this name; otherwise it is the first one.
const BASE: &str = "base_link";

/// Rotation of an optical frame, which has x to the right, y down and z forward, in the frame of its camera (REP 103).
const OPTICAL: DQuat = DQuat::from_xyzw(-0.5, 0.5, -0.5, 0.5);

/// A frame in its parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    parent: String,
    child: String,
    pose: Pose,
}

/// The frames of a model that do not move in their parents.
#[derive(Clone, Debug, Default)]
pub struct StaticFrames {
    /// Name of the model.
    pub vehicle: String,
    /// Namespace of its topics; empty for none.
    pub namespace: String,
    frames: Vec<Frame>,
}

impl StaticFrames {
    /// Returns the frames of a model with these frames of sensors and drives. `has_publisher` says whether a plugin of the
    /// model publishes the frames of links.
    pub(super) fn of<'a>(
        model: &Model,
        of_elements: impl Iterator<Item = &'a Frame>,
        has_publisher: bool,
    ) -> Self {
        let mut frames = if has_publisher { Vec::new() } else { frames_of_links(model) };
        for frame in of_elements {
            if !frames.iter().any(|known| known.child == frame.child) {
                frames.push(frame.clone());
            }
        }
        let (vehicle, namespace) = (model.name.clone(), model.entity.namespace.clone());
        StaticFrames { vehicle, namespace, frames }
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the transforms. They are valid at all times, and so have the time 0.
    #[must_use]
    pub fn message(&self) -> TfMessage {
        let transform = |frame: &Frame| TransformStamped {
            header: Some(Header::new(0, frame.parent.as_str())),
            child_frame_id: frame.child.clone(),
            transform: Some(transform(&frame.pose)),
        };
        TfMessage { transforms: self.frames.iter().map(transform).collect() }
    }
}

/// Returns the frame of a sensor in that of its link, and the optical frame of a camera. `element` describes the slot.
pub(super) fn of_sensor(slot: &PluginSlot, element: &ElementDescription) -> Vec<Frame> {
    let at = &slot.attachment;
    if slot.kind != SlotKind::Sensor || element.link.is_empty() || at.frame_id != at.path {
        return Vec::new();
    }
    let pose = element.pose.as_ref().map_or(Pose::IDENTITY, pose_of);
    let own = Frame { parent: element.link.replace("::", "/"), child: at.frame_id.clone(), pose };
    let optical = has_optical_frame(slot).then(|| optical_frame(at));
    std::iter::once(own).chain(optical).collect()
}

/// Returns the frame of the base of a vehicle in the frame to which a drive gives a name of its own, and which is that of
/// the link of this name, or otherwise the same as the base. Sensors are in that of the base.
pub(super) fn of_drive(slot: &PluginSlot, element: &ElementDescription) -> Option<Frame> {
    let has_transforms =
        slot.params.get("publish_tf").is_none_or(|text| !matches!(text.trim(), "false" | "0"));
    let parent = slot.params.get("child_frame_id").map(str::trim).filter(|name| !name.is_empty())?;
    let links = &slot.attachment.links;
    let base = links.iter().find(|link| link.name == BASE).or(links.first())?;
    let is_other = DRIVES.contains(&element.plugin.as_str()) && has_transforms && base.frame_id != parent;
    let named = links.iter().find(|link| link.name == parent);
    let pose = named.map_or(Pose::IDENTITY, |named| base.pose.relative_to(&named.pose));
    is_other.then(|| Frame { parent: parent.to_owned(), child: base.frame_id.clone(), pose })
}

/// Returns true for a camera with one optical frame, which the file does not name.
fn has_optical_frame(slot: &PluginSlot) -> bool {
    let kind = slot.asked.as_str();
    let is_camera = kind.ends_with("camera") && !matches!(kind, "logical_camera" | "multicamera");
    is_camera && slot.params.get(OPTICAL_FRAME).is_none()
}

fn optical_frame(at: &Attachment) -> Frame {
    let pose = Pose { rotation: OPTICAL, ..Pose::IDENTITY };
    Frame { parent: at.frame_id.clone(), child: format!("{}_optical_frame", at.frame_id), pose }
}

/// Returns the frames of links that fixed joints hold to another one. Those around the base hang on it, whichever side of
/// their joints they are on, because its own parent comes from an odometry; others hang on the parent of their joint.
fn frames_of_links(model: &Model) -> Vec<Frame> {
    let pairs: Vec<(usize, usize)> = model.joints.iter().filter_map(fixed_pair).collect();
    let base = model.links.iter().position(|link| link.name == BASE).unwrap_or(0);
    let mut edges = hanging_on(base, &pairs);
    let mut placed: BTreeSet<usize> = edges.iter().map(|(_, child)| *child).chain([base]).collect();
    for (parent, child) in pairs {
        if !placed.contains(&child) && !is_below(&edges, parent, child) {
            placed.insert(child);
            edges.push((parent, child));
        }
    }
    let frame = |link: &Link| format!("{}/{}", model.name, link.name.replace("::", "/"));
    let of_edge = |(parent, child): (usize, usize)| {
        let (above, below) = (model.links.get(parent)?, model.links.get(child)?);
        let pose = model.link_pose_world(below).relative_to(&model.link_pose_world(above));
        Some(Frame { parent: frame(above), child: frame(below), pose })
    };
    edges.into_iter().filter_map(of_edge).collect()
}

/// Returns the links of a fixed joint between two links.
fn fixed_pair(joint: &Joint) -> Option<(usize, usize)> {
    match (&joint.kind, joint.parent, joint.child) {
        (JointKind::Fixed, Body::Link(parent), Body::Link(child)) => Some((parent, child)),
        _ => None,
    }
}

/// Returns the links that pairs connect with a link, each below the one through which it was reached first.
fn hanging_on(root: usize, pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut reached = vec![root];
    let mut next = 0;
    while let Some(link) = reached.get(next).copied() {
        next += 1;
        for (a, b) in pairs {
            let other = if *a == link {
                *b
            } else if *b == link {
                *a
            } else {
                continue;
            };
            if !reached.contains(&other) {
                reached.push(other);
                edges.push((link, other));
            }
        }
    }
    edges
}

/// Returns true if a link is another one or hangs below it.
fn is_below(edges: &[(usize, usize)], link: usize, other: usize) -> bool {
    let above = |link: &usize| edges.iter().find(|(_, child)| child == link).map(|(parent, _)| *parent);
    std::iter::successors(Some(link), above).any(|link| link == other)
}

fn transform(pose: &Pose) -> Transform {
    let (DVec3 { x, y, z }, turn) = (pose.position, pose.rotation);
    Transform {
        translation: Some(Vector3 { x, y, z }),
        rotation: Some(Quaternion { x: turn.x, y: turn.y, z: turn.z, w: turn.w }),
    }
}

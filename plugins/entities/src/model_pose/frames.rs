//! The frames of a model: its own, those of its links, and those of the sensors on them. They form a tree.

use std::collections::BTreeSet;

use bridgehead_plugin_api::host::{Link, LinkId, Pose};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::messages::geometry_msgs::{self, Transform};

pub(super) const WORLD: &str = "world";

/// A frame in its parent.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) child: String,
    pub(super) parent: String,
    pub(super) place: Place,
    /// True if it does not move in its parent.
    pub(super) is_static: bool,
}

/// What determines where a frame is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// It is that of the model in the world.
    Model,
    /// A link in the model.
    Link(LinkId),
    /// A sensor at this pose in its link.
    Sensor(Pose),
}

/// The frames of a model; each has one parent.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames(pub(super) Vec<Frame>);

impl Frames {
    /// Returns the frames of a vehicle. Those of its sensors are in the description of the world. A frame that several
    /// sensors name is that of the first one; one that a link has is the link's.
    pub(super) fn of(vehicle: &str, links: &[Link], world: &WorldDescription) -> Self {
        let held = held_links(vehicle, links, world);
        let own = Frame {
            child: vehicle.to_owned(),
            parent: WORLD.to_owned(),
            place: Place::Model,
            is_static: false,
        };
        let links = links.iter().map(|link| Frame {
            child: link.frame_id.clone(),
            parent: vehicle.to_owned(),
            place: Place::Link(link.id),
            is_static: held.contains(&scoped(vehicle, &link.name)),
        });
        let mut frames: Vec<Frame> = std::iter::once(own).chain(links).collect();
        let mut known: BTreeSet<String> = frames.iter().map(|frame| frame.child.clone()).collect();
        known.insert(WORLD.to_owned());
        frames.extend(sensors(vehicle, world).filter(|frame| known.insert(frame.child.clone())));
        Frames(frames)
    }
}

fn sensors(vehicle: &str, world: &WorldDescription) -> impl Iterator<Item = Frame> {
    let own = world.elements.iter().filter(move |element| {
        element.vehicle == vehicle && element.kind == "sensor" && !element.frame_id.is_empty()
    });
    own.filter_map(|element| {
        let link = world.links.iter().find(|link| link.name == element.link)?;
        Some(Frame {
            child: element.frame_id.clone(),
            parent: link.frame_id.clone(),
            place: Place::Sensor(element.pose.as_ref().map_or(Pose::IDENTITY, pose)),
            is_static: true,
        })
    })
}

/// Returns the scoped names of the links that fixed joints hold to the link that carries the model frame, and of that
/// link: they do not move in the model.
fn held_links(vehicle: &str, links: &[Link], world: &WorldDescription) -> BTreeSet<String> {
    let carrier = world.models.iter().find(|model| model.name == vehicle).map(|model| &model.canonical_link);
    let carrier = carrier.filter(|name| !name.is_empty()).cloned();
    let first = || links.first().map(|link| scoped(vehicle, &link.name));
    let mut held: BTreeSet<String> = carrier.or_else(first).into_iter().collect();
    let fixed: Vec<_> = world.joints.iter().filter(|joint| joint.r#type == "fixed").collect();
    loop {
        let before = held.len();
        for joint in &fixed {
            if held.contains(&joint.parent) || held.contains(&joint.child) {
                held.extend([joint.parent.clone(), joint.child.clone()]);
            }
        }
        held.remove(WORLD);
        if held.len() == before {
            return held;
        }
    }
}

fn scoped(vehicle: &str, link: &str) -> String {
    format!("{vehicle}::{link}")
}

fn pose(message: &geometry_msgs::Pose) -> Pose {
    let position = message.position.as_ref().map_or([0.0; 3], |at| [at.x, at.y, at.z]);
    let orientation =
        message.orientation.as_ref().map_or(Pose::IDENTITY.orientation, |at| [at.x, at.y, at.z, at.w]);
    Pose { position, orientation }
}

/// Returns the pose of a transform.
pub(super) fn pose_of(transform: &Transform) -> Pose {
    let position = transform.translation.as_ref().map_or([0.0; 3], |at| [at.x, at.y, at.z]);
    let orientation =
        transform.rotation.as_ref().map_or(Pose::IDENTITY.orientation, |at| [at.x, at.y, at.z, at.w]);
    Pose { position, orientation }
}

//! Where the frames of models, links and sensors are: from the description of the world and the poses of its links.
//!
//! A frame has the pose that it had when its model was loaded, until the host reports present poses.

use std::collections::{BTreeMap, BTreeSet};

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, LinkDescription, ModelDescription, SceneNode, WorldDescription,
};
use bridgehead_plugin_api::messages::prost::Message as _;

use super::messages as fox;
use super::optics;
use super::tf::Tf;
use super::{WORLD, inverse, pose, quaternion, timestamp, vector};

#[cfg(test)]
mod tests;

/// Changes of a number of a pose that are not sent: rounding moves links that are fixed to their model.
const STILL: f64 = 1e-9;

/// A frame in its parent.
#[derive(Clone, Debug)]
struct Frame {
    child: String,
    parent: String,
    pose: Pose,
    follows: Follows,
    /// True if the pose has changed since it was sent.
    has_moved: bool,
}

/// What determines the pose of a frame.
#[derive(Clone, Copy, Debug)]
enum Follows {
    /// Nothing: a sensor stays where it is in its link.
    Nothing,
    /// The node of the link that carries the model frame, with the pose of that frame in it.
    Model { node: usize, in_link: Pose },
    /// The node of the link, and the index of the frame of its model.
    Link { node: usize, model: usize },
}

/// The frames of one world: those of top-level models, then those of links in models, then those of sensors in links.
#[derive(Default)]
pub(crate) struct Frames(Vec<Frame>);

impl Frames {
    /// Reads the frames of a world with the nodes of its scene. Those of a static model are included if it has a sensor.
    pub(crate) fn of(world: &WorldDescription, nodes: &[SceneNode]) -> Self {
        let reading = Reading::of(world, nodes);
        let mut frames: Vec<Frame> = reading.shown().map(|model| reading.model(model)).collect();
        let models: BTreeMap<String, usize> =
            frames.iter().enumerate().map(|(index, frame)| (frame.child.clone(), index)).collect();
        let links = world.links.iter().filter_map(|link| reading.link(link, &models));
        let sensors = world.elements.iter().flat_map(|element| reading.sensor(element));
        frames.extend(links.chain(sensors).filter(|frame| frame.child != frame.parent));
        // Several sensors may name one frame, or the frame of a link: each frame has one parent.
        let mut known = BTreeSet::from([WORLD.to_owned()]);
        frames.retain(|frame| known.insert(frame.child.clone()));
        Frames(frames)
    }

    /// Moves the frames to the present poses of the nodes.
    pub(crate) fn follow(&mut self, poses: &[Pose]) {
        for index in 0..self.0.len() {
            let Some(present) = self.present(index, poses) else { continue };
            let Some(frame) = self.0.get_mut(index) else { continue };
            if !is_near(frame.pose, present) {
                (frame.pose, frame.has_moved) = (present, true);
            }
        }
    }

    /// Returns the present pose of a frame in its parent. Models come before their links.
    fn present(&self, index: usize, poses: &[Pose]) -> Option<Pose> {
        match self.0.get(index)?.follows {
            Follows::Nothing => None,
            Follows::Model { node, in_link } => Some(poses.get(node)?.compose(in_link)),
            Follows::Link { node, model } => {
                Some(inverse(self.0.get(model)?.pose).compose(*poses.get(node)?))
            }
        }
    }

    /// Returns the message with all frames, or, if not `is_whole`, with those that have moved since the last message;
    /// `None` if there are none. Odometry frames of plugins, whose place in the world nobody publishes, are placed so that
    /// the vehicle is where it is.
    pub(crate) fn message(&mut self, tf: &Tf, time_ns: i64, is_whole: bool) -> Option<Vec<u8>> {
        if !is_whole && self.0.iter().all(|frame| !frame.has_moved) {
            return None;
        }
        let due = self.0.iter().filter(|frame| is_whole || frame.has_moved);
        let free = due.filter(|frame| !tf.places(&frame.child));
        let mut transforms: Vec<_> =
            free.map(|frame| transform(&frame.parent, &frame.child, frame.pose, time_ns)).collect();
        let roots = self.roots(tf);
        transforms.extend(roots.into_iter().map(|(frame, pose)| transform(WORLD, frame, pose, time_ns)));
        self.0.iter_mut().for_each(|frame| frame.has_moved = false);
        (!transforms.is_empty()).then(|| fox::FrameTransforms { transforms }.encode_to_vec())
    }

    /// Returns the frames above ours that have no place in the world yet.
    fn roots<'a>(&self, tf: &'a Tf) -> BTreeMap<&'a str, Pose> {
        let mut roots = BTreeMap::new();
        for (child, placed) in tf.placed() {
            let parent = placed.parent.as_str();
            let is_placed = parent == WORLD || tf.places(parent) || self.find(parent).is_some();
            if let Some(pose) = self.in_world(child).filter(|_| !is_placed) {
                roots.entry(parent).or_insert_with(|| pose.compose(inverse(placed.pose)));
            }
        }
        roots
    }

    fn find(&self, child: &str) -> Option<&Frame> {
        self.0.iter().find(|frame| frame.child == child)
    }

    /// Returns the pose of the frame of a model or of a link of it.
    fn in_world(&self, child: &str) -> Option<Pose> {
        let frame = self.find(child)?;
        match frame.follows {
            Follows::Nothing if frame.parent != WORLD => None,
            Follows::Nothing | Follows::Model { .. } => Some(frame.pose),
            Follows::Link { model, .. } => Some(self.0.get(model)?.pose.compose(frame.pose)),
        }
    }
}

/// A world whose frames are read.
struct Reading<'a> {
    world: &'a WorldDescription,
    /// Indices of nodes by the scoped names of their links.
    nodes: BTreeMap<&'a str, usize>,
    links: BTreeMap<&'a str, &'a LinkDescription>,
    /// Top-level models by the names of all models.
    tops: BTreeMap<&'a str, &'a str>,
}

impl<'a> Reading<'a> {
    fn of(world: &'a WorldDescription, nodes: &'a [SceneNode]) -> Self {
        Reading {
            world,
            nodes: nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect(),
            links: world.links.iter().map(|link| (link.name.as_str(), link)).collect(),
            tops: world.models.iter().map(|model| (model.name.as_str(), model.vehicle.as_str())).collect(),
        }
    }

    /// Returns the top-level models that can move or have a sensor.
    fn shown(&self) -> impl Iterator<Item = &'a ModelDescription> + use<'a> {
        let sensing: BTreeSet<&str> =
            self.world.elements.iter().map(|element| element.vehicle.as_str()).collect();
        let top_level =
            self.world.models.iter().filter(|model| model.name == model.vehicle && model.name != WORLD);
        top_level.filter(move |model| !model.is_static || sensing.contains(model.name.as_str()))
    }

    fn model(&self, model: &ModelDescription) -> Frame {
        let at = pose(model.pose.as_ref());
        let link = self.links.get(model.canonical_link.as_str());
        let follows = link.and_then(|link| {
            let node = *self.nodes.get(link.name.as_str())?;
            Some(Follows::Model { node, in_link: inverse(pose(link.pose.as_ref())).compose(at) })
        });
        frame(&model.name, WORLD, at, follows.unwrap_or(Follows::Nothing))
    }

    fn link(&self, link: &LinkDescription, models: &BTreeMap<String, usize>) -> Option<Frame> {
        let top = *self.tops.get(link.model.as_str())?;
        let model = *models.get(top)?;
        let of_top = self.world.models.iter().find(|model| model.name == top)?;
        let at = inverse(pose(of_top.pose.as_ref())).compose(pose(link.pose.as_ref()));
        let node = self.nodes.get(link.name.as_str());
        let follows = node.map_or(Follows::Nothing, |node| Follows::Link { node: *node, model });
        Some(frame(&link.frame_id, top, at, follows))
    }

    /// Returns the frame of a sensor, and the optical frames of its cameras.
    fn sensor(&self, element: &ElementDescription) -> Vec<Frame> {
        let link = self.links.get(element.link.as_str());
        let Some(link) = link.filter(|_| element.kind == "sensor" && !element.frame_id.is_empty()) else {
            return Vec::new();
        };
        let own = frame(&element.frame_id, &link.frame_id, pose(element.pose.as_ref()), Follows::Nothing);
        let optical = optics::frames(element).into_iter();
        let optical = optical.map(|(name, at)| frame(&name, &element.frame_id, at, Follows::Nothing));
        std::iter::once(own).chain(optical).collect()
    }
}

fn frame(child: &str, parent: &str, pose: Pose, follows: Follows) -> Frame {
    let (child, parent) = (child.to_owned(), parent.to_owned());
    Frame { child, parent, pose, follows, has_moved: false }
}

fn is_near(one: Pose, other: Pose) -> bool {
    let numbers = |pose: Pose| pose.position.into_iter().chain(pose.orientation);
    numbers(one).zip(numbers(other)).all(|(one, other)| (one - other).abs() <= STILL)
}

fn transform(parent: &str, child: &str, pose: Pose, time_ns: i64) -> fox::FrameTransform {
    fox::FrameTransform {
        timestamp: Some(timestamp(time_ns)),
        parent_frame_id: parent.to_owned(),
        child_frame_id: child.to_owned(),
        translation: vector(pose.position),
        rotation: quaternion(pose.orientation),
    }
}

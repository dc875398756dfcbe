//! Where the frames of models, links and sensors are: from the description of the world and the states of its entities.
//!
//! Links have the pose in their model that they had when it was loaded, until the host reports their present poses.

use std::collections::{BTreeMap, BTreeSet};

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, LinkDescription, WorldDescription,
};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::simulation_interfaces::GetEntitiesStatesResponse;
use bridgehead_plugin_api::messages::std_msgs::Header;

use super::messages as fox;
use super::tf::Tf;
use super::{WORLD, inverse, pose, quaternion, timestamp, vector};

#[cfg(test)]
mod tests;

/// A frame in its parent.
#[derive(Clone, Debug, PartialEq)]
struct Inner {
    child: String,
    parent: String,
    pose: Pose,
    /// Scoped name of the link; empty for a sensor.
    link: String,
    /// Whether the pose has changed since it was sent.
    has_moved: bool,
}

/// Poses of links in the world, as the host reports them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkPoses<'a> {
    /// Scoped names.
    pub(crate) names: &'a [String],
    /// Seven numbers for each: position, then orientation as x, y, z, w.
    pub(crate) poses: &'a [f64],
}

impl<'a> LinkPoses<'a> {
    fn by_name(self) -> BTreeMap<&'a str, Pose> {
        let (poses, _) = self.poses.as_chunks::<7>();
        let pose = |[x, y, z, qx, qy, qz, qw]: &[f64; 7]| Pose {
            position: [*x, *y, *z],
            orientation: [*qx, *qy, *qz, *qw],
        };
        self.names.iter().map(String::as_str).zip(poses.iter().map(pose)).collect()
    }
}

/// The frames of one world.
#[derive(Default)]
pub(crate) struct Frames {
    /// Top-level models that can move.
    moving: BTreeSet<String>,
    /// Frames of links in models, then those of sensors in links.
    inner: Vec<Inner>,
}

impl Frames {
    /// Reads the frames of a world. Those of a static model are included if it has a sensor.
    pub(crate) fn of(world: &WorldDescription) -> Self {
        let sensing: BTreeSet<&str> = world.elements.iter().map(|element| element.vehicle.as_str()).collect();
        let tops: BTreeMap<&str, &str> =
            world.models.iter().map(|model| (model.name.as_str(), model.vehicle.as_str())).collect();
        let top_level = world.models.iter().filter(|model| model.name == model.vehicle);
        let shown = top_level.filter(|model| !model.is_static || sensing.contains(model.name.as_str()));
        let initial: BTreeMap<&str, Pose> =
            shown.map(|model| (model.name.as_str(), pose(model.pose.as_ref()))).collect();
        let in_model = |link: &LinkDescription| {
            let top = *tops.get(link.model.as_str())?;
            let at = inverse(*initial.get(top)?).compose(pose(link.pose.as_ref()));
            let link_name = link.name.clone();
            Some(Inner {
                child: link.frame_id.clone(),
                parent: top.to_owned(),
                pose: at,
                link: link_name,
                has_moved: false,
            })
        };
        let links = world.links.iter().filter_map(in_model);
        let frames: BTreeMap<&str, &str> =
            world.links.iter().map(|link| (link.name.as_str(), link.frame_id.as_str())).collect();
        let sensors = world.elements.iter().filter_map(|element| sensor(element, &frames));
        let inner = links.chain(sensors).filter(|frame| frame.child != frame.parent).collect();
        Frames { moving: initial.into_keys().map(str::to_owned).collect(), inner }
    }

    /// Returns the message with all frames of links and sensors, or `None` if there are none.
    pub(crate) fn inner(&self, tf: &Tf, time_ns: i64) -> Option<Vec<u8>> {
        let free = self.inner.iter().filter(|frame| !tf.places(&frame.child));
        let transforms =
            free.map(|frame| transform(&frame.parent, &frame.child, frame.pose, time_ns)).collect();
        encoded(transforms)
    }

    /// Moves the links of models to their present poses.
    pub(crate) fn follow(&mut self, states: &GetEntitiesStatesResponse, links: LinkPoses<'_>) {
        let (models, links) = (models(states), links.by_name());
        for frame in &mut self.inner {
            let model = models.get(frame.parent.as_str());
            if let (Some(model), Some(link)) = (model, links.get(frame.link.as_str())) {
                let in_model = inverse(*model).compose(*link);
                frame.has_moved |= in_model != frame.pose;
                frame.pose = in_model;
            }
        }
    }

    /// Returns the message with the frames of models and of links that have moved, or `None` if there are none. Odometry
    /// frames of plugins, whose place in the world nobody publishes, are placed so that the vehicle is where it is.
    pub(crate) fn moving(&mut self, states: &GetEntitiesStatesResponse, tf: &Tf) -> Option<(i64, Vec<u8>)> {
        let header = states.states.first().and_then(|state| state.header.as_ref());
        let time_ns = header.map_or(0, Header::stamp_nanos);
        let mut models = models(states);
        models.retain(|name, _| self.moving.contains(*name));
        let free = models.iter().filter(|(name, _)| !tf.places(name));
        let mut transforms: Vec<_> =
            free.map(|(name, pose)| transform(WORLD, name, *pose, time_ns)).collect();
        let moved = self.inner.iter().filter(|frame| frame.has_moved && !tf.places(&frame.child));
        transforms.extend(moved.map(|frame| transform(&frame.parent, &frame.child, frame.pose, time_ns)));
        let roots = self.roots(&models, tf);
        transforms.extend(roots.into_iter().map(|(frame, pose)| transform(WORLD, frame, pose, time_ns)));
        self.inner.iter_mut().for_each(|frame| frame.has_moved = false);
        encoded(transforms).map(|message| (time_ns, message))
    }

    /// Returns the frames above ours that have no place in the world yet.
    fn roots<'a>(&self, models: &BTreeMap<&str, Pose>, tf: &'a Tf) -> BTreeMap<&'a str, Pose> {
        let mut roots = BTreeMap::new();
        for (child, placed) in tf.placed() {
            let parent = placed.parent.as_str();
            let is_placed = parent == WORLD || tf.places(parent) || self.has(parent);
            if let Some(pose) = self.in_world(child, models).filter(|_| !is_placed) {
                roots.entry(parent).or_insert_with(|| pose.compose(inverse(placed.pose)));
            }
        }
        roots
    }

    fn has(&self, frame: &str) -> bool {
        self.moving.contains(frame) || self.inner.iter().any(|inner| inner.child == frame)
    }

    /// Returns the pose of the frame of a model or of a link of it.
    fn in_world(&self, frame: &str, models: &BTreeMap<&str, Pose>) -> Option<Pose> {
        if let Some(pose) = models.get(frame) {
            return Some(*pose);
        }
        let link = self.inner.iter().find(|inner| inner.child == frame)?;
        models.get(link.parent.as_str()).map(|model| model.compose(link.pose))
    }
}

/// Returns the poses of all entities.
fn models(states: &GetEntitiesStatesResponse) -> BTreeMap<&str, Pose> {
    let named = states.entities.iter().zip(&states.states);
    named.map(|(name, state)| (name.as_str(), pose(state.pose.as_ref()))).collect()
}

/// Returns the frame of a sensor in its link.
fn sensor(element: &ElementDescription, frames: &BTreeMap<&str, &str>) -> Option<Inner> {
    let parent = *frames.get(element.link.as_str())?;
    (element.kind == "sensor" && !element.frame_id.is_empty()).then(|| Inner {
        child: element.frame_id.clone(),
        parent: parent.to_owned(),
        pose: pose(element.pose.as_ref()),
        link: String::new(),
        has_moved: false,
    })
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

fn encoded(transforms: Vec<fox::FrameTransform>) -> Option<Vec<u8>> {
    (!transforms.is_empty()).then(|| fox::FrameTransforms { transforms }.encode_to_vec())
}

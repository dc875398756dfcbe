//! The poses of models and links as Gazebo publishes them: each relative to its parent, under its own name.
//!
//! The scene tells where links are. A model is where its canonical link carries it.

use std::collections::BTreeMap;

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::geometry_msgs;

use crate::msgs as gz;

/// What is between the names of a model and its part.
const SEPARATOR: &str = "::";

/// The models and links of one revision of a world.
#[derive(Debug, Default)]
pub(super) struct PoseTable {
    entries: Vec<Entry>,
}

/// A model or a link.
#[derive(Debug)]
struct Entry {
    name: String,
    is_static: bool,
    /// Place of the model that it belongs to.
    parent: Option<usize>,
    /// Place of the node of the scene that carries it.
    node: usize,
    /// Its pose in that node.
    offset: Pose,
}

impl PoseTable {
    /// Makes the table. Models without links are left out.
    pub(super) fn new(description: &own::WorldDescription, nodes: &[own::SceneNode]) -> Self {
        let places: BTreeMap<&str, usize> =
            nodes.iter().enumerate().map(|(place, node)| (node.name.as_str(), place)).collect();
        let initial: BTreeMap<&str, Pose> =
            description.links.iter().map(|link| (link.name.as_str(), pose_of(link.pose.as_ref()))).collect();
        let mut table = PoseTable::default();
        let mut models: BTreeMap<&str, usize> = BTreeMap::new();
        for model in &description.models {
            let canonical = model.canonical_link.as_str();
            let (Some(node), Some(link)) = (places.get(canonical), initial.get(canonical)) else { continue };
            let offset = relative(*link, pose_of(model.pose.as_ref()));
            models.insert(&model.name, table.entries.len());
            table.add(&model.name, &models, *node, offset, nodes);
        }
        for link in &description.links {
            if let Some(node) = places.get(link.name.as_str()) {
                table.add(&link.name, &models, *node, Pose::IDENTITY, nodes);
            }
        }
        table
    }

    fn add(
        &mut self,
        scoped: &str,
        models: &BTreeMap<&str, usize>,
        node: usize,
        offset: Pose,
        nodes: &[own::SceneNode],
    ) {
        let (parent, name) =
            scoped.rsplit_once(SEPARATOR).map_or((None, scoped), |(parent, name)| (Some(parent), name));
        self.entries.push(Entry {
            name: name.to_owned(),
            is_static: nodes.get(node).is_some_and(|node| node.is_static),
            parent: parent.and_then(|parent| models.get(parent)).copied(),
            node,
            offset,
        });
    }

    /// Returns the poses, given those of the nodes in the world; first all, then those of what moves by itself.
    pub(super) fn messages(&self, nodes: &[Pose], header: &gz::Header) -> [gz::PoseV; 2] {
        let in_world: Vec<Option<Pose>> = self
            .entries
            .iter()
            .map(|entry| nodes.get(entry.node).map(|node| node.compose(entry.offset)))
            .collect();
        let mut all = Vec::with_capacity(self.entries.len());
        let mut moving = Vec::with_capacity(self.entries.len());
        for (place, entry) in self.entries.iter().enumerate() {
            let Some(pose) = in_world.get(place).copied().flatten() else { continue };
            let parent = entry.parent.and_then(|parent| in_world.get(parent).copied().flatten());
            let pose = parent.map_or(pose, |parent| relative(parent, pose));
            let message = message(&entry.name, place, pose, header);
            if !entry.is_static {
                moving.push(message.clone());
            }
            all.push(message);
        }
        [all, moving].map(|pose| gz::PoseV { header: Some(header.clone()), pose })
    }
}

fn message(name: &str, place: usize, pose: Pose, header: &gz::Header) -> gz::Pose {
    let [x, y, z] = pose.position;
    let position = Some(gz::Vector3d { header: None, x, y, z });
    let [x, y, z, w] = pose.orientation;
    gz::Pose {
        header: Some(header.clone()),
        name: name.to_owned(),
        // 0 is no entity, and 1 the world.
        id: u32::try_from(place + 2).unwrap_or(u32::MAX),
        position,
        orientation: Some(gz::Quaternion { header: None, x, y, z, w }),
    }
}

/// Returns a pose of the world as seen from another.
fn relative(from: Pose, pose: Pose) -> Pose {
    let [x, y, z, w] = from.orientation;
    let back = Pose { position: [0.0; 3], orientation: [-x, -y, -z, w] };
    let away = std::array::from_fn(|axis| pose.position[axis] - from.position[axis]);
    back.compose(Pose { position: away, orientation: pose.orientation })
}

fn pose_of(message: Option<&geometry_msgs::Pose>) -> Pose {
    let position = message.and_then(|pose| pose.position).unwrap_or_default();
    let orientation = message.and_then(|pose| pose.orientation);
    Pose {
        position: [position.x, position.y, position.z],
        orientation: orientation
            .map_or(Pose::IDENTITY.orientation, |rotation| [rotation.x, rotation.y, rotation.z, rotation.w]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64, z: f64) -> Option<geometry_msgs::Pose> {
        Some(geometry_msgs::Pose {
            position: Some(geometry_msgs::Point { x, y, z }),
            orientation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }),
        })
    }

    #[test]
    fn models_follow_their_canonical_links_and_parts_are_relative() {
        let model = |name: &str, link: &str, pose| own::ModelDescription {
            name: name.to_owned(),
            canonical_link: link.to_owned(),
            pose,
            ..own::ModelDescription::default()
        };
        let link = |name: &str, pose| own::LinkDescription {
            name: name.to_owned(),
            pose,
            ..own::LinkDescription::default()
        };
        let node = |name: &str| own::SceneNode { name: name.to_owned(), ..own::SceneNode::default() };
        let description = own::WorldDescription {
            models: vec![
                model("car", "car::base", at(1.0, 0.0, 0.0)),
                model("car::arm", "car::arm::hand", at(1.0, 0.0, 1.0)),
            ],
            links: vec![link("car::base", at(1.0, 0.0, 0.2)), link("car::arm::hand", at(1.0, 0.0, 1.5))],
            ..own::WorldDescription::default()
        };
        let nodes = [node("car::base"), node("car::arm::hand")];
        let table = PoseTable::new(&description, &nodes);
        // The car has turned by a quarter to the left and driven by 2 m; its arm with it.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turned = |z: f64| Pose { position: [3.0, 0.0, z], orientation: [0.0, 0.0, half, half] };
        let [all, moving] = table.messages(&[turned(0.2), turned(1.5)], &gz::Header::default());
        let found: Vec<(String, [f64; 3])> = all
            .pose
            .iter()
            .map(|pose| {
                let position = pose.position.clone().expect("a position");
                (
                    pose.name.clone(),
                    [position.x, position.y, position.z].map(|value| (value * 1e6).round() / 1e6),
                )
            })
            .collect();
        let expected = [
            ("car", [3.0, 0.0, 0.0]),
            ("arm", [0.0, 0.0, 1.0]),
            ("base", [0.0, 0.0, 0.2]),
            ("hand", [0.0, 0.0, 0.5]),
        ];
        assert_eq!(found, expected.map(|(name, position)| (name.to_owned(), position)));
        assert_eq!(moving.pose.len(), 4);
        let turned = all.pose[0].orientation.clone().expect("a rotation");
        assert!((turned.z - half).abs() < 1e-9 && (turned.w - half).abs() < 1e-9, "{turned:?}");
    }
}

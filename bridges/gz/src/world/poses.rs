//! The poses of models and links as Gazebo publishes them: each relative to its parent, under its own name.
//!
//! The scene tells where links are. A model is where its canonical link carries it.

use std::collections::BTreeMap;

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::geometry_msgs;

use crate::ids::{IdTable, Kind, SEPARATOR};
use crate::msgs as gz;

/// The models and links of one revision of a world.
#[derive(Debug, Default)]
pub(super) struct PoseTable {
    /// First the models, each before those that are nested in it.
    pub(super) entries: Vec<Entry>,
}

/// A model or a link.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) id: u32,
    pub(super) scoped: String,
    pub(super) is_static: bool,
    /// Place of the model that it belongs to.
    pub(super) parent: Option<usize>,
    /// Place of the node of the scene that carries it.
    pub(super) node: usize,
    /// Its pose in that node.
    offset: Pose,
}

impl Entry {
    /// Returns its name in its model or in the world.
    pub(super) fn name(&self) -> &str {
        last(&self.scoped)
    }
}

/// Returns the name of an entity in its parent.
pub(super) fn last(scoped: &str) -> &str {
    scoped.rsplit_once(SEPARATOR).map_or(scoped, |(_, name)| name)
}

impl PoseTable {
    /// Makes the table. Models without links are left out.
    pub(super) fn new(description: &own::WorldDescription, nodes: &[own::SceneNode], ids: &IdTable) -> Self {
        let places: BTreeMap<&str, usize> =
            nodes.iter().enumerate().map(|(place, node)| (node.name.as_str(), place)).collect();
        let initial: BTreeMap<&str, Pose> =
            description.links.iter().map(|link| (link.name.as_str(), pose_of(link.pose.as_ref()))).collect();
        let mut table = PoseTable::default();
        let mut models: BTreeMap<&str, usize> = BTreeMap::new();
        for model in &description.models {
            let canonical = model.canonical_link.as_str();
            let (Some(node), Some(link)) = (places.get(canonical), initial.get(canonical)) else { continue };
            let Some(id) = ids.get(Kind::Model, &model.name) else { continue };
            let offset = relative(*link, pose_of(model.pose.as_ref()));
            let parent = parent(&model.name, &models);
            models.insert(&model.name, table.entries.len());
            let scoped = model.name.clone();
            let is_static = nodes.get(*node).is_some_and(|node| node.is_static);
            let entry = Entry { kind: Kind::Model, id, scoped, is_static, parent, node: *node, offset };
            table.entries.push(entry);
        }
        for link in &description.links {
            let Some(node) = places.get(link.name.as_str()) else { continue };
            let Some(id) = ids.get(Kind::Link, &link.name) else { continue };
            table.entries.push(Entry {
                kind: Kind::Link,
                id,
                scoped: link.name.clone(),
                is_static: nodes.get(*node).is_some_and(|node| node.is_static),
                parent: parent(&link.name, &models),
                node: *node,
                offset: Pose::IDENTITY,
            });
        }
        table
    }

    /// Returns the pose of each entry in its parent, given those of the nodes in the world.
    pub(super) fn poses(&self, nodes: &[Pose]) -> Vec<Option<Pose>> {
        let in_world: Vec<Option<Pose>> = self
            .entries
            .iter()
            .map(|entry| nodes.get(entry.node).map(|node| node.compose(entry.offset)))
            .collect();
        let in_parent = |(pose, entry): (&Option<Pose>, &Entry)| {
            let parent = entry.parent.and_then(|parent| in_world.get(parent).copied().flatten());
            pose.map(|pose| parent.map_or(pose, |parent| relative(parent, pose)))
        };
        in_world.iter().zip(&self.entries).map(in_parent).collect()
    }

    /// Returns the poses as messages; first all, then those of what moves by itself.
    pub(super) fn messages(&self, nodes: &[Pose], header: &gz::Header) -> [gz::PoseV; 2] {
        let mut all = Vec::with_capacity(self.entries.len());
        let mut moving = Vec::with_capacity(self.entries.len());
        for (entry, pose) in self.entries.iter().zip(self.poses(nodes)) {
            let Some(pose) = pose else { continue };
            let (header, name) = (Some(header.clone()), entry.name().to_owned());
            let message = gz::Pose { header, name, id: entry.id, ..message(pose) };
            if !entry.is_static {
                moving.push(message.clone());
            }
            all.push(message);
        }
        [all, moving].map(|pose| gz::PoseV { header: Some(header.clone()), pose })
    }
}

fn parent(scoped: &str, models: &BTreeMap<&str, usize>) -> Option<usize> {
    scoped.rsplit_once(SEPARATOR).and_then(|(parent, _)| models.get(parent)).copied()
}

/// Returns a pose as a message without a name.
pub(super) fn message(pose: Pose) -> gz::Pose {
    let [x, y, z] = pose.position;
    let position = Some(gz::Vector3d { header: None, x, y, z });
    let [x, y, z, w] = pose.orientation;
    let orientation = Some(gz::Quaternion { header: None, x, y, z, w });
    gz::Pose { position, orientation, ..gz::Pose::default() }
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
        let mut ids = IdTable::default();
        ids.update(&description);
        let table = PoseTable::new(&description, &nodes, &ids);
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
        let kinds = [Kind::Model, Kind::Model, Kind::Link, Kind::Link];
        let scoped = ["car", "car::arm", "car::base", "car::arm::hand"];
        let expected: Vec<_> =
            kinds.into_iter().zip(scoped).map(|(kind, name)| ids.get(kind, name)).collect();
        assert_eq!(all.pose.iter().map(|pose| Some(pose.id)).collect::<Vec<_>>(), expected);
        let turned = all.pose[0].orientation.clone().expect("a rotation");
        assert!((turned.z - half).abs() < 1e-9 && (turned.w - half).abs() < 1e-9, "{turned:?}");
    }
}

//! What one revision of a world looks like, as the scene of Gazebo: models with their links, visuals and lights. Pure.

use std::collections::{BTreeMap, BTreeSet};

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;

use super::appearance;
use super::poses::{Entry, PoseTable, last, message};
use crate::ids::{IdTable, Kind, WORLD};
use crate::msgs as gz;

/// A revision of a world.
#[derive(Debug)]
pub(super) struct Look {
    /// Revisions of the scene and of the description.
    pub(super) revisions: [u64; 2],
    scene: own::Scene,
    /// Addresses of meshes, by visual.
    files: BTreeMap<String, String>,
    canonical: BTreeSet<String>,
    pub(super) table: PoseTable,
}

/// What is needed to make one message.
struct Making<'a> {
    look: &'a Look,
    ids: &'a IdTable,
    files: BTreeMap<&'a str, &'a str>,
    /// By node.
    visuals: BTreeMap<i32, Vec<&'a own::SceneVisual>>,
}

impl Look {
    /// Makes a revision, and gives ids to its lights. `ids` has what is described.
    pub(super) fn new(scene: own::Scene, description: &own::WorldDescription, ids: &mut IdTable) -> Self {
        ids.update_lights(&scene.lights);
        let shapes = description.links.iter().flat_map(|link| &link.visuals);
        let with_file = shapes.filter(|shape| !shape.mesh.is_empty());
        Look {
            revisions: [scene.revision, description.revision],
            files: with_file.map(|shape| (shape.name.clone(), shape.mesh.clone())).collect(),
            canonical: description.models.iter().map(|model| model.canonical_link.clone()).collect(),
            table: PoseTable::new(description, &scene.nodes, ids),
            scene,
        }
    }

    /// Returns the scene, given the poses of its nodes.
    pub(super) fn message(&self, ids: &IdTable, nodes: &[Pose]) -> gz::Scene {
        let files = self.files.iter().map(|(name, file)| (name.as_str(), file.as_str())).collect();
        let mut visuals: BTreeMap<i32, Vec<&own::SceneVisual>> = BTreeMap::new();
        for visual in &self.scene.visuals {
            visuals.entry(visual.node).or_default().push(visual);
        }
        let making = Making { look: self, ids, files, visuals };
        let surroundings = self.scene.surroundings.clone().unwrap_or_default();
        gz::Scene {
            name: self.scene.world.clone(),
            model: making.models(&self.table.poses(nodes)),
            light: making.lights(-1, WORLD),
            ..appearance::surroundings(&surroundings)
        }
    }
}

/// Returns a scene of some top-level models only, as it is published once they have been added. Their names are removed
/// from the set.
pub(super) fn additions(whole: gz::Scene, names: &mut BTreeSet<String>) -> gz::Scene {
    let model: Vec<gz::Model> = whole.model.into_iter().filter(|model| names.remove(&model.name)).collect();
    gz::Scene { name: whole.name, header: whole.header, model, ..gz::Scene::default() }
}

impl Making<'_> {
    fn models(&self, poses: &[Option<Pose>]) -> Vec<gz::Model> {
        let mut models: BTreeMap<usize, gz::Model> = BTreeMap::new();
        for ((place, entry), pose) in self.look.table.entries.iter().enumerate().zip(poses) {
            let pose = pose.map(message);
            match entry.kind {
                Kind::Model => {
                    models.insert(place, model(entry, pose));
                }
                Kind::Link | Kind::Visual | Kind::Light => {
                    let parent = entry.parent.and_then(|parent| models.get_mut(&parent));
                    if let Some(parent) = parent {
                        parent.link.push(self.link(entry, pose));
                    }
                }
            }
        }
        // From the last on, since nested models come after those that contain them.
        for (place, entry) in self.look.table.entries.iter().enumerate().rev() {
            if let (Kind::Model, Some(parent)) = (entry.kind, entry.parent)
                && let Some(nested) = models.remove(&place)
                && let Some(parent) = models.get_mut(&parent)
            {
                parent.model.insert(0, nested);
            }
        }
        models.into_values().collect()
    }

    fn link(&self, entry: &Entry, pose: Option<gz::Pose>) -> gz::Link {
        let node = i32::try_from(entry.node).unwrap_or(-1);
        let visuals = self.visuals.get(&node).into_iter().flatten();
        gz::Link {
            id: entry.id,
            name: entry.name().to_owned(),
            pose,
            canonical: self.look.canonical.contains(&entry.scoped),
            visual: visuals.filter_map(|visual| self.visual(visual, entry)).collect(),
            light: self.lights(node, entry.id),
        }
    }

    /// Returns a visual; `None` for one that Gazebo could not draw.
    fn visual(&self, visual: &own::SceneVisual, link: &Entry) -> Option<gz::Visual> {
        let materials = &self.look.scene.materials;
        let material = usize::try_from(visual.material).ok().and_then(|index| materials.get(index));
        Some(gz::Visual {
            name: last(&visual.name).to_owned(),
            id: self.ids.get(Kind::Visual, &visual.name)?,
            parent_name: link.name().to_owned(),
            parent_id: link.id,
            cast_shadows: visual.cast_shadows,
            transparency: visual.transparency,
            laser_retro: visual.laser_retro,
            pose: visual.pose.map(Into::into),
            geometry: Some(appearance::geometry(visual, &self.files)?),
            material: material.map(|material| appearance::material(material, &self.look.scene.textures)),
        })
    }

    fn lights(&self, node: i32, parent: u32) -> Vec<gz::Light> {
        let lights = self.look.scene.lights.iter().filter(|light| light.node == node);
        let message = |light: &own::SceneLight| {
            let id = self.ids.get(Kind::Light, &light.name)?;
            Some(appearance::light(light, last(&light.name), id, parent))
        };
        lights.filter_map(message).collect()
    }
}

fn model(entry: &Entry, pose: Option<gz::Pose>) -> gz::Model {
    gz::Model {
        name: entry.name().to_owned(),
        id: entry.id,
        is_static: entry.is_static,
        pose,
        ..gz::Model::default()
    }
}

/// Returns the entities of a scene as a graph in the language DOT, in the form in which Gazebo prints it.
pub(super) fn graph(scene: &gz::Scene) -> String {
    let mut graph = Graph::default();
    graph.vertices.insert(WORLD, scene.name.clone());
    scene.model.iter().for_each(|model| graph.model(WORLD, model));
    scene.light.iter().for_each(|light| graph.add(WORLD, light.id, &light.name));
    graph.to_string()
}

#[derive(Default)]
struct Graph {
    /// Names, by id.
    vertices: BTreeMap<u32, String>,
    edges: Vec<[u32; 2]>,
}

impl Graph {
    fn add(&mut self, parent: u32, id: u32, name: &str) {
        self.vertices.insert(id, name.to_owned());
        self.edges.push([parent, id]);
    }

    fn model(&mut self, parent: u32, model: &gz::Model) {
        self.add(parent, model.id, &model.name);
        for nested in &model.model {
            self.model(model.id, nested);
        }
        for link in &model.link {
            self.add(model.id, link.id, &link.name);
            link.visual.iter().for_each(|visual| self.add(link.id, visual.id, &visual.name));
            link.light.iter().for_each(|light| self.add(link.id, light.id, &light.name));
        }
    }
}

impl std::fmt::Display for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "digraph {{")?;
        for (id, name) in &self.vertices {
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "  {id} [label=\"{name} ({id})\"];")?;
        }
        for [parent, child] in &self.edges {
            // The weight of every edge.
            writeln!(f, "  {parent} -> {child} [label=1];")?;
        }
        writeln!(f, "}}")
    }
}

#[cfg(test)]
mod tests;

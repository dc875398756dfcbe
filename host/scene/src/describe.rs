//! Makes the message of a scene.

use std::collections::HashMap;

use bridgehead_messages::bridgehead_simulation_interfaces as own;
use bridgehead_messages::prost::Message as _;
use bridgehead_sdf::element::{Collision, Geometry, Material, Texture, Visual};
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::Placed;
use bridgehead_sdf::{Account, Budget};

use crate::geometry::{self, Drawn};
use crate::library::{Library, MeshEntry, TextureEntry};
use crate::light;
use crate::material::{self, NONE};
use crate::message;
use crate::part::{LinkPart, ModelPart, Parts};

/// Returns what parts look like, and reads the files that are not in the library yet, within the budget. The library
/// has the meshes and textures of the newest description only.
#[must_use]
pub fn describe(parts: &Parts, revision: u64, library: &mut Library, budget: &Budget) -> own::Scene {
    library.begin(&parts.world);
    let mut scene = Describing { scene: own::Scene::default(), library, budget, indices: Indices::default() };
    scene.scene.revision = revision;
    scene.scene.world.clone_from(&parts.world.name);
    scene.scene.surroundings = Some(light::surroundings(&parts.world.scene));
    scene.scene.lights.extend(parts.world.lights.iter().map(|placed| light::light("", NONE, placed)));
    parts.models.values().for_each(|model| scene.model(model));
    let message = scene.scene;
    library.keep_used();
    message
}

/// Where things are in the message, so that each is there once.
#[derive(Default)]
struct Indices {
    /// By hash.
    textures: HashMap<String, i32>,
    /// By hash and materials: equal triangles may be painted differently.
    meshes: HashMap<(String, Vec<i32>), i32>,
    /// By the encoded material.
    materials: HashMap<Vec<u8>, i32>,
}

struct Describing<'a> {
    scene: own::Scene,
    library: &'a mut Library,
    budget: &'a Budget,
    indices: Indices,
}

impl Describing<'_> {
    fn model(&mut self, model: &ModelPart) {
        for link in &model.links {
            let node = index(self.scene.nodes.len());
            self.scene.nodes.push(own::SceneNode {
                name: link.name.clone(),
                entity: model.name.clone(),
                pose: Some(message::pose(&link.pose)),
                is_static: link.is_static,
            });
            self.scene.lights.extend(link.lights.iter().map(|placed| light::light(&link.name, node, placed)));
            link.visuals.iter().for_each(|placed| self.visual(link, node, placed));
            link.collisions.iter().for_each(|placed| self.collision(link, node, placed));
        }
    }

    fn visual(&mut self, link: &LinkPart, node: i32, placed: &Placed<Visual>) {
        let visual = &placed.element;
        let account = self.budget.of(&visual.origin);
        let written = visual.material.as_ref().map_or(NONE, |material| self.written(material, account));
        let look = self.look(&visual.geometry, account);
        let heightmap = if written == NONE { self.heightmap(&visual.geometry, account) } else { NONE };
        self.scene.visuals.push(own::SceneVisual {
            name: format!("{}::{}", link.name, visual.name),
            node,
            pose: Some(message::pose(&placed.pose.compose(&look.pose))),
            r#type: look.kind,
            size: Some(message::vector(look.size)),
            mesh: look.mesh,
            material: written.max(heightmap),
            transparency: visual.transparency,
            cast_shadows: visual.cast_shadows,
            visibility_flags: visual.visibility_flags,
            label: visual.label.and_then(|label| i32::try_from(label).ok()).unwrap_or(NONE),
            laser_retro: visual.laser_retro,
            temperature: visual.temperature.unwrap_or(AIR),
        });
    }

    fn collision(&mut self, link: &LinkPart, node: i32, placed: &Placed<Collision>) {
        let collision = &placed.element;
        let look = self.look(&collision.geometry, self.budget.of(&collision.origin));
        self.scene.collisions.push(own::SceneVisual {
            name: format!("{}::{}", link.name, collision.name),
            node,
            pose: Some(message::pose(&placed.pose.compose(&look.pose))),
            r#type: look.kind,
            size: Some(message::vector(look.size)),
            mesh: look.mesh,
            material: NONE,
            label: NONE,
            temperature: AIR,
            ..own::SceneVisual::default()
        });
    }

    fn look(&mut self, geometry: &Geometry, account: Account<'_>) -> Look {
        match geometry::drawn(geometry) {
            Drawn::Nothing => Look::NOTHING,
            Drawn::Shape(kind, size, pose) => Look { kind, size, pose, mesh: NONE },
            Drawn::Mesh(key, size) => {
                let entry = self.library.mesh(key, || geometry::mesh(geometry, account));
                let mesh = entry.map(|entry| self.mesh(&entry, geometry::uri(geometry), account));
                mesh.map_or(Look::NOTHING, |mesh| Look {
                    kind: own::SceneVisual::MESH,
                    size,
                    pose: Pose::IDENTITY,
                    mesh,
                })
            }
        }
    }

    /// Returns the index of a mesh.
    fn mesh(&mut self, entry: &MeshEntry, uri: &str, account: Account<'_>) -> i32 {
        let used: Vec<i32> = entry.materials.iter().map(|material| self.of_mesh(material, account)).collect();
        let of_part = |part: &Option<usize>| part.and_then(|at| used.get(at).copied()).unwrap_or(NONE);
        let materials: Vec<i32> = entry.uses.iter().map(of_part).collect();
        let key = (entry.hash.clone(), materials.clone());
        if let Some(known) = self.indices.meshes.get(&key) {
            return *known;
        }
        self.scene.meshes.push(own::SceneMesh {
            hash: entry.hash.clone(),
            uri: uri.to_owned(),
            bytes: entry.bytes,
            triangles: entry.triangles,
            materials,
        });
        let at = index(self.scene.meshes.len() - 1);
        self.indices.meshes.insert(key, at);
        at
    }

    /// Returns the index of a `<material>`.
    fn written(&mut self, written: &Material, account: Account<'_>) -> i32 {
        let message = material::of_sdf(written, |texture| self.texture(texture, account));
        self.material(message)
    }

    /// Returns the index of a material of a mesh file.
    fn of_mesh(&mut self, of_file: &bridgehead_mesh::MeshMaterial, account: Account<'_>) -> i32 {
        let message = material::of_mesh(of_file, |image| {
            let entry = self.library.image(image, account);
            self.texture_index(entry, "")
        });
        self.material(message)
    }

    /// Returns the index of the material of a heightmap: the lowest of its textures.
    fn heightmap(&mut self, geometry: &Geometry, account: Account<'_>) -> i32 {
        let Geometry::Heightmap(map) = geometry else { return NONE };
        let Some(lowest) = map.textures.first() else { return NONE };
        let mut map =
            |of: &Option<Texture>| of.as_ref().map_or(NONE, |texture| self.texture(texture, account));
        let (color_map, normal_map) = (map(&lowest.diffuse), map(&lowest.normal));
        let white = Some(light::color([1.0; 4]));
        let dark = Some(light::color([0.0, 0.0, 0.0, 1.0]));
        let (ambient, diffuse) = (white, white);
        let (specular, emissive) = (dark, dark);
        let message = own::SceneMaterial {
            ambient,
            diffuse,
            specular,
            emissive,
            color_map,
            normal_map,
            ..material::plain()
        };
        self.material(message)
    }

    fn material(&mut self, message: own::SceneMaterial) -> i32 {
        let next = index(self.scene.materials.len());
        let at = *self.indices.materials.entry(message.encode_to_vec()).or_insert(next);
        if at == next {
            self.scene.materials.push(message);
        }
        at
    }

    fn texture(&mut self, texture: &Texture, account: Account<'_>) -> i32 {
        let Some(path) = &texture.path else { return NONE };
        let entry = self.library.texture(path, account);
        self.texture_index(entry, &texture.uri)
    }

    fn texture_index(&mut self, entry: Option<TextureEntry>, uri: &str) -> i32 {
        let Some(entry) = entry else { return NONE };
        if let Some(known) = self.indices.textures.get(&entry.hash) {
            return *known;
        }
        self.scene.textures.push(own::SceneTexture {
            hash: entry.hash.clone(),
            uri: uri.to_owned(),
            media_type: entry.info.media_type.to_owned(),
            width: entry.info.width,
            height: entry.info.height,
            bytes: entry.bytes,
        });
        let at = index(self.scene.textures.len() - 1);
        self.indices.textures.insert(entry.hash, at);
        at
    }
}

/// The temperature of visuals without one of their own.
const AIR: f64 = -1.0;

/// The shape of a visual in the message.
struct Look {
    kind: u32,
    size: DVec3,
    /// Pose of the shape in the visual.
    pose: Pose,
    mesh: i32,
}

impl Look {
    const NOTHING: Look =
        Look { kind: own::SceneVisual::NONE, size: DVec3::ONE, pose: Pose::IDENTITY, mesh: NONE };
}

/// A scene has thousands of things at most.
fn index(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

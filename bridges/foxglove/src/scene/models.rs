//! The meshes of a scene as viewers load them: binary glTF, inside of the scene or under an address.
//!
//! A mesh is the content that the host has, unchanged, if its colours are in it or one colour covers it. Otherwise, it gets
//! the materials and textures of the scene (see [`super::glb`]).
//!
//! Every viewer loads models that are inside of the scene. The scene has to fit into the queue of a client, so only the
//! first megabytes of models are inside of it; viewers request the others as assets.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    Scene, SceneMaterial, SceneMesh, SceneVisual,
};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bytes::Bytes;

use super::color::{opacity, rgba};
use super::glb::{self, Look, Textures};
use super::messages as fox;
use super::{pose_message, vector};

/// Bytes of models inside of a scene.
const MAX_EMBEDDED: usize = 16 << 20;
/// Media type of binary glTF.
const GLB: &str = "model/gltf-binary";
/// Viewers turn glTF, whose y axis points up, by a quarter about x. The meshes of scenes have the axes of SDF, so they are
/// turned back.
const UPRIGHT: Pose = Pose {
    position: [0.0; 3],
    orientation: [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2],
};

/// Reads the content of a mesh or texture by its hash.
pub(super) type Read<'a> = &'a dyn Fn(&str) -> Option<Bytes>;

/// The models of a scene.
#[derive(Default)]
pub(crate) struct Models {
    /// By the indices of their visuals.
    visuals: BTreeMap<usize, Model>,
    /// Those outside of the scene, by their addresses.
    addressed: BTreeMap<String, Bytes>,
}

/// The model of a visual.
pub(super) struct Model {
    scale: [f64; 3],
    color: Option<fox::Color>,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Inside(Bytes),
    Address(String),
}

impl Model {
    /// Returns the primitive of the model at a pose.
    pub(super) fn at(&self, pose: Pose) -> fox::ModelPrimitive {
        let [x, y, z] = self.scale;
        let (url, data) = match &self.source {
            Source::Inside(data) => (String::new(), data.clone()),
            Source::Address(address) => (address.clone(), Bytes::new()),
        };
        fox::ModelPrimitive {
            pose: Some(pose_message(pose.compose(UPRIGHT))),
            // The axes of the file, which are turned: its y becomes z.
            scale: vector([x, z, y]),
            color: Some(self.color.unwrap_or_default()),
            override_color: self.color.is_some(),
            url,
            media_type: GLB.to_owned(),
            data,
        }
    }
}

impl Models {
    /// Reads the models of a scene.
    pub(super) fn of(scene: &Scene, read: Read<'_>) -> Self {
        let mut reading =
            Reading { scene, read, known: BTreeMap::new(), models: Models::default(), inside: 0 };
        for (index, visual) in scene.visuals.iter().enumerate() {
            if let Some(model) = reading.model(visual) {
                reading.models.visuals.insert(index, model);
            }
        }
        reading.models
    }

    /// Returns the model of a visual by its index; `None` if it is no mesh.
    pub(super) fn of_visual(&self, index: usize) -> Option<&Model> {
        self.visuals.get(&index)
    }

    /// Returns the models outside of the scene, by their addresses.
    pub(crate) fn addressed(&self) -> &BTreeMap<String, Bytes> {
        &self.addressed
    }
}

/// What determines a file: mesh, material and the bits of the opacity. Opacity is 0 if a colour covers the file.
type Key = (i32, i32, u64);

/// A file with the colour that covers it.
type File = (Bytes, Option<fox::Color>);

/// A scene whose models are read.
struct Reading<'a> {
    scene: &'a Scene,
    read: Read<'a>,
    known: BTreeMap<Key, Option<File>>,
    models: Models,
    /// Bytes of the models inside of the scene.
    inside: usize,
}

impl Reading<'_> {
    fn model(&mut self, visual: &SceneVisual) -> Option<Model> {
        if visual.r#type != SceneVisual::MESH {
            return None;
        }
        let mesh = self.scene.meshes.get(usize::try_from(visual.mesh).ok()?)?;
        let key = (visual.mesh, visual.material, opacity(visual).to_bits());
        let (data, color) = match self.known.get(&key) {
            Some(known) => known.clone()?,
            None => {
                let file = self.file(mesh, visual);
                self.known.insert(key, file.clone());
                file?
            }
        };
        let Vector3 { x, y, z } = visual.size.unwrap_or_default();
        Some(Model { scale: [x, y, z], color, source: self.source(&mesh.hash, data) })
    }

    fn source(&mut self, hash: &str, data: Bytes) -> Source {
        if self.inside + data.len() <= MAX_EMBEDDED {
            self.inside += data.len();
            return Source::Inside(data);
        }
        let mut hasher = DefaultHasher::new();
        data.hash(&mut hasher);
        let address = format!("package://bridgehead/scene/{hash}-{:016x}.glb", hasher.finish());
        self.models.addressed.insert(address.clone(), data);
        Source::Address(address)
    }

    /// Returns the file of a mesh as a visual shows it.
    fn file(&self, mesh: &SceneMesh, visual: &SceneVisual) -> Option<File> {
        let content = (self.read)(&mesh.hash)?;
        let opacity = opacity(visual);
        let written = self.material(visual.material);
        let of_parts: Vec<Option<&SceneMaterial>> =
            mesh.materials.iter().map(|index| written.or_else(|| self.material(*index))).collect();
        let first = of_parts.first().copied().flatten();
        let is_one = written.is_some() || of_parts.iter().all(Option::is_none);
        if is_one && !first.is_some_and(glb::has_textures) {
            return Some((content, Some(rgba(written, opacity))));
        }
        let is_complete = of_parts.iter().all(|part| part.is_some_and(|part| !glb::has_textures(part)));
        if is_complete && opacity >= 1.0 {
            return Some((content, None));
        }
        let looks: Vec<Look<'_>> =
            of_parts.iter().map(|material| Look { material: *material, opacity }).collect();
        let textures = Textures { known: &self.scene.textures, read: self.read };
        glb::with_looks(&content, &looks, textures).map(|file| (file.into(), None))
    }

    fn material(&self, index: i32) -> Option<&SceneMaterial> {
        self.scene.materials.get(usize::try_from(index).ok()?)
    }
}

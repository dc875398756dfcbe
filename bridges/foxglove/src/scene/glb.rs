//! Adds the materials and textures of a scene to the binary glTF of a mesh, which has none of them inside.
//!
//! A texture of glTF can hold roughness in green and metalness in blue only together, so those of SDF are used if both are
//! the same image. Maps of specular colours, of glossiness and of light from around are left out: core glTF has none.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{SceneMaterial, SceneTexture};
use bridgehead_plugin_api::messages::std_msgs::ColorRgba;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::color::{linear, parts, rgba};
use super::models::Read;

#[cfg(test)]
mod tests;

/// Constants of glTF 2.0.
const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;
/// Bytes before the chunks, and before the content of each.
const HEAD: usize = 12;
const CHUNK_HEAD: usize = 8;

/// What a primitive looks like.
pub(super) struct Look<'a> {
    pub(super) material: Option<&'a SceneMaterial>,
    /// The opacity of the material is multiplied by this one.
    pub(super) opacity: f64,
}

/// The textures of a scene.
#[derive(Clone, Copy)]
pub(super) struct Textures<'a> {
    pub(super) known: &'a [SceneTexture],
    pub(super) read: Read<'a>,
}

/// Returns true if a material has a texture that glTF can have too.
pub(super) fn has_textures(material: &SceneMaterial) -> bool {
    let SceneMaterial { color_map, normal_map, emissive_map, occlusion_map, .. } = material;
    let maps = [*color_map, *normal_map, *emissive_map, *occlusion_map, metal_rough_map(material)];
    maps.iter().any(|map| *map >= 0)
}

fn metal_rough_map(material: &SceneMaterial) -> i32 {
    if material.roughness_map == material.metalness_map { material.roughness_map } else { -1 }
}

/// Returns a mesh with a look for each of its primitives; `None` for bytes that are not binary glTF.
pub(super) fn with_looks(mesh: &[u8], looks: &[Look<'_>], textures: Textures<'_>) -> Option<Vec<u8>> {
    let (mut root, bytes) = split(mesh)?;
    let mut file = File { bytes, images: Vec::new(), views: Vec::new(), known: BTreeMap::new(), textures };
    let root = root.as_object_mut()?;
    let primitives = root.get_mut("meshes")?.get_mut(0)?.get_mut("primitives")?.as_array_mut()?;
    let mut materials = Vec::new();
    for (primitive, look) in primitives.iter_mut().zip(looks) {
        let has_uvs = primitive.get("attributes")?.get("TEXCOORD_0").is_some();
        primitive.as_object_mut()?.insert("material".to_owned(), json!(materials.len()));
        materials.push(file.material(look, has_uvs));
    }
    root.insert("materials".to_owned(), materials.into());
    file.finish(root)
}

/// Returns the two chunks of a file.
fn split(mesh: &[u8]) -> Option<(Value, Vec<u8>)> {
    let number = |at: usize| {
        let bytes = mesh.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes))
    };
    let length = usize::try_from(number(HEAD)?).ok()?;
    let text = mesh.get(HEAD + CHUNK_HEAD..)?.get(..length)?;
    let binary = HEAD + CHUNK_HEAD + length;
    let is_glb =
        number(0)? == MAGIC && number(HEAD + 4)? == JSON_CHUNK && number(binary + 4)? == BINARY_CHUNK;
    let bytes = mesh.get(binary + CHUNK_HEAD..)?.get(..usize::try_from(number(binary)?).ok()?)?;
    is_glb.then_some(())?;
    Some((serde_json::from_slice(text).ok()?, bytes.to_vec()))
}

/// A file to which images are added.
struct File<'a> {
    /// The binary chunk.
    bytes: Vec<u8>,
    images: Vec<Value>,
    /// Offset and length of each image.
    views: Vec<(usize, usize)>,
    /// Images by the indices of textures; `None` for those that cannot be read.
    known: BTreeMap<i32, Option<usize>>,
    textures: Textures<'a>,
}

impl File<'_> {
    fn material(&mut self, look: &Look<'_>, has_uvs: bool) -> Value {
        let Some(from) = look.material else { return plain(look) };
        let color = rgba(Some(from), look.opacity);
        let [metalness, roughness] = surface(from);
        let mut metal = json!({
            "baseColorFactor": [linear(color.r), linear(color.g), linear(color.b), color.a.clamp(0.0, 1.0)],
            "metallicFactor": metalness,
            "roughnessFactor": roughness,
        });
        let mut material = json!({ "name": from.name, "doubleSided": from.double_sided });
        if has_uvs {
            self.map(&mut metal, "baseColorTexture", from.color_map);
            self.map(&mut metal, "metallicRoughnessTexture", metal_rough_map(from));
            self.map(&mut material, "emissiveTexture", from.emissive_map);
            self.map(&mut material, "occlusionTexture", from.occlusion_map);
            if !from.normal_in_object_space {
                self.map(&mut material, "normalTexture", from.normal_map);
            }
        }
        material["emissiveFactor"] = json!(emissive(from, material.get("emissiveTexture").is_some()));
        material["pbrMetallicRoughness"] = metal;
        add_alpha(&mut material, from.alpha_cutoff, color.a);
        material
    }

    /// Adds a texture to a part of a material.
    fn map(&mut self, to: &mut Value, name: &str, texture: i32) {
        if let Some(image) = self.image(texture) {
            // Each image has a texture with its index.
            to[name] = json!({ "index": image });
        }
    }

    /// Returns the index of the image of a texture.
    fn image(&mut self, texture: i32) -> Option<usize> {
        if let Some(known) = self.known.get(&texture) {
            return *known;
        }
        let added = self.add_image(texture);
        self.known.insert(texture, added);
        added
    }

    fn add_image(&mut self, texture: i32) -> Option<usize> {
        let texture = self.textures.known.get(usize::try_from(texture).ok()?)?;
        let content: Bytes = (self.textures.read)(&texture.hash)?;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push((self.bytes.len(), content.len()));
        self.bytes.extend_from_slice(&content);
        self.images.push(json!({ "name": texture.uri, "mimeType": texture.media_type }));
        Some(self.images.len() - 1)
    }

    /// Writes the file.
    fn finish(mut self, root: &mut Map<String, Value>) -> Option<Vec<u8>> {
        let views = root.get_mut("bufferViews")?.as_array_mut()?;
        for (image, (offset, length)) in self.images.iter_mut().zip(&self.views) {
            image["bufferView"] = json!(views.len());
            views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": length }));
        }
        root.get_mut("buffers")?.get_mut(0)?["byteLength"] = json!(self.bytes.len());
        if !self.images.is_empty() {
            let textures: Vec<Value> =
                (0..self.images.len()).map(|image| json!({ "source": image })).collect();
            root.insert("textures".to_owned(), textures.into());
            root.insert("images".to_owned(), self.images.into());
        }
        let text = serde_json::to_vec(root).ok()?;
        Some(assembled(text, self.bytes))
    }
}

/// Returns the material of a primitive that has none.
fn plain(look: &Look<'_>) -> Value {
    let color = rgba(None, look.opacity);
    let metal = json!({
        "baseColorFactor": [linear(color.r), linear(color.g), linear(color.b), color.a],
        "metallicFactor": 0.0,
        "roughnessFactor": 1.0,
    });
    let mut material = json!({ "pbrMetallicRoughness": metal });
    add_alpha(&mut material, 0.0, color.a);
    material
}

/// Returns metalness and roughness.
fn surface(from: &SceneMaterial) -> [f64; 2] {
    // A Phong exponent as roughness: the usual approximation of Blinn-Phong by a microfacet distribution.
    let of_phong = (2.0 / (from.shininess.max(0.0) + 2.0)).sqrt();
    let [metalness, roughness] = match from.r#type {
        SceneMaterial::METAL => [from.metalness, from.roughness],
        SceneMaterial::SPECULAR => [0.0, from.roughness],
        _ => [0.0, of_phong],
    };
    [metalness, roughness].map(|part| part.clamp(0.0, 1.0))
}

/// Returns the colour that is multiplied with the map of emitted light, which is all of the light if the colour is black.
fn emissive(from: &SceneMaterial, has_map: bool) -> [f64; 3] {
    let [r, g, b, _] = parts(from.emissive.as_ref().or(Some(&ColorRgba::default()))).map(linear);
    if has_map && [r, g, b] == [0.0; 3] { [1.0; 3] } else { [r, g, b] }
}

fn add_alpha(material: &mut Value, cutoff: f64, opacity: f64) {
    if opacity < 1.0 {
        material["alphaMode"] = json!("BLEND");
    } else if cutoff > 0.0 {
        material["alphaMode"] = json!("MASK");
        material["alphaCutoff"] = json!(cutoff);
    }
}

/// Writes the two chunks, each padded to four bytes, after the header.
fn assembled(mut text: Vec<u8>, mut bytes: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let total = HEAD + CHUNK_HEAD + text.len() + CHUNK_HEAD + bytes.len();
    // The limits of the host keep meshes and textures far below 4 GB.
    let size = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let mut all = Vec::with_capacity(total);
    let numbers = |all: &mut Vec<u8>, numbers: &[u32]| {
        all.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    };
    numbers(&mut all, &[MAGIC, VERSION, size(total), size(text.len()), JSON_CHUNK]);
    all.extend_from_slice(&text);
    numbers(&mut all, &[size(bytes.len()), BINARY_CHUNK]);
    all.extend_from_slice(&bytes);
    all
}

//! Writes binary glTF 2.0.

use serde_json::{Value, json};

use super::{MeshMaterial, VisualMesh, VisualPart, color};

/// Constants of glTF 2.0.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const MAGIC: u32 = 0x4654_6C67;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

pub(super) fn write(mesh: &VisualMesh) -> Vec<u8> {
    let mut file = File::default();
    let primitives: Vec<Value> = mesh.parts.iter().map(|part| file.primitive(part)).collect();
    let materials: Vec<Value> = mesh.materials.iter().map(material).collect();
    let mut root = json!({
        "asset": { "version": "2.0", "generator": "bridgehead" },
    });
    // Empty lists are not valid.
    if !materials.is_empty() {
        root["materials"] = json!(materials);
    }
    if !primitives.is_empty() {
        root["scene"] = json!(0);
        root["scenes"] = json!([{ "nodes": [0] }]);
        root["nodes"] = json!([{ "mesh": 0 }]);
        root["meshes"] = json!([{ "primitives": primitives }]);
        root["accessors"] = json!(file.accessors);
        root["bufferViews"] = json!(file.views);
        root["buffers"] = json!([{ "byteLength": file.bytes.len() }]);
    }
    assembled(root.to_string().into_bytes(), file.bytes)
}

/// The two chunks, each padded to four bytes, after the header.
fn assembled(mut text: Vec<u8>, mut bytes: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let total = 12 + 8 + text.len() + 8 + bytes.len();
    let mut all = Vec::with_capacity(total);
    let number = |all: &mut Vec<u8>, number: u32| all.extend_from_slice(&number.to_le_bytes());
    number(&mut all, MAGIC);
    number(&mut all, 2);
    number(&mut all, size(total));
    number(&mut all, size(text.len()));
    number(&mut all, JSON_CHUNK);
    all.extend_from_slice(&text);
    number(&mut all, size(bytes.len()));
    number(&mut all, BINARY_CHUNK);
    all.extend_from_slice(&bytes);
    all
}

/// The limits of reading keep meshes far below 4 GB.
fn size(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn primitive(&mut self, part: &VisualPart) -> Value {
        let positions = self.vectors(&part.positions);
        let (low, high) = bounds(&part.positions);
        self.accessors[positions]["min"] = json!(low);
        self.accessors[positions]["max"] = json!(high);
        let mut attributes = json!({ "POSITION": positions, "NORMAL": self.vectors(&part.normals) });
        if !part.uvs.is_empty() {
            attributes["TEXCOORD_0"] = json!(self.vectors(&part.uvs));
        }
        let bytes = part.indices.iter().flat_map(|index| index.to_le_bytes());
        let indices = self.add(bytes, ELEMENT_ARRAY_BUFFER, (UNSIGNED_INT, "SCALAR", part.indices.len()));
        let mut primitive = json!({ "attributes": attributes, "indices": indices });
        if let Some(material) = part.material {
            primitive["material"] = json!(material);
        }
        primitive
    }

    fn vectors<const N: usize>(&mut self, all: &[[f32; N]]) -> usize {
        let bytes = all.iter().flatten().flat_map(|number| number.to_le_bytes());
        self.add(bytes, ARRAY_BUFFER, (FLOAT, if N == 2 { "VEC2" } else { "VEC3" }, all.len()))
    }

    /// Adds an accessor with its own view. Returns its index.
    fn add(
        &mut self,
        bytes: impl Iterator<Item = u8>,
        target: u32,
        (component, kind, count): (u32, &str, usize),
    ) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        let view = self.views.len();
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": offset,
            "byteLength": self.bytes.len() - offset,
            "target": target,
        }));
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": component,
            "type": kind,
            "count": count,
        }));
        self.accessors.len() - 1
    }
}

fn bounds(positions: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
    let start = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    positions.iter().fold(start, |(low, high), at| {
        let each = |of: fn(f32, f32) -> f32, limit: [f32; 3]| {
            [of(limit[0], at[0]), of(limit[1], at[1]), of(limit[2], at[2])]
        };
        (each(f32::min, low), each(f32::max, high))
    })
}

fn material(from: &MeshMaterial) -> Value {
    // A Phong exponent as roughness: the usual approximation of Blinn-Phong by a microfacet distribution.
    let rough = (2.0 / (from.shininess.max(0.0) + 2.0)).sqrt();
    let [metalness, roughness] = from.metal_rough.unwrap_or([0.0, rough]).map(|part| part.clamp(0.0, 1.0));
    let [r, g, b, opacity] = from.diffuse.map(|part| part.clamp(0.0, 1.0));
    let emissive = [from.emissive[0], from.emissive[1], from.emissive[2]].map(|part| part.clamp(0.0, 1.0));
    let ([r, g, b], emissive) = (color::linear([r, g, b]), color::linear(emissive));
    let mut material = json!({
        "name": from.name,
        "pbrMetallicRoughness": {
            "baseColorFactor": [r, g, b, opacity],
            "metallicFactor": metalness,
            "roughnessFactor": roughness,
        },
        "doubleSided": from.double_sided,
        "emissiveFactor": emissive,
    });
    if from.alpha_cutoff > 0.0 {
        material["alphaMode"] = json!("MASK");
        material["alphaCutoff"] = json!(from.alpha_cutoff);
    } else if opacity < 1.0 {
        material["alphaMode"] = json!("BLEND");
    }
    material
}

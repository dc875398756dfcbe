//! glTF with its materials, read by the crate `gltf`.

use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_sdf::Account;
use bridgehead_sdf::pose::DVec3;
use glam::{DMat3, DMat4};
use gltf::image::Source;
use gltf::material::AlphaMode;

use super::vertices::single;
use super::{Image, MeshMaterial, VisualMesh, VisualPart};
use crate::ContentError;
use crate::gltf::{buffers, each_primitive};

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    let file = gltf::Gltf::from_slice(bytes).map_err(ContentError::reader)?;
    let buffers = buffers(&file, path, account)?;
    let mut mesh = VisualMesh::default();
    let mut reading = Materials { buffers: &buffers, path, warnings: Vec::new() };
    mesh.materials = file.materials().map(|material| reading.material(&material)).collect();
    let count = mesh.materials.len();
    each_primitive(&file, account, &mut |primitive, pose, name| {
        let material = primitive.material().index().filter(|index| *index < count);
        mesh.parts.push(VisualPart { material, ..part(primitive, (pose, name), &buffers)? });
        Ok(())
    })?;
    mesh.warnings = reading.warnings;
    Ok(mesh)
}

fn part(
    primitive: &gltf::Primitive<'_>,
    (pose, name): (DMat4, &str),
    buffers: &[Vec<u8>],
) -> Result<VisualPart, ContentError> {
    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
    let positions = reader.read_positions().ok_or(ContentError::NoPositions("a primitive"))?;
    let double = |at: [f32; 3]| DVec3::from_array(at.map(f64::from));
    let positions: Vec<[f32; 3]> = positions.map(|at| single(pose.transform_point3(double(at)))).collect();
    let turn = turn_of(pose);
    let normals = reader.read_normals().into_iter().flatten().map(|normal| single(turn * double(normal)));
    let uvs = reader.read_tex_coords(0).map(|coordinates| coordinates.into_f32().collect());
    let count = u32::try_from(positions.len()).unwrap_or(u32::MAX);
    let mut indices: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..count).collect(),
    };
    indices.truncate(indices.len() / 3 * 3);
    if pose.determinant() < 0.0 {
        indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    }
    Ok(VisualPart {
        name: name.to_owned(),
        normals: normals.collect(),
        positions,
        uvs: uvs.unwrap_or_default(),
        indices,
        material: None,
    })
}

/// The transform of normals: it keeps them perpendicular to surfaces.
pub(super) fn turn_of(pose: DMat4) -> DMat3 {
    let linear = DMat3::from_mat4(pose);
    if linear.determinant() == 0.0 { DMat3::IDENTITY } else { linear.inverse().transpose() }
}

struct Materials<'a> {
    buffers: &'a [Vec<u8>],
    path: &'a Path,
    warnings: Vec<String>,
}

impl Materials<'_> {
    fn material(&mut self, from: &gltf::Material<'_>) -> MeshMaterial {
        let metal = from.pbr_metallic_roughness();
        let [r, g, b] = from.emissive_factor();
        let color = metal.base_color_factor();
        let opacity = if from.alpha_mode() == AlphaMode::Blend { color[3] } else { 1.0 };
        let cutoff = match from.alpha_mode() {
            AlphaMode::Mask => from.alpha_cutoff().unwrap_or(0.5),
            AlphaMode::Opaque | AlphaMode::Blend => 0.0,
        };
        let diffuse = [color[0], color[1], color[2], opacity];
        let normal = from.normal_texture().map(|texture| texture.texture());
        let occlusion = from.occlusion_texture().map(|texture| texture.texture());
        MeshMaterial {
            name: from.name().unwrap_or_default().to_owned(),
            ambient: diffuse,
            diffuse,
            emissive: [r, g, b, 1.0],
            double_sided: from.double_sided(),
            alpha_cutoff: cutoff,
            metal_rough: Some([metal.metallic_factor(), metal.roughness_factor()]),
            unlit: from.unlit(),
            color_map: metal.base_color_texture().and_then(|map| self.image(&map.texture())),
            metal_rough_map: metal.metallic_roughness_texture().and_then(|map| self.image(&map.texture())),
            emissive_map: from.emissive_texture().and_then(|map| self.image(&map.texture())),
            normal_map: normal.and_then(|texture| self.image(&texture)),
            occlusion_map: occlusion.and_then(|texture| self.image(&texture)),
            ..MeshMaterial::default()
        }
    }

    fn image(&mut self, texture: &gltf::Texture<'_>) -> Option<Image> {
        let found = match texture.source().source() {
            Source::View { view, .. } => {
                let buffer = self.buffers.get(view.buffer().index());
                let bytes = buffer.and_then(|bytes| bytes.get(view.offset()..view.offset() + view.length()));
                bytes.map(|bytes| Image::Embedded(Arc::from(bytes)))
            }
            Source::Uri { uri, .. } => {
                match uri.strip_prefix("data:").and_then(|data| data.split_once("base64,")) {
                    Some((_, text)) => {
                        STANDARD.decode(text).ok().map(|bytes| Image::Embedded(Arc::from(bytes)))
                    }
                    None => {
                        let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
                        Some(Image::beside(self.path, &name))
                    }
                }
            }
        };
        if found.is_none() {
            self.warnings.push(format!("an image of `{}` is not in the file", self.path.display()));
        }
        found
    }
}

//! glTF with its materials, read by the crate `gltf`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_pose::DVec3;
use bridgehead_sdf::Account;
use bridgehead_sdf::limits::Limit;
use glam::DMat4;
use gltf::image::Source;
use gltf::material::AlphaMode;

use super::vertices::{single, turn_of, unit};
use super::warnings::Warnings;
use super::{Image, MeshMaterial, VisualMesh, VisualPart, color};
use crate::ContentError;
use crate::gltf::{Buffer, buffers, each_primitive, embedded};

/// The cutoff of glTF 2.0 for masks that do not name one.
const CUTOFF: f32 = 0.5;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    let file = gltf::Gltf::from_slice(bytes).map_err(ContentError::reader)?;
    let buffers = buffers(&file, path, account)?;
    let mut images =
        Images { buffers: &buffers, path, account, known: HashMap::new(), warnings: Warnings::default() };
    let materials: Result<Vec<MeshMaterial>, ContentError> =
        file.materials().map(|from| material(&from, &mut images)).collect();
    let mut mesh = VisualMesh { materials: materials?, ..VisualMesh::default() };
    each_primitive(&file, account, &mut |primitive, pose, name| {
        let material = primitive.material().index().filter(|index| *index < mesh.materials.len());
        mesh.parts.push(VisualPart { material, ..part(primitive, (pose, name), &buffers)? });
        Ok(())
    })?;
    mesh.warnings = images.warnings.into_vec();
    Ok(mesh)
}

fn part(
    primitive: &gltf::Primitive<'_>,
    (pose, name): (DMat4, &str),
    buffers: &[Buffer<'_>],
) -> Result<VisualPart, ContentError> {
    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(AsRef::as_ref));
    let double = |at: [f32; 3]| DVec3::from_array(at.map(f64::from));
    let positions = reader.read_positions().ok_or(ContentError::NoPositions("a primitive"))?;
    let positions: Vec<[f32; 3]> = positions.map(|at| single(pose.transform_point3(double(at)))).collect();
    let count = positions.len();
    // Only positions were charged: a file can claim any number of the others.
    let turn = turn_of(pose);
    let normals = reader.read_normals().into_iter().flatten().take(count);
    let uvs = reader.read_tex_coords(0).map(|uvs| uvs.into_f32().take(count).collect());
    let mut indices: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
    };
    indices.truncate(indices.len() / 3 * 3);
    if pose.determinant() < 0.0 {
        indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    }
    Ok(VisualPart {
        name: name.to_owned(),
        normals: normals.map(|normal| unit(turn * double(normal))).collect(),
        positions,
        uvs: uvs.unwrap_or_default(),
        indices,
        material: None,
    })
}

fn material(from: &gltf::Material<'_>, images: &mut Images<'_>) -> Result<MeshMaterial, ContentError> {
    let metal = from.pbr_metallic_roughness();
    let [r, g, b, opacity] = metal.base_color_factor();
    let opacity = if from.alpha_mode() == AlphaMode::Blend { opacity } else { 1.0 };
    let [r, g, b] = color::of_linear([r, g, b]);
    let [red, green, blue] = color::of_linear(from.emissive_factor());
    let alpha_cutoff = match from.alpha_mode() {
        AlphaMode::Mask => from.alpha_cutoff().unwrap_or(CUTOFF),
        AlphaMode::Opaque | AlphaMode::Blend => 0.0,
    };
    let colors = metal.base_color_texture().map(|map| (map.texture(), map.tex_coord()));
    let metal_rough = metal.metallic_roughness_texture().map(|map| (map.texture(), map.tex_coord()));
    let emissive = from.emissive_texture().map(|map| (map.texture(), map.tex_coord()));
    let normal = from.normal_texture().map(|map| (map.texture(), map.tex_coord()));
    let occlusion = from.occlusion_texture().map(|map| (map.texture(), map.tex_coord()));
    Ok(MeshMaterial {
        name: from.name().unwrap_or_default().to_owned(),
        ambient: [r, g, b, opacity],
        diffuse: [r, g, b, opacity],
        emissive: [red, green, blue, 1.0],
        double_sided: from.double_sided(),
        alpha_cutoff,
        metal_rough: Some([metal.metallic_factor(), metal.roughness_factor()]),
        unlit: from.unlit(),
        color_map: images.of(colors)?,
        normal_map: images.of(normal)?,
        emissive_map: images.of(emissive)?,
        metal_rough_map: images.of(metal_rough)?,
        occlusion_map: images.of(occlusion)?,
        ..MeshMaterial::default()
    })
}

/// The images of a file.
struct Images<'a> {
    buffers: &'a [Buffer<'a>],
    path: &'a Path,
    account: Account<'a>,
    /// By their index: many materials may share a large image.
    known: HashMap<usize, Option<Image>>,
    warnings: Warnings,
}

impl Images<'_> {
    /// Returns the image of a texture with its set of coordinates.
    fn of(&mut self, texture: Option<(gltf::Texture<'_>, u32)>) -> Result<Option<Image>, ContentError> {
        let Some((texture, set)) = texture else { return Ok(None) };
        let image = texture.source();
        if set > 0 {
            self.warnings.add(format!(
                "image {} of `{}` uses set {set} of texture coordinates; set 0 is used instead",
                image.index(),
                self.path.display()
            ));
        }
        if let Some(known) = self.known.get(&image.index()) {
            return Ok(known.clone());
        }
        let found = self.find(&image)?;
        if found.is_none() {
            self.warnings.add(format!(
                "image {} of `{}` is not in the file",
                image.index(),
                self.path.display()
            ));
        }
        self.known.insert(image.index(), found.clone());
        Ok(found)
    }

    fn find(&self, image: &gltf::Image<'_>) -> Result<Option<Image>, ContentError> {
        match image.source() {
            Source::View { view, .. } => {
                let buffer = self.buffers.get(view.buffer().index());
                let end = view.offset().checked_add(view.length());
                let bytes = end.and_then(|end| buffer?.get(view.offset()..end));
                bytes.map(|bytes| self.copied(bytes)).transpose()
            }
            Source::Uri { uri, .. } => match embedded(uri) {
                Some(text) => STANDARD.decode(text).ok().map(|bytes| self.copied(&bytes)).transpose(),
                None => {
                    let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
                    Ok(Some(Image::beside(self.path, &name)))
                }
            },
        }
    }

    /// Images can be overlapping parts of a buffer.
    fn copied(&self, bytes: &[u8]) -> Result<Image, ContentError> {
        self.account.charge(Limit::Meshes, bytes.len() as u64).map_err(ContentError::Stopped)?;
        Ok(Image::Embedded(Arc::from(bytes)))
    }
}

//! Wavefront OBJ with its material files, read by `tobj`.

use std::cell::RefCell;
use std::path::Path;

use bridgehead_sdf::Account;

use super::{Image, MeshMaterial, VisualMesh, VisualPart};
use crate::ContentError;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    let options =
        tobj::LoadOptions { triangulate: true, single_index: true, ignore_points: true, ignore_lines: true };
    let warnings = RefCell::new(Vec::new());
    let folder = path.parent().unwrap_or(Path::new(""));
    let load = |name: &Path| {
        let file = folder.join(name);
        let bytes = account.read(&file).map_err(|error| {
            warnings.borrow_mut().push(format!("material file `{}` cannot be read: {error}", file.display()));
            tobj::LoadError::OpenFileFailed
        })?;
        let text = String::from_utf8_lossy(&bytes);
        tobj::load_mtl_buf(&mut text.as_bytes()).inspect_err(|error| {
            warnings.borrow_mut().push(format!("material file `{}` is broken: {error}", file.display()));
        })
    };
    // Comments and names may have any encoding.
    let text = String::from_utf8_lossy(bytes);
    let (models, materials) =
        tobj::load_obj_buf(&mut text.as_bytes(), &options, load).map_err(ContentError::reader)?;
    let materials = materials.unwrap_or_default();
    let materials: Vec<MeshMaterial> = materials.iter().map(|one| material(one, path)).collect();
    let count = materials.len();
    let parts = models.into_iter().map(|model| part(model, count)).collect();
    Ok(VisualMesh { parts, materials, warnings: warnings.into_inner() })
}

#[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
fn part(model: tobj::Model, materials: usize) -> VisualPart {
    let mesh = model.mesh;
    let three = |at: &[f64]| [at[0] as f32, at[1] as f32, at[2] as f32];
    VisualPart {
        name: model.name,
        positions: mesh.positions.chunks_exact(3).map(three).collect(),
        normals: mesh.normals.chunks_exact(3).map(three).collect(),
        uvs: mesh.texcoords.chunks_exact(2).map(|at| [at[0] as f32, 1.0 - at[1] as f32]).collect(),
        indices: mesh.indices.chunks_exact(3).flatten().copied().collect(),
        material: mesh.material_id.filter(|id| *id < materials),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
fn material(from: &tobj::Material, path: &Path) -> MeshMaterial {
    let default = MeshMaterial::default();
    let opacity = from.dissolve.map_or(1.0, |dissolve| dissolve as f32);
    let color = |of: Option<[f64; 3]>, alpha: f32, default: [f32; 4]| {
        of.map_or(default, |[r, g, b]| [r as f32, g as f32, b as f32, alpha])
    };
    // Options come before the name of an image, as in `map_Bump -bm 0.5 bump.png`.
    let image = |of: Option<&String>| {
        let name = of?.split_whitespace().skip_while(|word| word.starts_with('-')).last()?;
        let whole = of.filter(|text| !text.starts_with('-')).map_or(name, |text| text.as_str());
        Some(Image::beside(path, whole))
    };
    let [r, g, b, _] = color(from.diffuse, opacity, default.diffuse);
    MeshMaterial {
        name: from.name.clone(),
        ambient: color(from.ambient, 1.0, default.ambient),
        diffuse: [r, g, b, opacity],
        specular: color(from.specular, 1.0, default.specular),
        emissive: color(from.emissive, 1.0, default.emissive),
        shininess: from.shininess.map_or(0.0, |value| value as f32),
        color_map: image(from.diffuse_texture.as_ref()),
        normal_map: image(from.normal_texture.as_ref()),
        specular_map: image(from.specular_texture.as_ref()),
        emissive_map: image(from.unknown_param.get("map_Ke")),
        ..default
    }
}

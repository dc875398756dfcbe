//! Wavefront OBJ, read by `tobj`. Parts are its objects and groups.

use std::path::Path;

use glam::DVec3;

use crate::Mesh;
use crate::part::{Fault, Part, Parts};

pub(crate) fn read(bytes: &[u8], _: &Path) -> Result<Parts, Fault> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    // Materials are of no interest to physics, and need not be there.
    let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    // Comments and names of older tools are not always UTF-8.
    let text = String::from_utf8_lossy(bytes);
    let (models, _) = tobj::load_obj_buf(&mut text.as_bytes(), &options, no_materials)
        .map_err(|error| format!("its reader says: {error}"))?;
    let mut parts = Parts::default();
    for model in models {
        parts.push(part(model))?;
    }
    Ok(parts)
}

fn part(model: tobj::Model) -> Part {
    let mesh = model.mesh;
    let points = mesh.positions.chunks_exact(3).map(|at| DVec3::new(at[0], at[1], at[2])).collect();
    let triangles = mesh.indices.chunks_exact(3).map(|at| [at[0], at[1], at[2]]).collect();
    Part { name: model.name, geometry: String::new(), mesh: Mesh { points, triangles } }
}

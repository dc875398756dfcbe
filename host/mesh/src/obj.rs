//! Wavefront OBJ, read by `tobj`. Parts are its objects and groups.

use std::path::Path;

use bridgehead_pose::DVec3;
use bridgehead_sdf::Account;

use super::{ContentError, Part, Triangles};

pub(super) fn read(bytes: &[u8], _: &Path, _: Account<'_>) -> Result<Vec<Part>, ContentError> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    // Comments and names may have any encoding.
    let text = String::from_utf8_lossy(bytes);
    // Physics does not need materials, and their file may be missing.
    let no_materials = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) =
        tobj::load_obj_buf(&mut text.as_bytes(), &options, no_materials).map_err(ContentError::reader)?;
    Ok(models.into_iter().map(part).collect())
}

fn part(model: tobj::Model) -> Part {
    let mesh = model.mesh;
    let points = mesh.positions.chunks_exact(3).map(|at| DVec3::new(at[0], at[1], at[2])).collect();
    let indices = mesh.indices.chunks_exact(3).map(|at| [at[0], at[1], at[2]]).collect();
    Part { name: model.name, triangles: Triangles { points, indices } }
}

//! Fuzz targets of this crate; see `tests/fuzz`.

use std::path::Path;

use bridgehead_pose::DVec3;
use bridgehead_sdf::{Budget, Origin};

use crate::{Heights, Mesh, Relief, VisualMesh};

/// Files that a mesh refers to are looked for beside it: there are none.
const NOWHERE: &str = "/nonexistent/fuzzed";

/// Any bytes as a mesh of the format with this extension: triangles with finite points and valid indices, or refused.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn mesh(extension: &str, bytes: &[u8]) -> bool {
    let path = Path::new(NOWHERE).with_extension(extension);
    let Ok(mesh) = Mesh::of_bytes(&path, bytes, Budget::default().of(&Origin::default())) else {
        return false;
    };
    for triangles in mesh.parts().iter().map(|part| &part.triangles) {
        assert!(triangles.points.iter().all(|point| point.is_finite()), "points are finite");
        let is_valid = |corner: &u32| (*corner as usize) < triangles.points.len();
        assert!(triangles.indices.iter().flatten().all(is_valid), "indices are valid");
        let _ = triangles.volume();
    }
    true
}

/// Any bytes as a mesh for viewers: finite corners, unit normals and valid indices, or refused.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn visual(extension: &str, bytes: &[u8]) -> bool {
    let path = Path::new(NOWHERE).with_extension(extension);
    let Ok(mesh) = VisualMesh::of_bytes(&path, bytes, Budget::default().of(&Origin::default())) else {
        return false;
    };
    for part in &mesh.parts {
        assert!(part.positions.iter().flatten().all(|at| at.is_finite()), "corners are finite");
        assert_eq!(part.normals.len(), part.positions.len());
        let length = |normal: &[f32; 3]| normal.iter().map(|part| part * part).sum::<f32>();
        assert!(
            part.normals.iter().all(|normal| (length(normal) - 1.0).abs() < 1e-3),
            "normals are unit vectors"
        );
        assert!(part.uvs.is_empty() || part.uvs.len() == part.positions.len());
        assert!(
            part.indices.iter().all(|index| (*index as usize) < part.positions.len()),
            "indices are valid"
        );
        assert!(part.material.is_none_or(|material| material < mesh.materials.len()));
    }
    assert!(gltf::Gltf::from_slice(&mesh.to_glb()).is_ok(), "it is written as valid glTF");
    true
}

/// Any bytes as a file of materials: a limited number of materials and warnings.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn materials(bytes: &[u8]) -> bool {
    let (materials, warnings) =
        crate::visual::materials_of(&String::from_utf8_lossy(bytes), Path::new(NOWHERE));
    assert!(warnings.len() <= 21, "{} warnings", warnings.len());
    !materials.is_empty()
}

/// Any bytes as a texture: as many pixels as it says, or refused.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn texture(bytes: &[u8]) -> bool {
    let Ok(pixels) = crate::image::decode(bytes) else { return false };
    assert_eq!(pixels.rgba.len() as u64, 4 * u64::from(pixels.width) * u64::from(pixels.height));
    true
}

/// Any bytes as the image of a heightmap: finite heights, or refused.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn image(bytes: &[u8]) -> bool {
    let relief = Relief { size: DVec3::new(10.0, 10.0, 2.0), position: DVec3::ZERO, sampling: 1 };
    let heights =
        Heights::of_bytes(Path::new(NOWHERE), bytes, &relief, Budget::default().of(&Origin::default()));
    let Ok(heights) = heights else { return false };
    assert_eq!(heights.heights.len(), heights.columns * heights.rows);
    assert!(heights.heights.iter().all(|height| (0.0..=2.0).contains(height)), "heights are in the relief");
    true
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_bytes_are_a_mesh_or_refused() {
        for (target, extension) in
            [("mesh_obj", "obj"), ("mesh_stl", "stl"), ("mesh_dae", "dae"), ("mesh_gltf", "gltf")]
        {
            short_run(target, 20_000, |bytes| super::mesh(extension, bytes));
            short_run(target, 5_000, |bytes| super::visual(extension, bytes));
        }
    }

    #[test]
    fn any_bytes_are_materials() {
        short_run("mesh_mtl", 20_000, super::materials);
    }

    #[test]
    fn any_bytes_are_an_image_or_refused() {
        short_run("image", 20_000, super::image);
        short_run("texture", 20_000, super::texture);
    }
}

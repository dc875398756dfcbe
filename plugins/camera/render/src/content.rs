//! Meshes of the host, which are binary glTF, as triangles.

use glam::{Vec2, Vec3};

use crate::shapes::Triangles;

/// Reads the primitives of the first mesh; `None` if the file is damaged.
pub(crate) fn read_mesh(bytes: &[u8]) -> Option<Vec<Triangles>> {
    let file = gltf::Gltf::from_slice(bytes).ok()?;
    let blob = file.blob.as_deref()?;
    let mesh = file.document.meshes().next()?;
    Some(mesh.primitives().map(|primitive| read_primitive(&primitive, blob).unwrap_or_default()).collect())
}

fn read_primitive(primitive: &gltf::Primitive<'_>, blob: &[u8]) -> Option<Triangles> {
    let reader = primitive.reader(|_| Some(blob));
    let positions: Vec<Vec3> = reader.read_positions()?.map(Vec3::from).collect();
    let normals: Vec<Vec3> = reader.read_normals().into_iter().flatten().map(Vec3::from).collect();
    let uvs: Vec<Vec2> =
        reader.read_tex_coords(0).map(|uvs| uvs.into_f32().map(Vec2::from).collect()).unwrap_or_default();
    let mut out = Triangles::default();
    for (index, position) in positions.iter().enumerate() {
        let normal = normals.get(index).copied().unwrap_or(Vec3::Z);
        out.push(*position, normal, uvs.get(index).copied().unwrap_or_default());
    }
    let count = out.vertex_count();
    out.indices = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..count).collect(),
    };
    let is_valid = out.indices.iter().all(|index| *index < count);
    is_valid.then_some(out)
}

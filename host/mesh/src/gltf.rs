//! glTF, as text with buffer files or as one binary file, read by the crate `gltf`. Parts are named after
//! nodes.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_pose::DVec3;
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Account, ReadError};
use gltf::Semantic;
use gltf::buffer::Source;
use gltf::mesh::Mode;

use super::package::is_outside;
use super::{ContentError, Part, Triangles};
use glam::DMat4;

/// The greatest depth of nested nodes: deeper than any tool writes.
const MAX_DEPTH: usize = 64;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<Vec<Part>, ContentError> {
    let file = gltf::Gltf::from_slice(bytes).map_err(ContentError::reader)?;
    let buffers = buffers(&file, path, account)?;
    let mut parts = Vec::new();
    each_primitive(&file, account, &mut |primitive, pose, name| {
        parts.push(Part { name: name.to_owned(), triangles: triangles(primitive, pose, &buffers)? });
        Ok(())
    })?;
    Ok(parts)
}

/// Takes a primitive of triangles with its transform and the name of its part.
type Take<'a> = dyn FnMut(&gltf::Primitive<'_>, DMat4, &str) -> Result<(), ContentError> + 'a;

/// Passes each primitive of triangles of the scene to `take`.
pub(crate) fn each_primitive(
    file: &gltf::Gltf,
    account: Account<'_>,
    take: &mut Take<'_>,
) -> Result<(), ContentError> {
    let scene =
        file.default_scene().or_else(|| file.scenes().next()).ok_or(ContentError::NoScene("scene"))?;
    let mut visit = Visit { account, take };
    scene.nodes().try_for_each(|node| visit.node(&node, DMat4::IDENTITY, 0))
}

/// The bytes of a buffer.
pub(crate) type Buffer<'f> = Cow<'f, [u8]>;

/// The bytes of each buffer: in the binary file, as text, or in another file.
pub(crate) fn buffers<'f>(
    file: &'f gltf::Gltf,
    path: &Path,
    account: Account<'_>,
) -> Result<Vec<Buffer<'f>>, ContentError> {
    let load = |buffer: gltf::Buffer<'_>| -> Result<Buffer<'f>, ContentError> {
        let bytes: Buffer<'f> = match buffer.source() {
            Source::Bin => file.blob.as_deref().ok_or(ContentError::NoBinary)?.into(),
            Source::Uri(uri) => match embedded(uri) {
                Some(text) => STANDARD.decode(text)?.into(),
                None => beside(path, uri, account)?.into(),
            },
        };
        if bytes.len() < buffer.length() {
            let (index, found, expected) = (buffer.index(), bytes.len(), buffer.length());
            return Err(ContentError::ShortBuffer { index, found, expected });
        }
        Ok(bytes)
    };
    file.buffers().map(load).collect()
}

/// Returns the base64 text of a `data:` address.
pub(crate) fn embedded(uri: &str) -> Option<&str> {
    uri.strip_prefix("data:").and_then(|data| data.split_once("base64,")).map(|(_, text)| text)
}

fn beside(path: &Path, uri: &str, account: Account<'_>) -> Result<Vec<u8>, ContentError> {
    let name = percent_encoding::percent_decode_str(uri).decode_utf8_lossy();
    let file = path.parent().unwrap_or(Path::new("")).join(&*name);
    if is_outside(path, &file) {
        return Err(ContentError::Outside { file: file.display().to_string() });
    }
    account.read(&file).map_err(|error| match error {
        ReadError::Stopped(finding) => ContentError::Stopped(finding),
        reason => ContentError::BufferFile { file: file.display().to_string(), reason },
    })
}

/// What all visits of nodes share.
struct Visit<'a, 't> {
    account: Account<'a>,
    take: &'a mut Take<'t>,
}

impl Visit<'_, '_> {
    /// Nodes may share children, and primitives their points, so that a small file can describe a huge mesh: all are
    /// charged before they are copied.
    fn node(&mut self, node: &gltf::Node<'_>, outer: DMat4, depth: usize) -> Result<(), ContentError> {
        self.account.charge(Limit::Triangles, 1).map_err(ContentError::Stopped)?;
        if depth > MAX_DEPTH {
            return Err(ContentError::Nesting { most: MAX_DEPTH });
        }
        let here =
            outer * DMat4::from_cols_array_2d(&node.transform().matrix().map(|column| column.map(f64::from)));
        if let Some(mesh) = node.mesh() {
            let name = node.name().or(mesh.name()).unwrap_or_default();
            for primitive in mesh.primitives().filter(|primitive| primitive.mode() == Mode::Triangles) {
                let points = primitive.get(&Semantic::Positions).map_or(0, |points| points.count());
                let corners = primitive.indices().map_or(points, |indices| indices.count());
                let size = (points + corners) as u64;
                self.account.charge(Limit::Triangles, size).map_err(ContentError::Stopped)?;
                (self.take)(&primitive, here, name)?;
            }
        }
        node.children().try_for_each(|child| self.node(&child, here, depth + 1))
    }
}

fn triangles(
    primitive: &gltf::Primitive<'_>,
    pose: DMat4,
    buffers: &[Buffer<'_>],
) -> Result<Triangles, ContentError> {
    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(AsRef::as_ref));
    let positions = reader.read_positions().ok_or(ContentError::NoPositions("a primitive"))?;
    let points: Vec<DVec3> =
        positions.map(|at| pose.transform_point3(DVec3::from_array(at.map(f64::from)))).collect();
    let count = u32::try_from(points.len()).unwrap_or(u32::MAX);
    let corners: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..count).collect(),
    };
    let mut indices: Vec<[u32; 3]> = corners.chunks_exact(3).map(|at| [at[0], at[1], at[2]]).collect();
    if pose.determinant() < 0.0 {
        indices.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    Ok(Triangles { points, indices })
}

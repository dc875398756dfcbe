//! Mesh files by their extension, and what `<mesh>` of SDF wants of them.

use std::path::Path;

use glam::DVec3;

use crate::file::{self, MOST_BYTES, contained};
use crate::part::{Fault, Part, Parts};
use crate::{Mesh, MeshError, collada, gltf, obj, stl};

/// What of a file is wanted, and how large.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshOptions {
    /// The one part that is wanted, by the name of its node or of its geometry; `None` for all.
    pub submesh: Option<String>,
    /// Whether the middle of the box around that part is moved to the origin; the whole file stays where it is.
    pub center_submesh: bool,
    /// Factors along x, y and z; a negative one mirrors, and the triangles still face outwards.
    pub scale: DVec3,
}

impl Default for MeshOptions {
    /// The whole file as it is.
    fn default() -> Self {
        Self { submesh: None, center_submesh: false, scale: DVec3::ONE }
    }
}

/// A file format.
struct Format {
    extensions: &'static [&'static str],
    name: &'static str,
    read: fn(&[u8], &Path) -> Result<Parts, Fault>,
}

const FORMATS: &[Format] = &[
    Format { extensions: &["obj"], name: "Wavefront OBJ", read: obj::read },
    Format { extensions: &["stl"], name: "STL", read: stl::read },
    Format { extensions: &["dae"], name: "COLLADA", read: collada::read },
    Format { extensions: &["gltf", "glb"], name: "glTF 2", read: gltf::read },
];

/// Reads triangles from a file; the extension says the format, in capitals or not.
///
/// COLLADA is scaled by its `<unit>`; the axis that it or glTF calls up is not looked at, as in Gazebo.
///
/// # Errors
/// Where the file cannot be read, is too large, of another format or broken, where it has no such part or no triangle,
/// and where the scale is not finite.
pub fn load(path: &Path, options: &MeshOptions) -> Result<Mesh, MeshError> {
    check_scale(options.scale)?;
    let file = path.display().to_string();
    let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default().to_ascii_lowercase();
    let Some(format) = FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str())) else {
        return Err(MeshError::Format { file });
    };
    let bytes = file::read(path, MOST_BYTES)?;
    let panicked = || Err(Fault::from("its parts do not fit together"));
    let parts = contained(|| (format.read)(&bytes, path)).unwrap_or_else(panicked);
    parts
        .and_then(|parts| checked(parts.into_parts()))
        .map_err(|fault| refusal(fault, &file, format.name))
        .and_then(|parts| select(&parts, options, &file))
        .and_then(|mesh| scaled(mesh, options.scale))
}

fn check_scale(scale: DVec3) -> Result<(), MeshError> {
    if scale.is_finite() {
        return Ok(());
    }
    Err(MeshError::Setting { name: "scale", found: scale.to_string(), expected: "three finite numbers" })
}

/// Every reader is checked here, so that none needs to be believed.
fn checked(parts: Vec<Part>) -> Result<Vec<Part>, Fault> {
    match parts.iter().find_map(|part| part.mesh.problem()) {
        Some(found) => Err(Fault::Broken(found)),
        None => Ok(parts),
    }
}

fn refusal(fault: Fault, file: &str, expected: &'static str) -> MeshError {
    let file = file.to_owned();
    match fault {
        Fault::Broken(found) => MeshError::Content { file, expected, found },
        Fault::TooMany(what, most) => MeshError::TooMany { file, what, most },
        Fault::Other(error) => error,
    }
}

fn select(parts: &[Part], options: &MeshOptions, file: &str) -> Result<Mesh, MeshError> {
    if parts.is_empty() {
        return Err(MeshError::Empty { file: file.to_owned() });
    }
    let Some(name) = &options.submesh else { return Ok(joined(parts.iter())) };
    let by_node = joined(parts.iter().filter(|part| part.name == *name));
    let picked = if by_node.triangles.is_empty() {
        joined(parts.iter().filter(|part| part.geometry == *name))
    } else {
        by_node
    };
    if picked.triangles.is_empty() {
        return Err(MeshError::NoPart { file: file.to_owned(), part: name.clone(), has: names(parts) });
    }
    Ok(if options.center_submesh { centred(picked) } else { picked })
}

fn joined<'a>(parts: impl Iterator<Item = &'a Part>) -> Mesh {
    parts.fold(Mesh::default(), |mut all, part| {
        all.append(&part.mesh);
        all
    })
}

/// The first few names, each once.
fn names(parts: &[Part]) -> String {
    const MOST: usize = 20;
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let name = format!("`{}`", part.name);
        if names.contains(&name) {
            continue;
        }
        if names.len() == MOST {
            names.push("others".to_owned());
            break;
        }
        names.push(name);
    }
    names.join(", ")
}

/// By the box around its triangles: points that no triangle uses do not count.
fn centred(mut mesh: Mesh) -> Mesh {
    let used = mesh.triangles.iter().filter_map(|corners| mesh.corners(corners)).flatten();
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = used.fold(none, |(low, high), point| (low.min(point), high.max(point)));
    let middle = low.midpoint(high);
    mesh.transform(false, |point| point - middle);
    mesh
}

fn scaled(mut mesh: Mesh, scale: DVec3) -> Result<Mesh, MeshError> {
    mesh.transform(scale.x * scale.y * scale.z < 0.0, |point| point * scale);
    if mesh.points.iter().all(|point| point.is_finite()) {
        return Ok(mesh);
    }
    let expected = "a scale that keeps every coordinate finite";
    Err(MeshError::Setting { name: "scale", found: scale.to_string(), expected })
}

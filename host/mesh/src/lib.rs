//! Triangle meshes from files (Wavefront OBJ, STL, COLLADA, glTF), heightmaps from images, and properties
//! that follow from triangles alone.
//!
//! Axes are those of the file, whatever up axis it declares, and parts are named after its nodes, as in
//! Gazebo's loaders, for which worlds are written. Files are only read. Plain values, usable from any thread.

mod collada;
mod content;
mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod gltf;
mod heightmap;
pub mod image;
mod obj;
mod package;
mod polyline;
#[cfg(test)]
#[path = "../../../tests/it/support/skip.rs"]
mod skip;
mod stl;
mod visual;
mod volume;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use bridgehead_pose::DVec3;
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Account, FileError, ReadError};

pub use content::ContentError;
pub use error::MeshError;
pub use heightmap::{Heights, Relief};
pub use polyline::extrude;
pub use visual::{Image, MeshMaterial, VisualMesh, VisualPart};
pub use volume::Volume;

/// Triangles, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Corners.
    pub points: Vec<DVec3>,
    /// Three indices into the points for each triangle, anticlockwise seen from outside.
    pub indices: Vec<[u32; 3]>,
}

/// A named part of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Its name; may be empty.
    pub name: String,
    /// Its triangles.
    pub triangles: Triangles,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    file: String,
    parts: Vec<Part>,
}

/// The part of a mesh to use, as `<mesh>` in SDF describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection<'a> {
    /// The name of the part; `None` for all.
    pub part: Option<&'a str>,
    /// True if the centre of its box is moved to the origin.
    pub is_centred: bool,
    /// Factors along x, y and z.
    pub scale: DVec3,
}

impl Mesh {
    /// Reads a file by its extension.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has another format, or holds no valid triangle; and if the budget of
    /// `account` does not suffice.
    pub fn load(path: &Path, account: Account<'_>) -> Result<Self, MeshError> {
        let file = path.display().to_string();
        let read = reader(path, &file)?;
        let bytes = bytes_of(path, &file, account)?;
        Mesh::read(path, file, &bytes, (read, account))
    }

    /// Reads the content of a file; the path determines its format and where its other files are.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn of_bytes(path: &Path, bytes: &[u8], account: Account<'_>) -> Result<Self, MeshError> {
        let file = path.display().to_string();
        let read = reader(path, &file)?;
        Mesh::read(path, file, bytes, (read, account))
    }

    fn read(
        path: &Path,
        file: String,
        bytes: &[u8],
        (read, account): (Read, Account<'_>),
    ) -> Result<Self, MeshError> {
        let parts = contained(|| read(bytes, path, account)).map_err(|cause| match cause {
            ContentError::Stopped(finding) => MeshError::Stopped(finding),
            cause => MeshError::Content { file: file.clone(), cause },
        })?;
        let mesh = Mesh::new(file, parts)?;
        let size = |part: &Part| (part.triangles.points.len() + part.triangles.indices.len()) as u64;
        account.charge(Limit::Triangles, mesh.parts.iter().map(size).sum()).map_err(MeshError::Stopped)?;
        Ok(mesh)
    }

    /// Checks what a reader made of a file.
    fn new(file: String, mut parts: Vec<Part>) -> Result<Self, MeshError> {
        parts.retain(|part| !part.triangles.indices.is_empty());
        let problem = parts.iter().find_map(|part| part.triangles.problem());
        match problem {
            Some(cause) => Err(MeshError::Content { file, cause }),
            None if parts.is_empty() => Err(MeshError::Empty { file }),
            None => Ok(Mesh { file, parts }),
        }
    }

    /// Its parts, in the order of the file.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the triangles of a selection.
    ///
    /// # Errors
    /// Returns an error if no part has that name.
    pub fn select(&self, selection: &Selection<'_>) -> Result<Triangles, MeshError> {
        let mut all = Triangles::default();
        let wanted = |part: &&Part| selection.part.is_none_or(|name| part.name == name);
        self.parts.iter().filter(wanted).for_each(|part| all.append(&part.triangles));
        if all.indices.is_empty() {
            let has = self.parts.iter().map(|part| format!("`{}`", part.name)).collect::<Vec<_>>().join(", ");
            let part = selection.part.unwrap_or_default().to_owned();
            return Err(MeshError::NoPart { file: self.file.clone(), part, has });
        }
        if selection.is_centred {
            let [low, high] = all.bounds();
            let middle = low.midpoint(high);
            all.points.iter_mut().for_each(|point| *point -= middle);
        }
        all.scale(selection.scale);
        Ok(all)
    }
}

fn bytes_of(path: &Path, file: &str, account: Account<'_>) -> Result<Vec<u8>, MeshError> {
    account.read(path).map_err(|error| match error {
        ReadError::Stopped(finding) => MeshError::Stopped(finding),
        ReadError::File(FileError::TooLarge(most)) => MeshError::TooLarge { file: file.to_owned(), most },
        reason => MeshError::Unreadable { file: file.to_owned(), reason },
    })
}

/// Reads the content of a file.
type Read = fn(&[u8], &Path, Account<'_>) -> Result<Vec<Part>, ContentError>;

/// Returns the reader for the extension of a file.
fn reader(path: &Path, file: &str) -> Result<Read, MeshError> {
    let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default().to_lowercase();
    Ok(match extension.as_str() {
        "obj" => obj::read,
        "stl" => stl::read,
        "dae" => collada::read,
        "gltf" | "glb" => gltf::read,
        _ => return Err(MeshError::Format { file: file.to_owned() }),
    })
}

/// Turns panics into errors: `gltf` 1.4 panics on indices of parts that the file does not have.
fn contained<T>(read: impl FnOnce() -> Result<T, ContentError>) -> Result<T, ContentError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(ContentError::Inconsistent))
}

impl Triangles {
    /// Lowest and highest corner of the box around it.
    #[must_use]
    pub fn bounds(&self) -> [DVec3; 2] {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in &self.points {
            (low, high) = (low.min(*point), high.max(*point));
        }
        [low, high]
    }

    fn append(&mut self, other: &Triangles) {
        let offset = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        self.points.extend_from_slice(&other.points);
        self.indices.extend(other.indices.iter().map(|corners| corners.map(|index| index + offset)));
    }

    /// Scales the points. A negative product of the factors turns the inside out, so the triangles are
    /// reversed too.
    fn scale(&mut self, factors: DVec3) {
        self.points.iter_mut().for_each(|point| *point *= factors);
        if factors.x * factors.y * factors.z < 0.0 {
            self.indices.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
    }

    /// What is wrong with it.
    fn problem(&self) -> Option<ContentError> {
        if let Some(index) = self.points.iter().position(|point| !point.is_finite()) {
            return Some(ContentError::NotFinite { index });
        }
        let count = self.points.len();
        if u32::try_from(count).is_err() {
            return Some(ContentError::TooManyPoints { count });
        }
        let index = *self.indices.iter().flatten().find(|index| **index as usize >= count)?;
        Some(ContentError::NoPoint { index, count })
    }
}

/// Splits a polygon into triangles that share its first corner.
fn fan(corners: &[u32], into: &mut Vec<[u32; 3]>) {
    let Some((first, rest)) = corners.split_first() else { return };
    into.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
}

#[cfg(test)]
mod tests;

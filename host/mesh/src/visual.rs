//! Meshes as viewers and cameras need them: with normals, texture coordinates and materials.
//!
//! The triangles are those of [`Mesh`](crate::Mesh), as f32. A part with corners that have no normal gets those of its
//! triangles, so that it looks faceted. What is missing around a mesh, such as a material file, is a warning and not an
//! error.

mod collada;
mod color;
mod effect;
mod glb;
mod gltf;
mod material;
mod mtl;
mod obj;
mod sources;
mod vertices;
mod warnings;

use std::path::Path;

use bridgehead_pose::DVec3;
use bridgehead_sdf::Account;
use bridgehead_sdf::limits::Limit;

use crate::{ContentError, MeshError, Triangles, bytes_of, contained};

pub use material::{Image, MeshMaterial};

/// A mesh file as viewers and cameras need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisualMesh {
    /// Its parts, in the order of the file.
    pub parts: Vec<VisualPart>,
    /// Its materials.
    pub materials: Vec<MeshMaterial>,
    /// What could not be read around it, a clause each.
    pub warnings: Vec<String>,
}

/// Triangles with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisualPart {
    /// Its name; may be empty. Several parts have the same name if a part of the file has several materials.
    pub name: String,
    /// Corners, metres, in the axes of the file.
    pub positions: Vec<[f32; 3]>,
    /// A unit vector for each corner.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates for each corner, with their origin at the upper left; empty without them.
    pub uvs: Vec<[f32; 2]>,
    /// Three indices of corners for each triangle, anticlockwise seen from outside.
    pub indices: Vec<u32>,
    /// An index into the materials.
    pub material: Option<usize>,
}

type Read = fn(&[u8], &Path, Account<'_>) -> Result<VisualMesh, ContentError>;

fn reader(path: &Path, file: &str) -> Result<Read, MeshError> {
    let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default().to_lowercase();
    Ok(match extension.as_str() {
        "obj" => obj::read,
        "stl" => stl,
        "dae" => collada::read,
        "gltf" | "glb" => gltf::read,
        _ => return Err(MeshError::Format { file: file.to_owned() }),
    })
}

fn stl(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    let parts = crate::stl::read(bytes, path, account)?;
    let parts = parts.iter().map(|part| vertices::faceted(&part.name, &part.triangles)).collect();
    Ok(VisualMesh { parts, ..VisualMesh::default() })
}

impl VisualMesh {
    /// Reads a file by its extension.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has another format, or holds no valid triangle; and if the budget of
    /// `account` does not suffice.
    pub fn load(path: &Path, account: Account<'_>) -> Result<Self, MeshError> {
        let file = path.display().to_string();
        let read = reader(path, &file)?;
        let bytes = bytes_of(path, &file, account)?;
        VisualMesh::read(path, &file, &bytes, (read, account))
    }

    /// Reads the content of a file; the path determines its format and where its other files are.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn of_bytes(path: &Path, bytes: &[u8], account: Account<'_>) -> Result<Self, MeshError> {
        let file = path.display().to_string();
        VisualMesh::read(path, &file, bytes, (reader(path, &file)?, account))
    }

    fn read(
        path: &Path,
        file: &str,
        bytes: &[u8],
        (read, account): (Read, Account<'_>),
    ) -> Result<Self, MeshError> {
        let mut mesh = contained(|| read(bytes, path, account)).map_err(|cause| match cause {
            ContentError::Stopped(finding) => MeshError::Stopped(finding),
            cause => MeshError::Content { file: file.to_owned(), cause },
        })?;
        mesh.parts.retain(|part| !part.indices.is_empty());
        if mesh.parts.is_empty() {
            return Err(MeshError::Empty { file: file.to_owned() });
        }
        if let Some(cause) = mesh.parts.iter().find_map(VisualPart::problem) {
            return Err(MeshError::Content { file: file.to_owned(), cause });
        }
        let size =
            |part: &VisualPart| (vertices::corners_when_complete(part) + part.indices.len() / 3) as u64;
        account.charge(Limit::Triangles, mesh.parts.iter().map(size).sum()).map_err(MeshError::Stopped)?;
        mesh.parts.iter_mut().for_each(vertices::complete);
        mesh.materials.iter_mut().for_each(MeshMaterial::make_finite);
        let mut outside: Vec<String> =
            mesh.materials.iter_mut().flat_map(|material| material.drop_images_outside(path)).collect();
        outside.dedup();
        mesh.warnings.extend(outside);
        Ok(mesh)
    }

    /// Returns one part of triangles that were not read from a file. With `smooth`, triangles that share corners share
    /// normals.
    #[must_use]
    pub fn of_triangles(name: &str, triangles: &Triangles, smooth: bool) -> Self {
        let part =
            if smooth { vertices::smooth(name, triangles) } else { vertices::faceted(name, triangles) };
        VisualMesh { parts: vec![part], ..VisualMesh::default() }
    }

    /// Returns the parts of a name; with `is_centred`, moved so that the centre of their box is at the origin.
    ///
    /// # Errors
    /// Returns an error if no part has that name.
    pub fn select(mut self, file: &Path, name: Option<&str>, is_centred: bool) -> Result<Self, MeshError> {
        if let Some(name) = name {
            let has = self.names();
            self.parts.retain(|part| part.name == name);
            if self.parts.is_empty() {
                let (file, part) = (file.display().to_string(), name.to_owned());
                return Err(MeshError::NoPart { file, part, has });
            }
        }
        if is_centred {
            self.centre();
        }
        Ok(self)
    }

    fn names(&self) -> String {
        let mut names: Vec<String> = self.parts.iter().map(|part| format!("`{}`", part.name)).collect();
        names.dedup();
        names.join(", ")
    }

    fn centre(&mut self) {
        let points = self.parts.iter().flat_map(|part| &part.positions);
        let bounds = points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], at| {
            let at = DVec3::from_array(at.map(f64::from));
            [low.min(at), high.max(at)]
        });
        let middle = bounds[0].midpoint(bounds[1]).as_vec3().to_array();
        for position in self.parts.iter_mut().flat_map(|part| &mut part.positions) {
            position.iter_mut().zip(middle).for_each(|(at, middle)| *at -= middle);
        }
    }

    /// Returns the number of triangles.
    #[must_use]
    pub fn triangle_count(&self) -> u64 {
        self.parts.iter().map(|part| part.indices.len() as u64 / 3).sum()
    }

    /// Returns the mesh as binary glTF 2.0, with a primitive for each part and z upwards. Images are left out.
    #[must_use]
    pub fn to_glb(&self) -> Vec<u8> {
        glb::write(self)
    }
}

/// Returns the materials of a material file of OBJ, and warnings.
#[cfg(any(test, fuzzing))]
pub(crate) fn materials_of(text: &str, mesh: &Path) -> (Vec<MeshMaterial>, Vec<String>) {
    let mut warnings = warnings::Warnings::default();
    let materials = mtl::parse(text, mesh, "look.mtl", &mut warnings);
    (materials, warnings.into_vec())
}

impl VisualPart {
    /// What is wrong with it.
    fn problem(&self) -> Option<ContentError> {
        let is_finite = |at: &[f32; 3]| at.iter().all(|part| part.is_finite());
        if let Some(index) = self.positions.iter().position(|at| !is_finite(at)) {
            return Some(ContentError::NotFinite { index });
        }
        let count = self.positions.len();
        let index = *self.indices.iter().find(|index| **index as usize >= count)?;
        Some(ContentError::NoPoint { index, count })
    }
}

#[cfg(test)]
mod tests;

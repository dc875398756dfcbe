//! What the readers of formats give: named parts, with a limit on how much they add up to.

use glam::{DMat4, DVec3};

use crate::{Mesh, MeshError};

/// Points in all; a point takes 24 bytes.
pub(crate) const MOST_POINTS: usize = 1 << 24;
/// Triangles in all; a triangle takes 12 bytes.
pub(crate) const MOST_TRIANGLES: usize = 1 << 24;
/// Parts in all: nodes that contain each other's instances multiply.
const MOST_PARTS: usize = 100_000;

/// What is wrong with a file; which one is said by whoever opened it.
#[derive(Debug)]
pub(crate) enum Fault {
    /// What was found in place of what the format demands.
    Broken(String),
    /// There is more of this than the number.
    TooMany(&'static str, usize),
    /// Another file that it names cannot be had.
    Other(MeshError),
}

impl From<String> for Fault {
    fn from(found: String) -> Self {
        Fault::Broken(found)
    }
}

impl From<&str> for Fault {
    fn from(found: &str) -> Self {
        Fault::Broken(found.to_owned())
    }
}

/// A named part of a file.
#[derive(Debug)]
pub(crate) struct Part {
    /// Its name as Gazebo has it: that of the node or object that holds it; may be empty.
    pub(crate) name: String,
    /// The name of the geometry, where a node holds one by another name.
    pub(crate) geometry: String,
    /// Its triangles, placed as the file places them.
    pub(crate) mesh: Mesh,
}

/// The parts of a file, in its order.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    points: usize,
    triangles: usize,
}

impl Parts {
    /// Adds a part, unless it has no triangles. Its points count even then, since making them took time.
    pub(crate) fn push(&mut self, part: Part) -> Result<(), Fault> {
        self.points += part.mesh.points.len();
        self.triangles += part.mesh.triangles.len();
        at_most(self.points, "points", MOST_POINTS)?;
        at_most(self.triangles, "triangles", MOST_TRIANGLES)?;
        if !part.mesh.triangles.is_empty() {
            self.parts.push(part);
        }
        at_most(self.parts.len(), "parts", MOST_PARTS)
    }

    pub(crate) fn into_parts(self) -> Vec<Part> {
        self.parts
    }
}

/// Refuses a count before memory is set aside for it.
pub(crate) fn at_most(count: usize, what: &'static str, most: usize) -> Result<(), Fault> {
    if count <= most { Ok(()) } else { Err(Fault::TooMany(what, most)) }
}

/// Puts a mesh where a node has it.
pub(crate) fn place(mesh: &mut Mesh, pose: DMat4) {
    mesh.transform(pose.determinant() < 0.0, |point: DVec3| pose.transform_point3(point));
}

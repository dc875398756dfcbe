//! Triangles for the Bridgehead host: mesh files, heightmaps, polylines, and what a closed surface encloses.
//!
//! Metres, and axes as the file has them. Where a format leaves room, it is read as Gazebo reads it, since worlds are
//! written against that. Files are only read, never trusted: whatever is in them, the answer is a mesh or a
//! [`MeshError`]. Nothing here knows of the host, of SDF or of physics. Plain values, usable from any thread.

mod collada;
mod error;
mod file;
mod gltf;
mod heightmap;
mod load;
mod mass;
mod mesh;
mod obj;
mod part;
mod polyline;
mod stl;

pub use error::MeshError;
pub use heightmap::{Heightmap, heightmap};
pub use load::{MeshOptions, load};
pub use mass::MassProperties;
pub use mesh::Mesh;
pub use polyline::polyline;

#[cfg(test)]
mod tests;

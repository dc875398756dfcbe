//! The errors of meshes, heightmaps and polylines.

use bridgehead_sdf::{Diagnostic, ReadError};

use super::ContentError;

/// Why a mesh, heightmap or polyline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read.
    #[error("[BH-MSH-001] mesh `{file}` cannot be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: ReadError,
    },
    /// The extension belongs to no supported format.
    #[error(
        "[BH-MSH-002] `{file}` is not a mesh in a supported format: expected .obj, .stl, .dae, .glb or .gltf"
    )]
    Format {
        /// The file.
        file: String,
    },
    /// The content of the file is invalid.
    #[error("[BH-MSH-003] mesh `{file}` is broken: {cause}")]
    Content {
        /// The file.
        file: String,
        /// What is wrong with it.
        #[source]
        cause: ContentError,
    },
    /// The file has no triangles.
    #[error("[BH-MSH-004] mesh `{file}` holds no triangles")]
    Empty {
        /// The file.
        file: String,
    },
    /// The file has no part of this name.
    #[error("[BH-MSH-005] mesh `{file}` has no part `{part}`; it has {has}")]
    NoPart {
        /// The file.
        file: String,
        /// The requested part.
        part: String,
        /// The parts it has.
        has: String,
    },
    /// The file is too large.
    #[error("[BH-MSH-006] mesh `{file}` has more than {most} bytes")]
    TooLarge {
        /// The file.
        file: String,
        /// The largest size that is read, bytes.
        most: u64,
    },
    /// The mesh is too large or too small to be simulated.
    #[error("[BH-MSH-008] the longest side of the mesh is {metres} m; expected {least:e} to {most:e} m")]
    Extent {
        /// Its longest side.
        metres: f64,
        /// The least that can be simulated.
        least: f64,
        /// The greatest that can be simulated.
        most: f64,
    },
    /// The file is not a usable image.
    #[error(
        "[BH-MSH-009] heightmap `{file}` cannot be used: {found}; expected a PNG image, preferably with 16-bit greyscale"
    )]
    Image {
        /// The file.
        file: String,
        /// What was found.
        found: String,
    },
    /// An image of too many or too few pixels.
    #[error(
        "[BH-MSH-010] heightmap `{file}` has {width} × {height} pixels and {sampling} samples per pixel; expected 2 × 2 or \
         more, and at most {most} samples in all, as of 1025 × 1025"
    )]
    ImageSize {
        /// The file.
        file: String,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
        /// Samples for each pixel along a side.
        sampling: u32,
        /// The most samples.
        most: u64,
    },
    /// Numbers of `<heightmap>` that do not define a surface.
    #[error(
        "[BH-MSH-011] the heightmap has {found}; expected finite numbers, a size above 0 along x and y, samples no \
         closer than a micrometre, and a sampling of 1 or more"
    )]
    Relief {
        /// What was found.
        found: String,
    },
    /// A heightmap on a link that moves; it has no volume.
    #[error("[BH-MSH-012] the heightmap `{uri}` is on a link that moves; heightmaps need a static model")]
    MovingHeightmap {
        /// Its address.
        uri: String,
    },
    /// The budget of the reading does not suffice.
    #[error("{0}")]
    Stopped(Box<Diagnostic>),
    /// An outline that encloses no area.
    #[error("[BH-MSH-007] the polyline encloses no area: {found}")]
    Outline {
        /// What was found.
        found: String,
    },
}

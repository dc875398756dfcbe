//! What can be wrong with a mesh, a heightmap or a polyline, and what to do about it.

/// Why there are no triangles.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be read.
    #[error("[BH-MSH-001] mesh `{file}` cannot be read: {reason}; check the path and your rights")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: std::io::Error,
    },
    /// The extension is of no format that is read.
    #[error(
        "[BH-MSH-002] `{file}` is no mesh of a format that is read: expected .obj, .stl, .dae, .glb or .gltf; \
         export it as one of these"
    )]
    Format {
        /// The file.
        file: String,
    },
    /// The file is not what its extension says, or broken.
    #[error(
        "[BH-MSH-003] mesh `{file}` is broken: expected {expected}, and {found}; \
         open it in a modelling tool and export it again"
    )]
    Content {
        /// The file.
        file: String,
        /// What its extension promises.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// There is nothing in it.
    #[error(
        "[BH-MSH-004] mesh `{file}` holds no triangles; export it with faces, not only with points or lines"
    )]
    Empty {
        /// The file.
        file: String,
    },
    /// There is no such part.
    #[error("[BH-MSH-005] mesh `{file}` has no part `{part}`; it has {has}")]
    NoPart {
        /// The file.
        file: String,
        /// The part that was asked for.
        part: String,
        /// Those it has.
        has: String,
    },
    /// The file is too large.
    #[error("[BH-MSH-006] `{file}` has {bytes} bytes; at most {most} are read; simplify it")]
    TooLarge {
        /// The file, which may be one that a mesh names.
        file: String,
        /// Its size.
        bytes: u64,
        /// The most that is read.
        most: u64,
    },
    /// Outlines that enclose nothing, or cross.
    #[error(
        "[BH-MSH-007] the polyline encloses no area: {found}; give each outline three or more points that do not lie \
         on one line, let outlines not cross, and give a height above 0"
    )]
    Outline {
        /// What was found.
        found: String,
    },
    /// More comes out of the file than is kept.
    #[error("[BH-MSH-008] mesh `{file}` makes more than {most} {what}; simplify it, or repeat its parts less often")]
    TooMany {
        /// The file.
        file: String,
        /// Points, triangles or parts.
        what: &'static str,
        /// The most that is kept.
        most: usize,
    },
    /// A number that was asked for makes no sense.
    #[error("[BH-MSH-009] the {name} is {found}; expected {expected}")]
    Setting {
        /// Whose number it is.
        name: &'static str,
        /// The value found.
        found: String,
        /// The values that make sense.
        expected: &'static str,
    },
    /// There is nothing inside, so that it weighs nothing.
    #[error(
        "[BH-MSH-010] the mesh encloses no volume: {volume} m³; close its surface, \
         let all triangles face outwards, or give mass and inertia in the world"
    )]
    NoVolume {
        /// What the triangles enclose, m³.
        volume: f64,
    },
    /// An image that cannot be read.
    #[error(
        "[BH-MSH-011] heightmap `{file}` is broken: expected a PNG or JPEG image, and {found}; \
         open it in an image editor and save it as PNG"
    )]
    Image {
        /// The file.
        file: String,
        /// What was found.
        found: String,
    },
    /// An image of the wrong size.
    #[error(
        "[BH-MSH-012] heightmap `{file}` has {width} × {height} pixels; expected a square of 2ⁿ + 1 from 2 to {most}; \
         resize it to {fitting} × {fitting}"
    )]
    ImageSize {
        /// The file.
        file: String,
        /// Pixels along x.
        width: u32,
        /// Pixels along y.
        height: u32,
        /// The longest side that is read.
        most: u32,
        /// A side that would do.
        fitting: u32,
    },
}

//! `<geometry>`: the shape of a collision or a visual.
//! Meshes are named and located, never opened here.
//! Plain values, usable from any thread.

use super::material::Texture;
use glam::{DVec2, DVec3};
use std::path::PathBuf;

/// A `<geometry>`, centred on its own frame; lengths in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Geometry {
    /// `<empty>`, or a shape that could not be read: nothing to collide with, nothing to see.
    #[default]
    Empty,
    /// A box by its full side lengths.
    Box {
        /// Side lengths along x, y, z.
        size: DVec3,
    },
    /// A sphere.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Full length along z.
        length: f64,
    },
    /// A cylinder along z with half spheres on both ends.
    Capsule {
        /// Radius of cylinder and caps.
        radius: f64,
        /// Length of the cylindrical part, caps not counted.
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes along x, y, z.
        radii: DVec3,
    },
    /// A cone along z, base below, tip above; the frame is at half its height.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Full height along z.
        length: f64,
    },
    /// A plane through the frame's origin: infinite as a collision, a rectangle as a visual.
    Plane {
        /// Unit normal.
        normal: DVec3,
        /// Size of the rectangle, if it is written; a plane without one is shown with sides of a metre.
        size: Option<DVec2>,
    },
    /// A mesh file.
    Mesh(Mesh),
    /// Heights from an image.
    Heightmap(Heightmap),
    /// Outlines that are extruded from z = 0.
    Polyline {
        /// Corners of the outer outline, then those of holes in it.
        outlines: Vec<Vec<[f64; 2]>>,
        /// The height of the extrusion.
        height: f64,
    },
    /// A shape of SDF that is kept in the file but not simulated (`image`).
    Unsupported {
        /// Name of the element.
        kind: String,
    },
}

/// A `<heightmap>` of a geometry.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    /// Address of the image, as written in the file.
    pub uri: String,
    /// The image found for it; `None` if it was not found, which a diagnostic reports.
    pub path: Option<PathBuf>,
    /// Extent along x and y, and the height of the brightest pixel.
    pub size: DVec3,
    /// Its centre.
    pub position: DVec3,
    /// Samples for each pixel along each side.
    pub sampling: u32,
    /// Its textures, from the lowest upwards.
    pub textures: Vec<HeightmapTexture>,
    /// Where each texture after the first begins, metres.
    pub blends: Vec<Blend>,
}

/// A `<texture>` of a heightmap.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightmapTexture {
    /// Side of the square that the image covers, metres.
    pub size: f64,
    /// Colours.
    pub diffuse: Option<Texture>,
    /// Directions of the surface.
    pub normal: Option<Texture>,
}

/// A `<blend>` between two textures of a heightmap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Height at which the blend begins, metres.
    pub min_height: f64,
    /// Distance over which one texture changes to the next, metres.
    pub fade_distance: f64,
}

/// A `<mesh>` of a geometry.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Address as written in the file.
    pub uri: String,
    /// The file found for it; `None` if it was not found, which a diagnostic reports.
    pub path: Option<PathBuf>,
    /// Scale along x, y, z.
    pub scale: DVec3,
    /// Name of the one part to use of the file, if not the whole.
    pub submesh: Option<String>,
    /// True if that part is moved to the origin.
    pub center_submesh: bool,
    /// How a collision is to be simplified; `None` lets the host choose.
    pub optimization: Option<Optimization>,
}

/// `optimization` of a `<mesh>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimization {
    /// One convex hull around it.
    ConvexHull,
    /// Convex parts.
    ConvexDecomposition {
        /// The most parts.
        parts: u32,
        /// Voxels along the longest side.
        resolution: u32,
    },
}

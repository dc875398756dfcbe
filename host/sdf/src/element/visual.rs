//! `<visual>` and its `<material>`: the appearance of a link for cameras and viewers. Plain values, usable
//! from any thread.

use super::{FramePose, Geometry};
use crate::Origin;

/// A colour as red, green, blue, alpha, each 0 to 1.
pub type Rgba = [f32; 4];

/// A `<visual>`.
#[derive(Clone, Debug)]
pub struct Visual {
    /// Name within its link.
    pub name: String,
    /// Its pose; the default frame is the link.
    pub pose: FramePose,
    /// Its shape.
    pub geometry: Geometry,
    /// Its colours; `None` leaves them to the viewer.
    pub material: Option<Material>,
    /// 0 is opaque, 1 is invisible.
    pub transparency: f64,
    /// True if it casts shadows.
    pub cast_shadows: bool,
    /// Bits that cameras compare with their `visibility_mask`.
    pub visibility_flags: u32,
    /// The element in its file.
    pub origin: Origin,
}

impl Default for Visual {
    fn default() -> Self {
        Self {
            name: String::new(),
            pose: FramePose::default(),
            geometry: Geometry::default(),
            material: None,
            transparency: 0.0,
            cast_shadows: true,
            visibility_flags: u32::MAX,
            origin: Origin::default(),
        }
    }
}

/// A `<material>`; textures and scripts stay in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Colour under ambient light.
    pub ambient: Rgba,
    /// Colour under directed light.
    pub diffuse: Rgba,
    /// Colour of highlights.
    pub specular: Rgba,
    /// Colour it shines in by itself.
    pub emissive: Rgba,
}

impl Default for Material {
    fn default() -> Self {
        // sdformat `sdf/1.12/material.sdf`.
        Self {
            ambient: [1.0; 4],
            diffuse: [1.0; 4],
            specular: [0.0, 0.0, 0.0, 1.0],
            emissive: [0.0, 0.0, 0.0, 1.0],
        }
    }
}

//! `<visual>`: the appearance of a link for cameras and viewers. Plain values, usable from any thread.

use super::frame::FramePose;
use super::geometry::Geometry;
use super::material::Material;
use crate::document::Origin;

/// A `<visual>`.
#[derive(Clone, Debug)]
pub struct Visual {
    /// Name within its link.
    pub name: String,
    /// Its pose; the default frame is the link.
    pub pose: FramePose,
    /// Its shape.
    pub geometry: Geometry,
    /// Its colours and textures; `None` leaves them to its mesh, or to the viewer.
    pub material: Option<Material>,
    /// 0 is opaque, 1 is invisible.
    pub transparency: f64,
    /// True if it casts shadows.
    pub cast_shadows: bool,
    /// Bits that cameras compare with their `visibility_mask`.
    pub visibility_flags: u32,
    /// Its class for segmentation cameras, 0 to 255: its own label; in a resolved world, that of the innermost model
    /// with one if it has none.
    pub label: Option<u32>,
    /// Its temperature for thermal cameras, kelvin; `None` is that of the air.
    pub temperature: Option<f64>,
    /// Reflectivity for lidars.
    pub laser_retro: f64,
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
            label: None,
            temperature: None,
            laser_retro: 0.0,
            origin: Origin::default(),
        }
    }
}

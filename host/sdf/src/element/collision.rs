//! `<collision>`: a shape of a link that touches others.
//! Plain values, usable from any thread.

use super::frame::FramePose;
use super::geometry::Geometry;
use super::surface::Surface;
use crate::document::Origin;

/// A `<collision>`.
#[derive(Clone, Debug, Default)]
pub struct Collision {
    /// Name within its link.
    pub name: String,
    /// Its pose; the default frame is the link.
    pub pose: FramePose,
    /// Its shape.
    pub geometry: Geometry,
    /// How it touches.
    pub surface: Surface,
    /// `<density>` for automatic inertia, kg/m³; defaults to that of the link, then to 1000.
    pub density: Option<f64>,
    /// The element in its file.
    pub origin: Origin,
}

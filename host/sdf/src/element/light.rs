//! `<light>`: kept for cameras, viewers and saving; physics does not look at it.
//! Plain values, usable from any thread.

use super::{FramePose, Rgba};
use crate::Origin;
use glam::DVec3;

/// A `<light>` of a world or link.
#[derive(Clone, Debug)]
pub struct Light {
    /// Name among its siblings.
    pub name: String,
    /// Its kind.
    pub kind: LightKind,
    /// Its pose; the default frame is the world or link that contains it.
    pub pose: FramePose,
    /// Direction it shines in, in its own frame.
    pub direction: DVec3,
    /// Colour of its light.
    pub diffuse: Rgba,
    /// Colour of the highlights it makes.
    pub specular: Rgba,
    /// Factor on its brightness.
    pub intensity: f64,
    /// Distance beyond which it lights nothing, metres.
    pub range: f64,
    /// True if things throw shadows in it.
    pub cast_shadows: bool,
    /// The element in its file.
    pub origin: Origin,
}

impl Default for Light {
    fn default() -> Self {
        // sdformat `sdf/1.12/light.sdf`.
        Self {
            name: String::new(),
            kind: LightKind::default(),
            pose: FramePose::default(),
            direction: DVec3::new(0.0, 0.0, -1.0),
            diffuse: [1.0; 4],
            specular: [0.1, 0.1, 0.1, 1.0],
            intensity: 1.0,
            range: 10.0,
            cast_shadows: false,
            origin: Origin::default(),
        }
    }
}

/// The type of a light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LightKind {
    /// Shines from one point in all directions.
    #[default]
    Point,
    /// Shines in a cone.
    Spot,
    /// Shines in parallel, like the sun.
    Directional,
}

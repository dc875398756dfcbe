//! `<light>`: kept for cameras, viewers and saving; physics does not look at it.
//! Plain values, usable from any thread.

use super::frame::FramePose;
use super::material::Rgba;
use crate::document::Origin;
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
    /// How its light decreases with the distance.
    pub attenuation: Attenuation,
    /// Its cone, if it is a spot light.
    pub spot: Spot,
    /// False if it is switched off.
    pub is_on: bool,
    /// True if viewers show where it is.
    pub visualize: bool,
    /// True if things cast shadows in it.
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
            attenuation: Attenuation::default(),
            spot: Spot::default(),
            is_on: true,
            visualize: true,
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

/// `<attenuation>`: the brightness at distance `d` is divided by `constant + linear d + quadratic d²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attenuation {
    /// Distance beyond which it lights nothing, metres.
    pub range: f64,
    /// Constant part.
    pub constant: f64,
    /// Part that grows with the distance, 1/m.
    pub linear: f64,
    /// Part that grows with its square, 1/m².
    pub quadratic: f64,
}

impl Default for Attenuation {
    fn default() -> Self {
        // sdformat `sdf/1.12/light.sdf`.
        Self { range: 10.0, constant: 1.0, linear: 1.0, quadratic: 0.0 }
    }
}

/// `<spot>`: full brightness within the inner angle, none beyond the outer one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// Whole angle of the bright cone, radians.
    pub inner_angle: f64,
    /// Whole angle of the outer cone, radians.
    pub outer_angle: f64,
    /// Exponent of the decrease between the two.
    pub falloff: f64,
}

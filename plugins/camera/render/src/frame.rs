//! What is the same for all pixels of an image: the camera and the surroundings.

use std::f32::consts::FRAC_1_PI;

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;
use glam::{Mat4, Vec3};

use crate::camera::{Axes, View, single};
use crate::lights;
use crate::material::linear;
use crate::words::Words;

/// The camera and the surroundings of an image.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// From positions relative to the camera to clip space.
    pub(crate) projection: Mat4,
    /// Unit vector along the optical axis.
    pub(crate) forward: Vec3,
    /// Share of the day, 0 (night) to 1.
    pub(crate) day: f32,
    /// The upper left corner of the image at a depth of 1, and the steps to the next column and row.
    pub(crate) corner: Vec3,
    pub(crate) right: Vec3,
    pub(crate) down: Vec3,
    /// Light without a direction, times the diffuse colour of a surface.
    pub(crate) ambient: Vec3,
    pub(crate) fog: Option<Fog>,
}

/// Fog.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fog {
    pub(crate) kind: FogKind,
    pub(crate) color: Vec3,
    /// Metres, for a linear fog.
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) density: f32,
}

/// How fog grows with the distance. The numbers are those of the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FogKind {
    Constant = 1,
    Linear = 2,
    Quadratic = 3,
}

impl Frame {
    pub(crate) fn new(scene: &Scene, view: &View, axes: &Axes) -> Self {
        let around = scene.surroundings.as_ref();
        let [corner, right, down] = view.pixel_rays(axes);
        let fog = around.and_then(|around| {
            let kind = match around.fog.as_str() {
                "" | "none" => return None,
                "constant" => FogKind::Constant,
                "linear" => FogKind::Linear,
                _ => FogKind::Quadratic,
            };
            let [start, end, density] = [around.fog_start, around.fog_end, around.fog_density].map(single);
            Some(Fog { kind, color: linear(around.fog_color.as_ref()), start, end, density })
        });
        Frame {
            projection: view.projection(axes),
            forward: axes.forward.as_vec3(),
            day: around.map_or(1.0, |around| day(around.time, around.sunrise, around.sunset)),
            corner,
            right,
            down,
            ambient: lights::ambient(scene) * FRAC_1_PI,
            fog,
        }
    }

    /// Returns the direction of the first pixel of a row, at a depth of 1.
    pub(crate) fn ray(&self, row: usize) -> Vec3 {
        #[expect(clippy::cast_precision_loss, reason = "a size of an image")]
        let row = row as f32;
        self.corner + self.right * 0.5 + self.down * (row + 0.5)
    }

    /// Returns the struct `Camera` of the shader.
    pub(crate) fn words(&self) -> Words {
        let mut words = Words::default();
        words.matrix(&self.projection);
        words.vector(self.forward, self.day);
        for ray in [self.right, self.down, self.corner] {
            words.vector(ray, 0.0);
        }
        words.vector(self.ambient, 0.0);
        let kind = self.fog.map_or(0.0, |fog| f32::from(fog.kind as u8));
        words.vector(self.fog.map_or(Vec3::ZERO, |fog| fog.color), kind);
        let [start, end, density] = self.fog.map_or([0.0; 3], |fog| [fog.start, fog.end, fog.density]);
        words.numbers([start, end, density, 0.0]);
        words.whole([f32::INFINITY.to_bits(), 0, 0, 0]);
        words
    }
}

/// Vectors of the struct `Camera` after its matrix.
pub(crate) const CAMERA_VECTORS: usize = 8;

/// Share of the day, from 0 at night to 1, with dusk and dawn of an hour.
fn day(time: f64, sunrise: f64, sunset: f64) -> f32 {
    let inside = (time - sunrise).min(sunset - time);
    single((inside + 0.5).clamp(0.0, 1.0))
}

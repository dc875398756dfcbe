//! What the shader knows about the camera and the surroundings.

use std::f32::consts::FRAC_1_PI;

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;

use crate::camera::{Axes, View, single};
use crate::lights;
use crate::material::linear;
use crate::words::Words;

/// The struct `Camera` of the shader.
pub(crate) fn camera_words(scene: &Scene, view: &View, axes: &Axes) -> Words {
    let around = scene.surroundings.as_ref();
    let [corner, right, down] = view.pixel_rays(axes);
    let day = around.map_or(1.0, |around| day(around.time, around.sunrise, around.sunset));
    let mut words = Words::default();
    words.matrix(&view.projection(axes));
    words.vector(axes.forward.as_vec3(), day);
    for ray in [right, down, corner] {
        words.vector(ray, 0.0);
    }
    words.vector(lights::ambient(scene) * FRAC_1_PI, 0.0);
    let fog = around.filter(|around| !around.fog.is_empty());
    let kind = match fog.map(|fog| fog.fog.as_str()) {
        None | Some("none") => 0.0,
        Some("constant") => 1.0,
        Some("linear") => 2.0,
        Some(_) => 3.0,
    };
    words.vector(linear(fog.and_then(|fog| fog.fog_color.as_ref())), kind);
    let [start, end, density] =
        fog.map_or([0.0; 3], |fog| [fog.fog_start, fog.fog_end, fog.fog_density].map(single));
    words.numbers([start, end, density, 0.0]);
    words.whole([f32::INFINITY.to_bits(), 0, 0, 0]);
    words
}

/// Vectors of the struct `Camera` after its matrix.
pub(crate) const CAMERA_VECTORS: usize = 8;

/// Share of the day, from 0 at night to 1, with dusk and dawn of an hour.
fn day(time: f64, sunrise: f64, sunset: f64) -> f32 {
    let inside = (time - sunrise).min(sunset - time);
    single((inside + 0.5).clamp(0.0, 1.0))
}

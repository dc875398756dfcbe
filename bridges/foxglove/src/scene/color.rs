//! Colours of materials. Those of scenes and of primitives are in sRGB, those of glTF are linear.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{SceneMaterial, SceneVisual};
use bridgehead_plugin_api::messages::std_msgs::ColorRgba;

use super::messages as fox;

/// Colour of visuals without a material.
const GREY: f64 = 0.7;

/// Returns the opacity of a visual, by which that of its material is multiplied.
pub(super) fn opacity(visual: &SceneVisual) -> f64 {
    (1.0 - visual.transparency).clamp(0.0, 1.0)
}

/// Returns the colour of a material without its textures.
pub(super) fn rgba(material: Option<&SceneMaterial>, opacity: f64) -> fox::Color {
    let Some(material) = material else { return fox::Color { r: GREY, g: GREY, b: GREY, a: opacity } };
    let [r, g, b, a] = parts(material.diffuse.as_ref());
    fox::Color { r, g, b, a: a * opacity }
}

/// Returns the four parts of a colour; white if it is missing.
pub(super) fn parts(color: Option<&ColorRgba>) -> [f64; 4] {
    color.map_or([1.0; 4], |color| [color.r, color.g, color.b, color.a].map(f64::from))
}

/// Returns a part of a colour in linear light (IEC 61966-2-1).
pub(super) fn linear(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
}

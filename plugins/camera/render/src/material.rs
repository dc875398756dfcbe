//! Materials as the shader reads them.

use bridgehead_messages::bridgehead_simulation_interfaces::SceneMaterial;
use bridgehead_messages::std_msgs::ColorRgba;
use glam::Vec3;

use crate::camera::single;
use crate::textures::maps_of;
use crate::words::Words;

/// What the pipeline of a surface needs; names and order are those of the constants of the shader.
pub(crate) const FEATURES: [&str; 12] = [
    "COLOR_MAP",
    "NORMAL_MAP",
    "ROUGHNESS_MAP",
    "METALNESS_MAP",
    "EMISSIVE_MAP",
    "OCCLUSION_MAP",
    "DOUBLE_SIDED",
    "CUTOFF",
    "UNLIT",
    "PHYSICAL",
    "METAL",
    "HIGHLIGHTS",
];
pub(crate) const COLOR_MAP: u32 = 1;
pub(crate) const DOUBLE_SIDED: u32 = 1 << 6;
pub(crate) const CUTOFF: u32 = 1 << 7;

/// Type of a material, from `SceneMaterial`.
const METAL: u32 = 1;
const SPECULAR: u32 = 2;

/// Returns the features of a material as bits, in the order of [`FEATURES`].
pub(crate) fn features(material: &SceneMaterial) -> u32 {
    let maps = maps_of(material).into_iter().map(|texture| texture >= 0);
    let others = [
        material.double_sided,
        material.alpha_cutoff > 0.0,
        material.unlit,
        matches!(material.r#type, METAL | SPECULAR),
        material.r#type == METAL,
        factors(material.specular.as_ref()) != Vec3::ZERO,
    ];
    let bits = maps.chain(others).zip(0..);
    bits.fold(0, |bits, (is_set, bit)| bits | (u32::from(is_set) << bit))
}

/// Returns a material for visuals without one: white, with faint highlights.
pub(crate) fn plain() -> SceneMaterial {
    let gray = |value: f32| Some(ColorRgba { r: value, g: value, b: value, a: 1.0 });
    SceneMaterial {
        ambient: gray(1.0),
        diffuse: gray(1.0),
        specular: gray(0.067),
        shininess: 10.0,
        color_map: -1,
        normal_map: -1,
        roughness_map: -1,
        metalness_map: -1,
        emissive_map: -1,
        occlusion_map: -1,
        ..SceneMaterial::default()
    }
}

/// Opacity of a material, apart from its texture.
pub(crate) fn opacity(material: &SceneMaterial) -> f32 {
    material.diffuse.as_ref().map_or(1.0, |color| color.a).clamp(0.0, 1.0)
}

/// Appends a material.
pub(crate) fn write(words: &mut Words, material: &SceneMaterial) {
    let is_specular = material.r#type == SPECULAR;
    let roughness = if is_specular { 1.0 - material.glossiness } else { material.roughness };
    words.vector(linear(material.diffuse.as_ref()), opacity(material));
    words.vector(linear(material.specular.as_ref()), single(material.shininess));
    words.vector(linear(material.emissive.as_ref()), 0.0);
    words.numbers([single(material.metalness), single(roughness), single(material.alpha_cutoff), 0.0]);
}

/// Returns the linear colour of one in sRGB; black for none.
pub(crate) fn linear(color: Option<&ColorRgba>) -> Vec3 {
    color.map_or(Vec3::ZERO, |color| Vec3::new(color.r, color.g, color.b).map(linear_channel))
}

/// Returns the numbers of a colour as they are.
pub(crate) fn factors(color: Option<&ColorRgba>) -> Vec3 {
    color.map_or(Vec3::ZERO, |color| Vec3::new(color.r, color.g, color.b))
}

/// IEC 61966-2-1.
pub(crate) fn linear_channel(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

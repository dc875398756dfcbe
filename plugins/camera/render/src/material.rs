//! Materials as they are drawn.

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
pub(crate) const NORMAL_MAP: u32 = 1 << 1;
pub(crate) const ROUGHNESS_MAP: u32 = 1 << 2;
pub(crate) const METALNESS_MAP: u32 = 1 << 3;
pub(crate) const EMISSIVE_MAP: u32 = 1 << 4;
pub(crate) const OCCLUSION_MAP: u32 = 1 << 5;
pub(crate) const DOUBLE_SIDED: u32 = 1 << 6;
pub(crate) const CUTOFF: u32 = 1 << 7;
pub(crate) const UNLIT: u32 = 1 << 8;
pub(crate) const PHYSICAL: u32 = 1 << 9;
pub(crate) const METAL: u32 = 1 << 10;
pub(crate) const HIGHLIGHTS: u32 = 1 << 11;

/// Types of materials, from `SceneMaterial`.
const TYPE_METAL: u32 = 1;
const TYPE_SPECULAR: u32 = 2;

/// Returns the features of a material as bits, in the order of [`FEATURES`].
pub(crate) fn features(material: &SceneMaterial) -> u32 {
    let maps = maps_of(material).into_iter().map(|texture| texture >= 0);
    let others = [
        material.double_sided,
        material.alpha_cutoff > 0.0,
        material.unlit,
        matches!(material.r#type, TYPE_METAL | TYPE_SPECULAR),
        material.r#type == TYPE_METAL,
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

/// A material as it is drawn; colours are linear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    pub(crate) diffuse: Vec3,
    pub(crate) opacity: f32,
    pub(crate) specular: Vec3,
    pub(crate) shininess: f32,
    pub(crate) emissive: Vec3,
    pub(crate) metalness: f32,
    pub(crate) roughness: f32,
    /// Opacity below which nothing is drawn.
    pub(crate) cutoff: f32,
}

impl Material {
    pub(crate) fn new(material: &SceneMaterial) -> Self {
        let is_specular = material.r#type == TYPE_SPECULAR;
        let roughness = if is_specular { 1.0 - material.glossiness } else { material.roughness };
        Material {
            diffuse: linear(material.diffuse.as_ref()),
            opacity: opacity(material),
            specular: linear(material.specular.as_ref()),
            shininess: single(material.shininess),
            emissive: linear(material.emissive.as_ref()),
            metalness: single(material.metalness),
            roughness: single(roughness),
            cutoff: single(material.alpha_cutoff),
        }
    }

    /// Appends the struct `Material` of the shader.
    pub(crate) fn write(&self, words: &mut Words) {
        words.vector(self.diffuse, self.opacity);
        words.vector(self.specular, self.shininess);
        words.vector(self.emissive, 0.0);
        words.numbers([self.metalness, self.roughness, self.cutoff, 0.0]);
    }
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
    if value <= 0.04045 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

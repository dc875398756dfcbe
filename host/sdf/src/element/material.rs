//! `<material>`: what a surface looks like, as written. Plain values, usable from any thread.

use std::path::PathBuf;

/// A colour as red, green, blue, alpha, each 0 to 1.
pub type Rgba = [f32; 4];

/// A `<material>`. A colour that the file leaves out is `None`, so that a named material can supply it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Colour under ambient light.
    pub ambient: Option<Rgba>,
    /// Colour under directed light.
    pub diffuse: Option<Rgba>,
    /// Colour of highlights.
    pub specular: Option<Rgba>,
    /// Colour that the surface emits.
    pub emissive: Option<Rgba>,
    /// Exponent of the highlights; 0 without them.
    pub shininess: f64,
    /// True if both sides of the surface are drawn.
    pub double_sided: bool,
    /// False if the colours are shown as they are, without light.
    pub is_lit: bool,
    /// Materials of a higher order are drawn over those of a lower order at the same depth.
    pub render_order: f64,
    /// A named material, such as `Gazebo/Red`.
    pub script: Option<Script>,
    /// Its physically based form.
    pub pbr: Option<Pbr>,
}

impl Material {
    /// The default of sdformat `sdf/1.12/material.sdf`, which a `<material>` element begins with.
    #[must_use]
    pub fn new() -> Self {
        Self { is_lit: true, ..Self::default() }
    }
}

/// A `<script>` of a material.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Name of the material in its script.
    pub name: String,
    /// Addresses of the scripts and folders, as written.
    pub uris: Vec<String>,
}

/// The `<pbr>` of a material. The metal workflow is used if the file has both.
#[derive(Clone, Debug, PartialEq)]
pub struct Pbr {
    /// The workflow, with the values that only it has.
    pub workflow: Workflow,
    /// Colour of the surface.
    pub albedo: Option<Texture>,
    /// Directions of the surface, as `xyz` in `rgb`.
    pub normal: Option<Texture>,
    /// True if those directions are in the frame of the object, false in that of the surface.
    pub normal_in_object_space: bool,
    /// Ambient light that reaches the surface.
    pub ambient_occlusion: Option<Texture>,
    /// Light from all around.
    pub environment: Option<Texture>,
    /// Light that the surface emits.
    pub emissive: Option<Texture>,
    /// Light that was computed in advance.
    pub light: Option<Texture>,
    /// Set of texture coordinates of that light.
    pub light_uv_set: u32,
}

/// The workflow of a physically based material.
#[derive(Clone, Debug, PartialEq)]
pub enum Workflow {
    /// `<metal>`
    Metal {
        /// 0 (smooth) to 1 (rough).
        roughness: f64,
        /// 0 (not a metal) to 1 (a metal).
        metalness: f64,
        /// Roughness by place.
        roughness_map: Option<Texture>,
        /// Metalness by place.
        metalness_map: Option<Texture>,
    },
    /// `<specular>`
    Specular {
        /// 0 (rough) to 1 (smooth).
        glossiness: f64,
        /// Glossiness by place.
        glossiness_map: Option<Texture>,
        /// Colour of highlights by place.
        specular_map: Option<Texture>,
    },
}

/// An image file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Its address, as written.
    pub uri: String,
    /// The file found for it; `None` if it was not found, which a diagnostic reports.
    pub path: Option<PathBuf>,
}

//! Materials of mesh files, and the images that they name. Plain values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::package::is_outside;

/// The material of a mesh file. Colours are red, green and blue in sRGB, and opacity.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshMaterial {
    /// Its name in the file.
    pub name: String,
    /// Colour under ambient light.
    pub ambient: [f32; 4],
    /// Colour under directed light, and opacity.
    pub diffuse: [f32; 4],
    /// Colour of highlights.
    pub specular: [f32; 4],
    /// Colour that the surface emits.
    pub emissive: [f32; 4],
    /// Exponent of the highlights.
    pub shininess: f32,
    /// True if both sides are drawn.
    pub double_sided: bool,
    /// Pixels of less opacity are not drawn.
    pub alpha_cutoff: f32,
    /// Metalness and roughness; `None` for Phong materials.
    pub metal_rough: Option<[f32; 2]>,
    /// True if light does not change its colours.
    pub unlit: bool,
    /// Colours.
    pub color_map: Option<Image>,
    /// Directions of the surface.
    pub normal_map: Option<Image>,
    /// Light that the surface emits.
    pub emissive_map: Option<Image>,
    /// Roughness in green and metalness in blue.
    pub metal_rough_map: Option<Image>,
    /// Ambient light that reaches the surface, in red.
    pub occlusion_map: Option<Image>,
    /// Colours of highlights.
    pub specular_map: Option<Image>,
}

impl Default for MeshMaterial {
    fn default() -> Self {
        MeshMaterial {
            name: String::new(),
            ambient: [1.0; 4],
            diffuse: [1.0; 4],
            specular: [0.0, 0.0, 0.0, 1.0],
            emissive: [0.0, 0.0, 0.0, 1.0],
            shininess: 0.0,
            double_sided: false,
            alpha_cutoff: 0.0,
            metal_rough: None,
            unlit: false,
            color_map: None,
            normal_map: None,
            emissive_map: None,
            metal_rough_map: None,
            occlusion_map: None,
            specular_map: None,
        }
    }
}

impl MeshMaterial {
    /// Leaves out images outside of the package of the mesh. Returns a warning about each.
    pub(super) fn drop_images_outside(&mut self, mesh: &Path) -> Vec<String> {
        let maps = [
            &mut self.color_map,
            &mut self.emissive_map,
            &mut self.specular_map,
            &mut self.normal_map,
            &mut self.metal_rough_map,
            &mut self.occlusion_map,
        ];
        let drop_outside = |map: &mut Option<Image>| {
            let outside = map.take_if(|image| matches!(image, Image::File(file) if is_outside(mesh, file)));
            let Some(Image::File(file)) = outside else { return None };
            let file = file.display();
            Some(format!("image `{file}` is outside of the folder of the mesh and of its package"))
        };
        maps.into_iter().filter_map(drop_outside).collect()
    }

    /// Replaces numbers that are not finite by those of a material that does not have them: readers accept `nan` and
    /// `1e999`, but viewers and JSON do not.
    pub(super) fn make_finite(&mut self) {
        let default = MeshMaterial::default();
        let finite = |value: &mut f32, default: f32| {
            if !value.is_finite() {
                *value = default;
            }
        };
        let colors = [
            (&mut self.ambient, default.ambient),
            (&mut self.diffuse, default.diffuse),
            (&mut self.specular, default.specular),
            (&mut self.emissive, default.emissive),
        ];
        for (color, default) in colors {
            color.iter_mut().zip(default).for_each(|(part, default)| finite(part, default));
        }
        self.metal_rough.iter_mut().flatten().for_each(|part| finite(part, 1.0));
        finite(&mut self.shininess, default.shininess);
        finite(&mut self.alpha_cutoff, default.alpha_cutoff);
    }
}

/// An image of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// A file.
    File(PathBuf),
    /// A part of the mesh file.
    Embedded(Arc<[u8]>),
}

impl Image {
    /// Returns the image file that a mesh file at `mesh` names: beside it, or, if it is not there, in the folder for
    /// textures of Gazebo's models.
    pub(super) fn beside(mesh: &Path, name: &str) -> Self {
        let name = name.strip_prefix("file://").unwrap_or(name).replace('\\', "/");
        let folder = mesh.parent().unwrap_or(Path::new(""));
        let first = folder.join(&name);
        let base = Path::new(&name).file_name().unwrap_or_default();
        let other = folder.join("../materials/textures").join(base);
        Image::File(if !first.is_file() && other.is_file() { other } else { first })
    }
}

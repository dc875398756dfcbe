//! Materials of COLLADA: instances that bind symbols, materials, effects, and the images they name.

use std::collections::HashMap;
use std::path::Path;

use bridgehead_sdf::Element;

use super::{Image, MeshMaterial};
use crate::collada::Ids;
use crate::collada::geometry::list;

/// The materials of a file, as far as its scene uses them.
pub(super) struct Effects<'p> {
    path: &'p Path,
    pub(super) materials: Vec<MeshMaterial>,
    pub(super) warnings: Vec<String>,
    /// By the id of the material.
    known: HashMap<String, usize>,
}

impl<'p> Effects<'p> {
    pub(super) fn new(path: &'p Path) -> Self {
        Effects { path, materials: Vec::new(), warnings: Vec::new(), known: HashMap::new() }
    }

    /// Returns the index of the material that an instance of a geometry binds to a symbol.
    pub(super) fn material<'a>(
        &mut self,
        instance: Element<'a>,
        symbol: &str,
        ids: &Ids<'a>,
    ) -> Option<usize> {
        let common = instance.child("bind_material")?.child("technique_common")?;
        let mut bound = common.children_named("instance_material");
        let bound = bound.find(|bound| bound.attribute("symbol") == Some(symbol))?;
        let target = bound.attribute("target")?.strip_prefix('#')?;
        if let Some(known) = self.known.get(target) {
            return Some(*known);
        }
        let Some(material) = self.read(target, ids) else {
            self.warnings.push(format!("material `{target}` of `{}` has no effect", self.path.display()));
            return None;
        };
        self.materials.push(material);
        self.known.insert(target.to_owned(), self.materials.len() - 1);
        Some(self.materials.len() - 1)
    }

    fn read<'a>(&self, id: &str, ids: &Ids<'a>) -> Option<MeshMaterial> {
        let material = ids.get(id)?;
        let url = material.child("instance_effect")?.attribute("url")?.strip_prefix('#')?;
        let profile = ids.get(url)?.child("profile_COMMON")?;
        let technique = profile.child("technique")?;
        let names = ["phong", "blinn", "lambert", "constant"];
        let shading = technique.children().find(|child| names.contains(&child.name()))?;
        let effect = Effect { profile, shading, ids, path: self.path };
        let name = material.attribute("name").unwrap_or(id).to_owned();
        Some(MeshMaterial { name, ..effect.material(technique) })
    }
}

struct Effect<'a, 'e> {
    profile: Element<'a>,
    shading: Element<'a>,
    ids: &'e Ids<'a>,
    path: &'e Path,
}

impl<'a> Effect<'a, '_> {
    fn material(&self, technique: Element<'a>) -> MeshMaterial {
        let default = MeshMaterial::default();
        let color = |name: &str| self.color(name);
        let opacity = self.opacity();
        let [r, g, b, _] = color("diffuse").unwrap_or(default.diffuse);
        let double_sided = [self.profile, technique].into_iter().any(|element| {
            element.children_named("extra").any(|extra| {
                let mut sided = extra.children_named("technique").filter_map(|one| one.child("double_sided"));
                sided.any(|flag| flag.text().trim() == "1")
            })
        });
        MeshMaterial {
            ambient: color("ambient").unwrap_or(default.ambient),
            diffuse: [r, g, b, opacity],
            specular: color("specular").unwrap_or(default.specular),
            emissive: color("emission").unwrap_or(default.emissive),
            shininess: self.number("shininess").unwrap_or(0.0),
            double_sided,
            unlit: self.shading.name() == "constant",
            color_map: self.image("diffuse"),
            emissive_map: self.image("emission"),
            specular_map: self.image("specular"),
            normal_map: self.bump(technique),
            ..default
        }
    }

    fn color(&self, name: &str) -> Option<[f32; 4]> {
        list(self.shading.child(name)?.child("color")?).ok()?.try_into().ok()
    }

    fn number(&self, name: &str) -> Option<f32> {
        self.shading.child(name)?.child("float")?.text().trim().parse().ok()
    }

    /// The opacity, by the colour and factor of transparency, whose meaning `opaque` decides. Files in which everything
    /// would be invisible are common, because exporters mix up the modes: they are opaque, as in other readers.
    fn opacity(&self) -> f32 {
        let Some(transparent) = self.shading.child("transparent") else {
            return 1.0;
        };
        let factor = self.number("transparency").unwrap_or(1.0);
        let [r, g, b, a] = self.color("transparent").unwrap_or([1.0; 4]);
        let opacity = match transparent.attribute("opaque") {
            Some("RGB_ZERO") => 1.0 - factor * (0.2126 * r + 0.7152 * g + 0.0722 * b),
            _ => a * factor,
        };
        if opacity > 0.0 { opacity.min(1.0) } else { 1.0 }
    }

    /// The image of a `<texture>`, through its sampler and surface, or directly.
    fn image(&self, name: &str) -> Option<Image> {
        self.named(self.shading.child(name)?.child("texture")?.attribute("texture")?)
    }

    fn bump(&self, technique: Element<'a>) -> Option<Image> {
        let extra = technique.child("extra")?.child("technique")?;
        self.named(extra.child("bump")?.child("texture")?.attribute("texture")?)
    }

    fn named(&self, sid: &str) -> Option<Image> {
        let param = |sid: &str| {
            let mut params = self.profile.children_named("newparam");
            params.find(|param| param.attribute("sid") == Some(sid))
        };
        let sampler = param(sid).and_then(|param| param.child("sampler2D"));
        let surface = sampler.and_then(|sampler| sampler.child("source")).map(|source| source.text().trim());
        let from = surface.and_then(param).and_then(|param| param.child("surface")?.child("init_from"));
        let id = from.map_or(sid, |from| from.text().trim());
        let image = self.ids.get(id).filter(|image| image.name() == "image")?;
        let from = image.child("init_from")?;
        let name = from.child("ref").unwrap_or(from).text().trim();
        let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
        (!name.is_empty()).then(|| Image::beside(self.path, &name))
    }
}

//! Materials of COLLADA: instances that bind symbols, materials, effects, and the images they name.

use std::collections::HashMap;
use std::path::Path;

use bridgehead_sdf::Element;

use super::warnings::Warnings;
use super::{Image, MeshMaterial};
use crate::collada::Ids;
use crate::collada::geometry::list;

/// Names of the elements of a shading.
const SHADINGS: [&str; 4] = ["phong", "blinn", "lambert", "constant"];

/// The materials of a file that its scene uses.
pub(super) struct Effects<'p> {
    path: &'p Path,
    pub(super) materials: Vec<MeshMaterial>,
    pub(super) warnings: Warnings,
    /// For each material the names of the texture coordinates of its images, that of its colours first.
    coordinates: Vec<Vec<String>>,
    /// By the id of the material; `None` if it cannot be read.
    known: HashMap<String, Option<usize>>,
}

/// What an instance of a geometry binds to a symbol.
#[derive(Default)]
pub(super) struct Bound {
    /// An index into the materials.
    pub(super) material: Option<usize>,
    /// The set of texture coordinates for the textures.
    pub(super) set: Option<u32>,
}

impl<'p> Effects<'p> {
    pub(super) fn new(path: &'p Path) -> Self {
        let (materials, coordinates, known) = (Vec::new(), Vec::new(), HashMap::new());
        Effects { path, materials, warnings: Warnings::default(), coordinates, known }
    }

    /// Returns the material of a symbol. A symbol that nothing is bound to may be the id of a material, as in Gazebo.
    pub(super) fn bound<'a>(&mut self, instance: Element<'a>, symbol: &str, ids: &Ids<'a>) -> Bound {
        let common = instance.child("bind_material").and_then(|bind| bind.child("technique_common"));
        let mut all = common.into_iter().flat_map(|common| common.children_named("instance_material"));
        let Some(bound) = all.find(|bound| bound.attribute("symbol") == Some(symbol)) else {
            let is_id = ids.get("material", symbol).is_some();
            return Bound { material: if is_id { self.material(symbol, ids) } else { None }, set: None };
        };
        let target = bound.attribute("target").and_then(|target| target.strip_prefix('#'));
        let material = target.and_then(|target| self.material(target, ids));
        Bound { material, set: material.and_then(|material| self.set(material, bound)) }
    }

    /// Returns the set of texture coordinates that an instance binds to the images of a material.
    fn set(&mut self, material: usize, bound: Element<'_>) -> Option<u32> {
        let set_of = |name: &String| {
            let mut inputs = bound.children_named("bind_vertex_input");
            let input = inputs.find(|input| input.attribute("semantic") == Some(name));
            input?.attribute("input_set")?.parse::<u32>().ok()
        };
        let sets: Vec<u32> = self.coordinates.get(material)?.iter().filter_map(set_of).collect();
        let first = *sets.first()?;
        if sets.iter().any(|set| *set != first) {
            let name = self.materials.get(material).map_or("", |material| &material.name);
            self.warnings.add(format!(
                "material `{name}` of `{}` uses several sets of texture coordinates; only set {first} is read",
                self.path.display()
            ));
        }
        Some(first)
    }

    /// Returns the index of the material with that id.
    fn material<'a>(&mut self, id: &str, ids: &Ids<'a>) -> Option<usize> {
        if let Some(known) = self.known.get(id) {
            return *known;
        }
        let material = self.read(id, ids);
        if material.is_none() {
            self.warnings.add(format!("material `{id}` of `{}` has no effect", self.path.display()));
        }
        let index = material.map(|(material, coordinates)| {
            self.materials.push(material);
            self.coordinates.push(coordinates);
            self.materials.len() - 1
        });
        self.known.insert(id.to_owned(), index);
        index
    }

    fn read<'a>(&self, id: &str, ids: &Ids<'a>) -> Option<(MeshMaterial, Vec<String>)> {
        let material = ids.get("material", id)?;
        let effect = ids.instanced(material.child("instance_effect")?).ok()?;
        let profile = effect.child("profile_COMMON")?;
        let technique = profile.child("technique")?;
        let shading = technique.children().find(|child| SHADINGS.contains(&child.name()))?;
        let effect = Effect { effect, profile, technique, shading, ids, path: self.path };
        let name = material.attribute("name").unwrap_or(id).to_owned();
        Some((MeshMaterial { name, ..effect.material() }, effect.coordinates()))
    }
}

struct Effect<'a, 'e> {
    effect: Element<'a>,
    profile: Element<'a>,
    technique: Element<'a>,
    shading: Element<'a>,
    ids: &'e Ids<'a>,
    path: &'e Path,
}

impl<'a> Effect<'a, '_> {
    fn material(&self) -> MeshMaterial {
        let default = MeshMaterial::default();
        let [r, g, b, _] = self.color("diffuse").unwrap_or(default.diffuse);
        MeshMaterial {
            ambient: self.color("ambient").unwrap_or(default.ambient),
            diffuse: [r, g, b, self.opacity()],
            specular: self.color("specular").unwrap_or(default.specular),
            emissive: self.color("emission").unwrap_or(default.emissive),
            shininess: self.number("shininess").unwrap_or(default.shininess),
            double_sided: self.is_double_sided(),
            unlit: self.shading.name() == "constant",
            color_map: self.image("diffuse"),
            emissive_map: self.image("emission"),
            specular_map: self.image("specular"),
            normal_map: self.bump(),
            ..default
        }
    }

    /// Red, green, blue and opacity; some programs leave the opacity out.
    fn color(&self, name: &str) -> Option<[f32; 4]> {
        match list(self.shading.child(name)?.child("color")?).ok()?[..] {
            [r, g, b] => Some([r, g, b, 1.0]),
            [r, g, b, a] => Some([r, g, b, a]),
            _ => None,
        }
    }

    fn number(&self, name: &str) -> Option<f32> {
        self.shading.child(name)?.child("float")?.text().trim().parse().ok()
    }

    /// The opacity, by the colour and factor of transparency, whose meaning `opaque` decides. Files in which everything
    /// would be invisible are common, because exporters mix up the modes: they are opaque, as in other readers.
    fn opacity(&self) -> f32 {
        let Some(transparent) = self.shading.child("transparent") else { return 1.0 };
        let factor = self.number("transparency").unwrap_or(1.0);
        let [r, g, b, a] = self.color("transparent").unwrap_or([1.0; 4]);
        // COLLADA 1.4.1, chapter 7: the luminance of linear colours.
        let luminance = 0.212_671 * r + 0.715_160 * g + 0.072_169 * b;
        let opacity = match transparent.attribute("opaque") {
            Some("RGB_ZERO") => 1.0 - factor * luminance,
            Some("RGB_ONE") => factor * luminance,
            Some("A_ZERO") => 1.0 - factor * a,
            _ => factor * a,
        };
        if opacity > 0.0 { opacity.min(1.0) } else { 1.0 }
    }

    /// Names of the texture coordinates of all images, that of the colours first.
    fn coordinates(&self) -> Vec<String> {
        let textures = ["diffuse", "emission", "specular"].into_iter().filter_map(|name| self.texture(name));
        let names = textures.chain(self.bump_texture()).filter_map(|texture| texture.attribute("texcoord"));
        names.map(str::to_owned).collect()
    }

    /// An extension of several programs, in an `<extra>` of the effect.
    fn is_double_sided(&self) -> bool {
        let places = [self.effect, self.profile, self.technique].into_iter();
        let extras = places.flat_map(|element| element.children_named("extra"));
        let mut techniques = extras.flat_map(|extra| extra.children_named("technique"));
        techniques.any(|one| one.child("double_sided").is_some_and(|flag| flag.text().trim() == "1"))
    }

    fn texture(&self, name: &str) -> Option<Element<'a>> {
        self.shading.child(name)?.child("texture")
    }

    fn image(&self, name: &str) -> Option<Image> {
        self.named(self.texture(name)?.attribute("texture")?)
    }

    /// An extension of several programs, too.
    fn bump_texture(&self) -> Option<Element<'a>> {
        let techniques =
            self.technique.children_named("extra").flat_map(|extra| extra.children_named("technique"));
        techniques.filter_map(|one| one.child("bump")).find_map(|bump| bump.child("texture"))
    }

    fn bump(&self) -> Option<Image> {
        self.named(self.bump_texture()?.attribute("texture")?)
    }

    /// The image of a name: through its sampler and surface, or directly.
    fn named(&self, sid: &str) -> Option<Image> {
        let param = |sid: &str| {
            let mut params = self.profile.children_named("newparam");
            params.find(|param| param.attribute("sid") == Some(sid))
        };
        let sampler = param(sid).and_then(|param| param.child("sampler2D"));
        let surface = sampler.and_then(|sampler| sampler.child("source")).map(|source| source.text().trim());
        let from = surface.and_then(param).and_then(|param| param.child("surface")?.child("init_from"));
        let id = from.map_or(sid, |from| from.text().trim());
        let image = self.ids.get("image", id)?;
        let from = image.child("init_from")?;
        let name = from.child("ref").unwrap_or(from).text().trim();
        let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
        (!name.is_empty()).then(|| Image::beside(self.path, &name))
    }
}

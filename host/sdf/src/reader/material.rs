//! `<material>` and its textures.

use super::Reader;
use super::geometry::not_found;
use crate::address::locate;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Material, Pbr, Script, Texture, Workflow};
use bridgehead_params::whole_number;
use std::path::PathBuf;

/// Default roughness and metalness (sdformat `sdf/1.12/material.sdf`).
const ROUGHNESS: f64 = 0.5;
const METALNESS: f64 = 0.5;

impl Reader<'_> {
    /// The `<material>` of a visual.
    pub(super) fn material(&mut self, visual: Element<'_>) -> Option<Material> {
        let material = self.single(visual, "material")?;
        self.check_children(material);
        self.check_normal_map(material);
        let default = Material::new();
        Some(Material {
            ambient: self.color(material, "ambient"),
            diffuse: self.color(material, "diffuse"),
            specular: self.color(material, "specular"),
            emissive: self.color(material, "emissive"),
            shininess: self.not_negative(material, "shininess").unwrap_or(default.shininess),
            double_sided: self.flag(material, "double_sided").unwrap_or(default.double_sided),
            is_lit: self.flag(material, "lighting").unwrap_or(default.is_lit),
            render_order: self.number(material, "render_order").unwrap_or(default.render_order),
            script: self.script(material),
            pbr: self.pbr(material),
        })
    }

    /// A shader with normal mapping needs a normal map.
    fn check_normal_map(&mut self, material: Element<'_>) {
        let Some(shader) = material.child("shader") else { return };
        let wants_map = shader.attribute("type").is_some_and(|kind| kind.starts_with("normal_map"));
        if wants_map && self.text(shader, "normal_map").is_none() {
            self.error(
                Code::ElementMissing,
                shader,
                "a normal map shader without `<normal_map>`",
                "`<normal_map>`",
            );
        }
    }

    /// `<script>` with the name of a material; libsdformat writes `__default__` for a missing text.
    fn script(&mut self, material: Element<'_>) -> Option<Script> {
        let script = self.single(material, "script")?;
        self.check_children(script);
        let is_written = |text: &str| !text.is_empty() && text != "__default__";
        let uris = script.children_named("uri").map(Element::text).filter(|uri| is_written(uri));
        let name = self.text(script, "name").filter(|name| is_written(name));
        if name.is_none() {
            let found = "`<script>` of a material without `<name>`";
            self.warning(Code::ElementMissing, script, found, "`<name>` of a material, such as `Gazebo/Red`");
        }
        Some(Script { name: name.unwrap_or_default(), uris: uris.map(str::to_owned).collect() })
    }

    fn pbr(&mut self, material: Element<'_>) -> Option<Pbr> {
        let pbr = self.single(material, "pbr")?;
        self.check_children(pbr);
        let (metal, specular) = (self.single(pbr, "metal"), self.single(pbr, "specular"));
        if let (Some(_), Some(unused)) = (metal, specular) {
            self.note_once("pbr/specular", unused, "`<specular>` beside `<metal>`", "`<metal>` is used");
        }
        let element = metal.or(specular)?;
        self.check_children(element);
        Some(Pbr {
            workflow: self.workflow(element),
            albedo: self.texture(element, "albedo_map"),
            normal: self.texture(element, "normal_map"),
            normal_in_object_space: self.is_in_object_space(element),
            ambient_occlusion: self.texture(element, "ambient_occlusion_map"),
            environment: self.texture(element, "environment_map"),
            emissive: self.texture(element, "emissive_map"),
            light: self.texture(element, "light_map"),
            light_uv_set: self.light_uv_set(element),
        })
    }

    fn workflow(&mut self, element: Element<'_>) -> Workflow {
        if element.name() == "metal" {
            return Workflow::Metal {
                roughness: self.fraction(element, "roughness").unwrap_or(ROUGHNESS),
                metalness: self.fraction(element, "metalness").unwrap_or(METALNESS),
                roughness_map: self.texture(element, "roughness_map"),
                metalness_map: self.texture(element, "metalness_map"),
            };
        }
        Workflow::Specular {
            glossiness: self.fraction(element, "glossiness").unwrap_or(0.0),
            glossiness_map: self.texture(element, "glossiness_map"),
            specular_map: self.texture(element, "specular_map"),
        }
    }

    fn is_in_object_space(&mut self, workflow: Element<'_>) -> bool {
        let Some(map) = workflow.child("normal_map") else { return false };
        match map.attribute("type").unwrap_or("tangent") {
            "tangent" => false,
            "object" => true,
            other => {
                let found = format!("`{other}` for `type`");
                self.error(Code::ValueInvalid, map, found, "`tangent` or `object`");
                false
            }
        }
    }

    /// Returns the `uv_set` of the light map. Some files write it as an unsigned number of C++, `1u`.
    fn light_uv_set(&mut self, workflow: Element<'_>) -> u32 {
        let Some(map) = workflow.child("light_map") else { return 0 };
        let Some(text) = map.attribute("uv_set") else { return 0 };
        let digits = text.trim();
        whole_number(digits.strip_suffix('u').unwrap_or(digits)).unwrap_or_else(|| {
            self.error(Code::ValueInvalid, map, format!("`{text}` for `uv_set`"), "a whole number");
            0
        })
    }

    /// The image that a child names; `None` if it is missing or empty.
    pub(super) fn texture(&mut self, parent: Element<'_>, name: &str) -> Option<Texture> {
        let child = parent.child(name).filter(|child| !child.text().is_empty())?;
        Some(Texture { uri: child.text().to_owned(), path: self.find_texture(child) })
    }

    /// Returns the file of a texture. A missing one is reported once for each file that names it, because many visuals
    /// may share it.
    fn find_texture(&mut self, at: Element<'_>) -> Option<PathBuf> {
        let (uri, source) = (at.text(), at.document().source());
        let key = format!("texture `{uri}` in `{}`", source.name());
        if self.reported.contains(&key) {
            return None;
        }
        let found = match locate(uri, source.folder(), self.search, self.files) {
            Ok(path) if self.files.is_file(&path) => return Some(path),
            Ok(path) => format!("texture `{uri}` is a folder, `{}`", path.display()),
            Err(reason) => not_found(at, uri, "texture", reason).found,
        };
        self.warning(Code::TextureNotFound, at, found, "an image file on this machine");
        self.reported.insert(key);
        None
    }
}

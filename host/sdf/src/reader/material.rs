//! `<material>`.

use super::children::{check_children, single};
use super::lookup::Lookup;
use super::report::Report;
use super::texture::texture;
use super::value::{color, flag, fraction, not_negative, number, text};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Material, Pbr, Script, Workflow};
use bridgehead_params::whole_number;

/// Default roughness and metalness (sdformat `sdf/1.12/material.sdf`).
const ROUGHNESS: f64 = 0.5;
const METALNESS: f64 = 0.5;

/// The `<material>` of a visual.
pub(super) fn material(visual: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Option<Material> {
    let material = single(visual, "material", report)?;
    check_children(material, report);
    check_normal_map(material, report);
    let default = Material::new();
    Some(Material {
        ambient: color(material, "ambient", report),
        diffuse: color(material, "diffuse", report),
        specular: color(material, "specular", report),
        emissive: color(material, "emissive", report),
        shininess: not_negative(material, "shininess", report).unwrap_or(default.shininess),
        double_sided: flag(material, "double_sided", report).unwrap_or(default.double_sided),
        is_lit: flag(material, "lighting", report).unwrap_or(default.is_lit),
        render_order: number(material, "render_order", report).unwrap_or(default.render_order),
        script: script(material, report),
        pbr: pbr(material, lookup, report),
    })
}

/// A shader with normal mapping needs a normal map.
fn check_normal_map(material: Element<'_>, report: &mut Report) {
    let Some(shader) = material.child("shader") else { return };
    let wants_map = shader.attribute("type").is_some_and(|kind| kind.starts_with("normal_map"));
    if wants_map && text(shader, "normal_map").is_none() {
        report.error(
            Code::ElementMissing,
            shader,
            "a normal map shader without `<normal_map>`",
            "`<normal_map>`",
        );
    }
}

/// `<script>` with the name of a material; libsdformat writes `__default__` for a missing text.
fn script(material: Element<'_>, report: &mut Report) -> Option<Script> {
    let script = single(material, "script", report)?;
    check_children(script, report);
    let is_written = |text: &str| !text.is_empty() && text != "__default__";
    let uris = script.children_named("uri").map(Element::text).filter(|uri| is_written(uri));
    let name = text(script, "name").filter(|name| is_written(name));
    if name.is_none() {
        let found = "`<script>` of a material without `<name>`";
        report.warning(Code::ElementMissing, script, found, "`<name>` of a material, such as `Gazebo/Red`");
    }
    Some(Script { name: name.unwrap_or_default(), uris: uris.map(str::to_owned).collect() })
}

fn pbr(material: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Option<Pbr> {
    let pbr = single(material, "pbr", report)?;
    check_children(pbr, report);
    let (metal, specular) = (single(pbr, "metal", report), single(pbr, "specular", report));
    if let (Some(_), Some(unused)) = (metal, specular) {
        report.note_once("pbr/specular", unused, "`<specular>` beside `<metal>`", "`<metal>` is used");
    }
    let element = metal.or(specular)?;
    check_children(element, report);
    Some(Pbr {
        workflow: workflow(element, lookup, report),
        albedo: texture(element, "albedo_map", lookup, report),
        normal: texture(element, "normal_map", lookup, report),
        normal_in_object_space: is_in_object_space(element, report),
        ambient_occlusion: texture(element, "ambient_occlusion_map", lookup, report),
        environment: texture(element, "environment_map", lookup, report),
        emissive: texture(element, "emissive_map", lookup, report),
        light: texture(element, "light_map", lookup, report),
        light_uv_set: light_uv_set(element, report),
    })
}

fn workflow(element: Element<'_>, lookup: Lookup<'_>, report: &mut Report) -> Workflow {
    if element.name() == "metal" {
        return Workflow::Metal {
            roughness: fraction(element, "roughness", report).unwrap_or(ROUGHNESS),
            metalness: fraction(element, "metalness", report).unwrap_or(METALNESS),
            roughness_map: texture(element, "roughness_map", lookup, report),
            metalness_map: texture(element, "metalness_map", lookup, report),
        };
    }
    Workflow::Specular {
        glossiness: fraction(element, "glossiness", report).unwrap_or(0.0),
        glossiness_map: texture(element, "glossiness_map", lookup, report),
        specular_map: texture(element, "specular_map", lookup, report),
    }
}

fn is_in_object_space(workflow: Element<'_>, report: &mut Report) -> bool {
    let Some(map) = workflow.child("normal_map") else { return false };
    match map.attribute("type").unwrap_or("tangent") {
        "tangent" => false,
        "object" => true,
        other => {
            let found = format!("`{other}` for `type`");
            report.error(Code::ValueInvalid, map, found, "`tangent` or `object`");
            false
        }
    }
}

/// Returns the `uv_set` of the light map. Some files write it as an unsigned number of C++, `1u`.
fn light_uv_set(workflow: Element<'_>, report: &mut Report) -> u32 {
    let Some(map) = workflow.child("light_map") else { return 0 };
    let Some(text) = map.attribute("uv_set") else { return 0 };
    let digits = text.trim();
    whole_number(digits.strip_suffix('u').unwrap_or(digits)).unwrap_or_else(|| {
        report.error(Code::ValueInvalid, map, format!("`{text}` for `uv_set`"), "a whole number");
        0
    })
}

//! Materials of SDF and of mesh files as messages.

use bridgehead_mesh::MeshMaterial;
use bridgehead_messages::bridgehead_simulation_interfaces as own;
use bridgehead_sdf::element::{Material, Pbr, Rgba, Texture, Workflow};

use crate::light::color;
use crate::named::named;

/// No texture, material, mesh or label.
pub(crate) const NONE: i32 = -1;

/// Colours of a `<material>` that leaves them out (sdformat `sdf/1.12/material.sdf`).
const AMBIENT: Rgba = [1.0; 4];
const DARK: Rgba = [0.0, 0.0, 0.0, 1.0];

/// A material without textures.
pub(crate) fn plain() -> own::SceneMaterial {
    own::SceneMaterial {
        roughness: 0.5,
        color_map: NONE,
        normal_map: NONE,
        roughness_map: NONE,
        metalness_map: NONE,
        emissive_map: NONE,
        occlusion_map: NONE,
        environment_map: NONE,
        light_map: NONE,
        specular_map: NONE,
        glossiness_map: NONE,
        ..own::SceneMaterial::default()
    }
}

/// Returns the colour of a `<material>` under directed light, without its textures.
#[must_use]
pub fn diffuse(material: &Material) -> Rgba {
    let known = material.script.as_ref().and_then(|script| named(&script.name));
    material.diffuse.or(known.map(|named| named.diffuse)).unwrap_or(AMBIENT)
}

/// Returns a `<material>`. `texture` returns the index of a texture. A material that is named and not known has the
/// colours that are written beside its name.
pub(crate) fn of_sdf(material: &Material, mut texture: impl FnMut(&Texture) -> i32) -> own::SceneMaterial {
    let script = material.script.as_ref();
    let known = script.and_then(|script| named(&script.name));
    let or_named = |own: Option<Rgba>, of: fn(&crate::named::Named) -> Rgba, default: Rgba| {
        Some(color(own.or(known.map(of)).unwrap_or(default)))
    };
    let mut message = own::SceneMaterial {
        name: script.map(|script| script.name.clone()).unwrap_or_default(),
        r#type: own::SceneMaterial::PHONG,
        ambient: or_named(material.ambient, |named| named.ambient, AMBIENT),
        diffuse: Some(color(diffuse(material))),
        specular: or_named(material.specular, |named| named.specular, DARK),
        emissive: or_named(material.emissive, |named| named.emissive, DARK),
        shininess: material.shininess,
        double_sided: material.double_sided,
        unlit: !material.is_lit,
        render_order: material.render_order,
        ..plain()
    };
    if let Some(pbr) = &material.pbr {
        add_pbr(&mut message, pbr, &mut texture);
    }
    message
}

fn add_pbr(message: &mut own::SceneMaterial, pbr: &Pbr, texture: &mut impl FnMut(&Texture) -> i32) {
    let mut map = |of: &Option<Texture>| of.as_ref().map_or(NONE, &mut *texture);
    message.color_map = map(&pbr.albedo);
    message.normal_map = map(&pbr.normal);
    message.normal_in_object_space = pbr.normal_in_object_space;
    message.occlusion_map = map(&pbr.ambient_occlusion);
    message.environment_map = map(&pbr.environment);
    message.emissive_map = map(&pbr.emissive);
    message.light_map = map(&pbr.light);
    match &pbr.workflow {
        Workflow::Metal { roughness, metalness, roughness_map, metalness_map } => {
            message.r#type = own::SceneMaterial::METAL;
            (message.roughness, message.metalness) = (*roughness, *metalness);
            message.roughness_map = map(roughness_map);
            message.metalness_map = map(metalness_map);
        }
        Workflow::Specular { glossiness, glossiness_map, specular_map } => {
            message.r#type = own::SceneMaterial::SPECULAR;
            (message.glossiness, message.roughness) = (*glossiness, 1.0 - *glossiness);
            message.glossiness_map = map(glossiness_map);
            message.specular_map = map(specular_map);
        }
    }
}

/// Returns a material of a mesh file. `image` returns the index of a texture.
pub(crate) fn of_mesh(
    material: &MeshMaterial,
    mut image: impl FnMut(&bridgehead_mesh::Image) -> i32,
) -> own::SceneMaterial {
    let mut map = |of: &Option<bridgehead_mesh::Image>| of.as_ref().map_or(NONE, &mut image);
    let metal_rough_map = map(&material.metal_rough_map);
    let kind = match material.metal_rough {
        Some(_) => own::SceneMaterial::METAL,
        None => own::SceneMaterial::PHONG,
    };
    let [metalness, roughness] = material.metal_rough.unwrap_or([0.0, 0.5]);
    own::SceneMaterial {
        name: material.name.clone(),
        r#type: kind,
        ambient: Some(color(material.ambient)),
        diffuse: Some(color(material.diffuse)),
        specular: Some(color(material.specular)),
        emissive: Some(color(material.emissive)),
        shininess: f64::from(material.shininess),
        metalness: f64::from(metalness),
        roughness: f64::from(roughness),
        double_sided: material.double_sided,
        unlit: material.unlit,
        alpha_cutoff: f64::from(material.alpha_cutoff),
        color_map: map(&material.color_map),
        normal_map: map(&material.normal_map),
        emissive_map: map(&material.emissive_map),
        occlusion_map: map(&material.occlusion_map),
        specular_map: map(&material.specular_map),
        roughness_map: metal_rough_map,
        metalness_map: metal_rough_map,
        ..plain()
    }
}

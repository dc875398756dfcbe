//! Visuals, materials, lights and the scene of a world. Textures are listed by their addresses as written.

use serde_json::{Value, json};

use super::shape;
use super::value::{number, pose, uri, vector};
use crate::element::{Light, LightKind, Material, Pbr, Rgba, Scene, Visual, Workflow};
use crate::resolved::Placed;
use bridgehead_pose::Pose;

pub(super) fn visual(visual: &Placed<Visual>, link: &Pose) -> Value {
    let element = &visual.element;
    let mut object = json!({
        "name": element.name,
        "pose_world": pose(&link.compose(&visual.pose)),
        "geometry": shape::geometry(&element.geometry),
        "transparency": number(element.transparency),
        "cast_shadows": element.cast_shadows,
        "visibility_flags": element.visibility_flags,
        "laser_retro": number(element.laser_retro),
    });
    if let Some(written) = &element.material {
        object["material"] = material(written);
    }
    if let Some(label) = element.label {
        object["label"] = json!(label);
    }
    if let Some(kelvin) = element.temperature {
        object["temperature"] = number(kelvin);
    }
    object
}

fn material(material: &Material) -> Value {
    let mut object = json!({
        "ambient": material.ambient.map(color),
        "diffuse": material.diffuse.map(color),
        "specular": material.specular.map(color),
        "emissive": material.emissive.map(color),
        "shininess": number(material.shininess),
        "double_sided": material.double_sided,
        "lighting": material.is_lit,
        "render_order": number(material.render_order),
    });
    if let Some(script) = &material.script {
        object["script"] = json!({ "name": script.name, "uris": script.uris });
    }
    if let Some(written) = &material.pbr {
        object["pbr"] = pbr(written);
    }
    object
}

fn pbr(pbr: &Pbr) -> Value {
    let mut object = json!({
        "albedo_map": uri(pbr.albedo.as_ref()),
        "normal_map": uri(pbr.normal.as_ref()),
        "normal_in_object_space": pbr.normal_in_object_space,
        "ambient_occlusion_map": uri(pbr.ambient_occlusion.as_ref()),
        "environment_map": uri(pbr.environment.as_ref()),
        "emissive_map": uri(pbr.emissive.as_ref()),
        "light_map": uri(pbr.light.as_ref()),
        "light_uv_set": pbr.light_uv_set,
    });
    match &pbr.workflow {
        Workflow::Metal { roughness, metalness, roughness_map, metalness_map } => {
            object["workflow"] = json!("metal");
            object["roughness"] = number(*roughness);
            object["metalness"] = number(*metalness);
            object["roughness_map"] = uri(roughness_map.as_ref());
            object["metalness_map"] = uri(metalness_map.as_ref());
        }
        Workflow::Specular { glossiness, glossiness_map, specular_map } => {
            object["workflow"] = json!("specular");
            object["glossiness"] = number(*glossiness);
            object["glossiness_map"] = uri(glossiness_map.as_ref());
            object["specular_map"] = uri(specular_map.as_ref());
        }
    }
    object
}

pub(super) fn light(light: &Placed<Light>, holder: &Pose) -> Value {
    let element = &light.element;
    let Light { attenuation, spot, .. } = element;
    json!({
        "name": element.name,
        "pose_world": pose(&holder.compose(&light.pose)),
        "type": match element.kind {
            LightKind::Point => "point",
            LightKind::Spot => "spot",
            LightKind::Directional => "directional",
        },
        "direction": vector(element.direction),
        "diffuse": color(element.diffuse),
        "specular": color(element.specular),
        "intensity": number(element.intensity),
        "light_on": element.is_on,
        "visualize": element.visualize,
        "cast_shadows": element.cast_shadows,
        "attenuation": {
            "range": number(attenuation.range),
            "constant": number(attenuation.constant),
            "linear": number(attenuation.linear),
            "quadratic": number(attenuation.quadratic),
        },
        "spot": {
            "inner_angle": number(spot.inner_angle),
            "outer_angle": number(spot.outer_angle),
            "falloff": number(spot.falloff),
        },
    })
}

pub(super) fn scene(scene: &Scene) -> Value {
    json!({
        "ambient": color(scene.ambient),
        "background": color(scene.background),
        "shadows": scene.shadows,
        "grid": scene.grid,
        "sky": scene.sky.as_ref().map(|sky| json!({
            "time": number(sky.time),
            "sunrise": number(sky.sunrise),
            "sunset": number(sky.sunset),
        })),
        "fog": scene.fog.as_ref().map(|fog| json!({
            "type": fog.kind,
            "color": color(fog.color),
            "start": number(fog.start),
            "end": number(fog.end),
            "density": number(fog.density),
        })),
    })
}

/// A colour with the digits that identify its `f32` numbers: `0.1`, not `0.10000000149011612`.
fn color(color: Rgba) -> Value {
    color.map(|part| json!(part.to_string().parse::<f64>().unwrap_or_default())).into_iter().collect()
}

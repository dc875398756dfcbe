//! The scene that a world must have, from its resolved elements. It shares no code with the host.

use bridgehead_sdf::element::{Geometry, LightKind, Material, Pbr, Rgba, Texture, Visual, Workflow};
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::{Placed, World};
use serde_json::{Map, Value, json};

/// Returns it in the form of [`super::compare::readable`].
pub(super) fn scene(world: &World) -> Value {
    let mut nodes = Vec::new();
    let mut visuals = Vec::new();
    let mut lights: Vec<Value> = world.lights.iter().map(|placed| light("", None, placed)).collect();
    let actors = world.actors.iter().map(|actor| &actor.model);
    for model in world.models.iter().chain(actors) {
        for link in &model.links {
            let name = format!("{}::{}", model.name, link.name);
            nodes.push(json!({
                "name": name,
                "entity": model.name,
                "pose": pose(&model.pose.compose(&link.pose)),
                "is_static": model.is_static || link.is_static,
            }));
            lights.extend(link.lights.iter().map(|placed| light(&format!("{name}::"), Some(&name), placed)));
            visuals.extend(link.visuals.iter().map(|placed| visual(&name, placed)));
        }
        if world.actors.iter().any(|actor| actor.model.name == model.name) {
            // The host gives an actor a link that carries its frame, which begins where its script begins.
            nodes.push(json!({ "name": format!("{}::frame", model.name) }));
        }
    }
    json!({
        "world": world.name,
        "surroundings": surroundings(world),
        "nodes": nodes,
        "visuals": visuals,
        "lights": lights,
    })
}

fn surroundings(world: &World) -> Value {
    let scene = &world.scene;
    let mut all = json!({
        "ambient": color(scene.ambient),
        "background": color(scene.background),
        "sky": scene.sky.is_some(),
        "shadows": scene.shadows,
        "grid": scene.grid,
    });
    if let Some(sky) = &scene.sky {
        all["time"] = json!(sky.time);
        all["sunrise"] = json!(sky.sunrise);
        all["sunset"] = json!(sky.sunset);
    }
    if let Some(fog) = &scene.fog {
        all["fog"] = json!(fog.kind);
        all["fog_color"] = color(fog.color);
        all["fog_start"] = json!(fog.start);
        all["fog_end"] = json!(fog.end);
        all["fog_density"] = json!(fog.density);
    }
    all
}

fn light(scope: &str, node: Option<&str>, placed: &Placed<bridgehead_sdf::element::Light>) -> Value {
    let light = &placed.element;
    let kind = match light.kind {
        LightKind::Point => "POINT",
        LightKind::Spot => "SPOT",
        LightKind::Directional => "DIRECTIONAL",
    };
    json!({
        "name": format!("{scope}{}", light.name),
        "node": node,
        "pose": pose(&placed.pose),
        "type": kind,
        "direction": vector(light.direction),
        "diffuse": color(light.diffuse),
        "specular": color(light.specular),
        "intensity": light.intensity,
        "is_on": light.is_on,
        "visualize": light.visualize,
        "cast_shadows": light.cast_shadows,
        "attenuation_range": light.attenuation.range,
        "attenuation_constant": light.attenuation.constant,
        "attenuation_linear": light.attenuation.linear,
        "attenuation_quadratic": light.attenuation.quadratic,
        "inner_angle": light.spot.inner_angle,
        "outer_angle": light.spot.outer_angle,
        "falloff": light.spot.falloff,
    })
}

fn visual(link: &str, placed: &Placed<Visual>) -> Value {
    let visual = &placed.element;
    let mut all = json!({
        "name": format!("{link}::{}", visual.name),
        "node": link,
        "transparency": visual.transparency,
        "cast_shadows": visual.cast_shadows,
        "visibility_flags": visual.visibility_flags,
        "label": visual.label.map_or(-1, i64::from),
        "laser_retro": visual.laser_retro,
        "temperature": visual.temperature.unwrap_or(-1.0),
    });
    let (kind, size) = shape(&visual.geometry);
    all["type"] = json!(kind);
    if let Some(size) = size {
        all["size"] = vector(size);
    }
    if let Geometry::Mesh(mesh) = &visual.geometry
        && kind == "MESH"
    {
        all["mesh"] = json!(mesh.uri);
    }
    match &visual.geometry {
        // Turned so that z is the normal; how it is turned about that is not laid down.
        Geometry::Plane { normal, .. } => all["normal"] = vector(placed.pose.rotation * *normal),
        _ => all["pose"] = pose(&placed.pose),
    }
    if let Some(written) = &visual.material {
        all["material"] = material(written);
    }
    all
}

/// The type and the size, as `SceneVisual` defines them.
fn shape(geometry: &Geometry) -> (&'static str, Option<DVec3>) {
    match geometry {
        Geometry::Box { size } => ("BOX", Some(*size)),
        Geometry::Sphere { radius } => ("SPHERE", Some(DVec3::splat(radius * 2.0))),
        Geometry::Cylinder { radius, length } => ("CYLINDER", Some(round(*radius, *length))),
        Geometry::Capsule { radius, length } => ("CAPSULE", Some(round(*radius, length + radius * 2.0))),
        Geometry::Ellipsoid { radii } => ("ELLIPSOID", Some(*radii * 2.0)),
        Geometry::Cone { radius, length } => ("CONE", Some(round(*radius, *length))),
        Geometry::Plane { size, .. } => ("PLANE", size.map(|size| DVec3::new(size.x, size.y, 0.0))),
        Geometry::Mesh(mesh) if mesh.path.is_some() => ("MESH", Some(mesh.scale)),
        Geometry::Heightmap(map) if map.path.is_some() => ("MESH", None),
        Geometry::Polyline { .. } => ("MESH", None),
        Geometry::Mesh(_) | Geometry::Heightmap(_) | Geometry::Empty | Geometry::Unsupported { .. } => {
            ("NONE", None)
        }
    }
}

fn round(radius: f64, length: f64) -> DVec3 {
    DVec3::new(radius * 2.0, radius * 2.0, length)
}

/// The members that the file decides. The colours of a named material belong to Gazebo, and have a test of their own.
fn material(written: &Material) -> Value {
    let mut all = Map::new();
    let mut put = |name: &str, value: Value| drop(all.insert(name.to_owned(), value));
    let is_named = written.script.is_some();
    let colors = [
        ("ambient", written.ambient, [1.0; 4]),
        ("diffuse", written.diffuse, [1.0; 4]),
        ("specular", written.specular, [0.0, 0.0, 0.0, 1.0]),
        ("emissive", written.emissive, [0.0, 0.0, 0.0, 1.0]),
    ];
    for (name, own, default) in colors {
        if own.is_some() || !is_named {
            put(name, color(own.unwrap_or(default)));
        }
    }
    put("name", json!(written.script.as_ref().map_or("", |script| &*script.name)));
    put("shininess", json!(written.shininess));
    put("double_sided", json!(written.double_sided));
    put("unlit", json!(!written.is_lit));
    put("render_order", json!(written.render_order));
    match &written.pbr {
        None => put("type", json!("PHONG")),
        Some(pbr) => add_pbr(pbr, &mut put),
    }
    Value::Object(all)
}

fn add_pbr(pbr: &Pbr, put: &mut impl FnMut(&str, Value)) {
    let maps = [
        ("color_map", &pbr.albedo),
        ("normal_map", &pbr.normal),
        ("occlusion_map", &pbr.ambient_occlusion),
        ("environment_map", &pbr.environment),
        ("emissive_map", &pbr.emissive),
        ("light_map", &pbr.light),
    ];
    maps.into_iter().for_each(|(name, map)| put(name, uri(map.as_ref())));
    match &pbr.workflow {
        Workflow::Metal { roughness, metalness, roughness_map, metalness_map } => {
            put("type", json!("METAL"));
            put("roughness", json!(roughness));
            put("metalness", json!(metalness));
            put("roughness_map", uri(roughness_map.as_ref()));
            put("metalness_map", uri(metalness_map.as_ref()));
        }
        Workflow::Specular { glossiness, glossiness_map, specular_map } => {
            put("type", json!("SPECULAR"));
            put("glossiness", json!(glossiness));
            put("glossiness_map", uri(glossiness_map.as_ref()));
            put("specular_map", uri(specular_map.as_ref()));
        }
    }
}

/// The address of a texture that was found; null otherwise.
fn uri(texture: Option<&Texture>) -> Value {
    texture.filter(|texture| texture.path.is_some()).map_or(Value::Null, |texture| json!(texture.uri))
}

fn color(color: Rgba) -> Value {
    json!(color)
}

fn vector(value: DVec3) -> Value {
    json!(value.to_array())
}

fn pose(value: &Pose) -> Value {
    let (at, turned) = (value.position.to_array(), value.rotation.to_array());
    json!([at.as_slice(), turned.as_slice()].concat())
}

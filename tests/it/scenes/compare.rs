//! Scenes as JSON that can be compared: names instead of indices, lists of numbers instead of objects.

use bridgehead_sdf::pose::{DQuat, DVec3};
use serde_json::{Map, Value, json};

use super::list;

/// Largest difference of two numbers, relative to their size above 1: colours and poses are printed with the digits of f32.
const TOLERANCE: f64 = 1e-6;
const LIGHTS: [&str; 3] = ["POINT", "SPOT", "DIRECTIONAL"];
const SHAPES: [&str; 9] =
    ["NONE", "BOX", "SPHERE", "CYLINDER", "CAPSULE", "ELLIPSOID", "CONE", "PLANE", "MESH"];
const MATERIALS: [&str; 3] = ["PHONG", "METAL", "SPECULAR"];

/// Returns a scene of `get_scene` with the names of what its indices point to.
pub(super) fn readable(scene: &Value) -> Value {
    let name_of = |list: &str, index: &Value, member: &str| match index.as_i64() {
        Some(-1) | None => Value::Null,
        Some(index) => scene[list][usize::try_from(index).expect("an index")][member].clone(),
    };
    let visuals = list(scene, "visuals").map(|visual| {
        let mut all = flat(visual);
        all["node"] = name_of("nodes", &visual["node"], "name");
        all["mesh"] = name_of("meshes", &visual["mesh"], "uri");
        all["type"] = named(&SHAPES, &visual["type"]);
        all["normal"] = normal(&all["pose"]);
        all["material"] = match visual["material"].as_i64() {
            Some(-1) | None => Value::Null,
            Some(index) => material(scene, &scene["materials"][usize::try_from(index).expect("an index")]),
        };
        all
    });
    let lights = list(scene, "lights").map(|light| {
        let mut all = flat(light);
        all["node"] = name_of("nodes", &light["node"], "name");
        all["type"] = named(&LIGHTS, &light["type"]);
        all
    });
    json!({
        "world": scene["world"],
        "surroundings": flat(&scene["surroundings"]),
        "nodes": list(scene, "nodes").map(flat).collect::<Vec<_>>(),
        "visuals": visuals.collect::<Vec<_>>(),
        "lights": lights.collect::<Vec<_>>(),
    })
}

fn material(scene: &Value, material: &Value) -> Value {
    let mut all = flat(material);
    all["type"] = named(&MATERIALS, &material["type"]);
    for (name, value) in all.as_object_mut().expect("an object") {
        if name.ends_with("_map") {
            *value = match value.as_i64() {
                Some(-1) | None => Value::Null,
                Some(index) => scene["textures"][usize::try_from(index).expect("an index")]["uri"].clone(),
            };
        }
    }
    all
}

fn named(names: &[&str], number: &Value) -> Value {
    let index = number.as_u64().and_then(|number| usize::try_from(number).ok());
    index.and_then(|index| names.get(index)).map_or(Value::Null, |name| json!(name))
}

/// Vectors, colours and poses as lists of numbers.
fn flat(value: &Value) -> Value {
    let Some(members) = value.as_object() else { return value.clone() };
    for names in [&["x", "y", "z", "w"][..], &["x", "y", "z"], &["r", "g", "b", "a"]] {
        if names.len() == members.len() && names.iter().all(|name| members.contains_key(*name)) {
            return names.iter().map(|name| members[*name].clone()).collect();
        }
    }
    if let (2, Some(at), Some(turned)) = (members.len(), members.get("position"), members.get("orientation"))
    {
        let parts = [flat(at), flat(turned)];
        return parts.iter().filter_map(Value::as_array).flatten().cloned().collect();
    }
    Value::Object(members.iter().map(|(name, value)| (name.clone(), flat(value))).collect::<Map<_, _>>())
}

/// The direction of z in a frame.
fn normal(pose: &Value) -> Value {
    let part = |index: usize| pose[index].as_f64().expect("a number");
    let turned = DQuat::from_xyzw(part(3), part(4), part(5), part(6));
    json!((turned * DVec3::Z).to_array())
}

/// Returns what differs; members that are only in `found` do not count.
pub(super) fn differences(at: &str, expected: &Value, found: &Value) -> Vec<String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            let of = |(name, value): (&String, &Value)| {
                differences(&format!("{at}.{name}"), value, found.get(name).unwrap_or(&Value::Null))
            };
            expected.iter().flat_map(of).collect()
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            if at.ends_with(".pose") && is_same_pose(ours, theirs) {
                return Vec::new();
            }
            let pairs = ours.iter().zip(theirs).enumerate();
            pairs
                .flat_map(|(index, (ours, theirs))| differences(&format!("{at}[{index}]"), ours, theirs))
                .collect()
        }
        (Value::Number(ours), Value::Number(theirs)) if is_near(ours.as_f64(), theirs.as_f64()) => Vec::new(),
        _ if expected == found => Vec::new(),
        _ => vec![format!("{at}: {expected} expected, {found} found")],
    }
}

fn is_near(ours: Option<f64>, theirs: Option<f64>) -> bool {
    let (Some(ours), Some(theirs)) = (ours, theirs) else { return false };
    (ours - theirs).abs() <= TOLERANCE * ours.abs().max(1.0)
}

/// True if poses are equal: a quaternion and its negative are the same rotation.
fn is_same_pose(ours: &[Value], theirs: &[Value]) -> bool {
    let all = |sign: f64| {
        let near = |(index, (ours, theirs)): (usize, (&Value, &Value))| {
            let sign = if index < 3 { 1.0 } else { sign };
            is_near(ours.as_f64(), theirs.as_f64().map(|number| sign * number))
        };
        ours.iter().zip(theirs).enumerate().all(near)
    };
    all(1.0) || all(-1.0)
}

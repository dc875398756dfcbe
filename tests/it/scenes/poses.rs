//! The block of poses beside the states of the entities, in the same step.

use bridgehead_sdf::pose::{DQuat, DVec3, Pose};
use bridgehead_sdf::resolved::World;
use serde_json::{Value, json};
use tungstenite::Message;

use super::list;
use crate::support::Served;

/// Largest difference: frames have f32. Metres for each metre of distance from the origin, and the sine of half an angle.
const TOLERANCE: f64 = 1e-6;

/// Returns the differences between the poses of canonical links and those that follow from the states of their models.
/// The number of compared models is added to `models`.
pub(super) fn differences(host: &Served, world: &World, models: &mut usize) -> Vec<String> {
    let names: Vec<String> = {
        let answer = host.ok("get_scene", json!({}));
        list(&answer["scene"], "nodes")
            .map(|node| node["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let (step, poses) = frame(host);
    let answer = host.ok("get_entities_states", json!({}));
    assert_eq!(host.status("step"), step, "the host is paused");
    if poses.len() != names.len() {
        return vec![format!("{} poses of {} nodes", poses.len(), names.len())];
    }
    let mut wrong = Vec::new();
    let pairs = list(&answer, "entities").zip(list(&answer, "states"));
    for (name, state) in pairs.filter_map(|(name, state)| Some((name.as_str()?, state))) {
        let Some(model) = world.models.iter().find(|model| model.name == name) else { continue };
        let Some(link) = model.canonical_link.and_then(|index| model.links.get(index)) else { continue };
        let node = names.iter().position(|node| *node == format!("{name}::{}", link.name));
        let Some(found) = node.and_then(|node| poses.get(node)) else {
            wrong.push(format!("{name} has no node"));
            continue;
        };
        *models += 1;
        let expected = pose(&state["pose"]).compose(&link.pose);
        let apart = (expected.position - found.position).length();
        let turned = (expected.rotation.conjugate() * found.rotation).xyz().length();
        if apart > TOLERANCE * expected.position.length().max(1.0) || turned > TOLERANCE {
            wrong.push(format!("{name} is at {found:?}, its state says {expected:?}"));
        }
    }
    wrong
}

fn pose(message: &Value) -> Pose {
    let part = |of: &str, name: &str| message[of][name].as_f64().expect("a number");
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| part("orientation", name));
    let at = ["x", "y", "z"].map(|name| part("position", name));
    Pose { position: DVec3::from_array(at), rotation: DQuat::from_xyzw(x, y, z, w) }
}

/// Subscribes to poses. Returns the step and the poses of all nodes of the first frame.
fn frame(host: &Served) -> (i64, Vec<Pose>) {
    let mut socket = host.subscribe("poses");
    let bytes = loop {
        if let Message::Binary(bytes) = socket.read().expect("a frame") {
            break bytes;
        }
    };
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let step = i64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
    assert_eq!((u32_at(4), bytes.len()), (0, 48 + 28 * u32_at(36) as usize), "all nodes");
    let number = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")));
    let pose = |at: usize| {
        let [x, y, z, i, j, k, w] = std::array::from_fn(|part| number(at + 4 * part));
        Pose { position: DVec3::new(x, y, z), rotation: DQuat::from_xyzw(i, j, k, w) }
    };
    (step, (48..bytes.len()).step_by(28).map(pose).collect())
}

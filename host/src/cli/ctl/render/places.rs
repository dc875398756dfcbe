//! Poses, motions and volumes as text: metres and degrees.

use bridgehead_sdf::pose::Pose;
use serde_json::Value;

use super::fields::{item, number, pairs, rounded, rows, seconds, text, whole};

/// Returns the three members of a vector.
pub(super) fn vector(value: &Value) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| number(value, axis))
}

/// Returns roll, pitch and yaw of a pose in JSON, in degrees.
pub(super) fn angles(pose: &Value) -> [f64; 3] {
    let turn = item(pose, "orientation");
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|axis| number(turn, axis));
    let rotation = glam::DQuat::from_xyzw(x, y, z, w);
    if !rotation.is_finite() || rotation.length_squared() < f64::EPSILON {
        return [0.0; 3];
    }
    Pose::new(glam::DVec3::ZERO, rotation.normalize()).rpy().map(f64::to_degrees)
}

/// Returns three numbers separated by spaces.
fn triple(numbers: [f64; 3]) -> String {
    numbers.map(rounded).join(" ")
}

/// `1 2 0.5 m, 0 0 90°`
pub(super) fn pose(pose: &Value) -> String {
    format!("{} m, {}°", triple(vector(item(pose, "position"))), triple(angles(pose)))
}

/// Returns pose and motion of an entity.
pub(super) fn state(state: &Value) -> String {
    let motion = |member, unit: &str, turn: &str| {
        let motion = item(state, member);
        let [linear, angular] = ["linear", "angular"].map(|part| triple(vector(item(motion, part))));
        format!("{linear} {unit}, {angular} {turn}")
    };
    let header = item(state, "header");
    let stamp = item(header, "stamp");
    let time = seconds(number(stamp, "sec") * 1e9 + number(stamp, "nanosec"));
    let frame = text(header, "frame_id");
    pairs(&[
        ("time", time),
        ("frame", if frame.is_empty() { "world".to_owned() } else { frame.to_owned() }),
        ("pose", pose(item(state, "pose"))),
        ("velocity", motion("twist", "m/s", "rad/s")),
        ("acceleration", motion("acceleration", "m/s²", "rad/s²")),
    ])
}

/// Returns a volume.
pub(super) fn bounds(bounds: &Value) -> String {
    let points = rows(bounds, "points");
    let point = |at: usize| triple(vector(points.get(at).unwrap_or(&Value::Null)));
    match whole(bounds, "type") {
        1 => format!("box from {} to {} m", point(1), point(0)),
        2 => format!("convex hull of {} points", points.len()),
        3 => {
            let radius = points.get(1).map_or(0.0, |point| number(point, "x"));
            format!("sphere at {} m, radius {} m", point(0), rounded(radius))
        }
        _ => "empty".to_owned(),
    }
}

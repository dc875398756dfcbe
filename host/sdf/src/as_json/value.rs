//! Numbers, vectors, poses and addresses as JSON.

use crate::element::Texture;
use bridgehead_pose::Pose;
use glam::DVec3;
use serde_json::{Value, json};

/// A number, as text if it is infinite.
pub(super) fn number(value: f64) -> Value {
    if value.is_nan() {
        json!("nan")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "inf" } else { "-inf" })
    } else if value.abs() < 1e-15 {
        json!(0.0)
    } else {
        json!(value)
    }
}

pub(super) fn vector(vector: DVec3) -> Value {
    vector.to_array().map(number).into_iter().collect()
}

pub(super) fn pose(pose: &Pose) -> Value {
    let rotation = pose.rotation.normalize();
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let quaternion = [rotation.w, rotation.x, rotation.y, rotation.z].map(|part| sign * part);
    pose.position.to_array().into_iter().chain(quaternion).map(number).collect()
}

pub(super) fn uri(texture: Option<&Texture>) -> Value {
    json!(texture.map(|texture| &texture.uri))
}

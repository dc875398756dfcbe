//! Converts poses to messages and to other frames. Pure; any thread.

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::geometry_msgs::{self, Point, Quaternion, Transform, Vector3};

/// Returns `pose` relative to `frame`, both given in one frame.
pub(crate) fn relative(frame: Pose, pose: Pose) -> Pose {
    let way = std::array::from_fn(|axis| pose.position[axis] - frame.position[axis]);
    let [x, y, z, w] = frame.orientation;
    let back = Pose { position: [0.0; 3], orientation: [-x, -y, -z, w] };
    let turned = back.compose(Pose { position: [0.0; 3], orientation: pose.orientation });
    Pose { position: frame.rotate_inverse(way), orientation: turned.orientation }
}

pub(crate) fn pose_message(pose: Pose) -> geometry_msgs::Pose {
    let [x, y, z] = pose.position;
    geometry_msgs::Pose { position: Some(Point { x, y, z }), orientation: Some(quaternion(pose)) }
}

pub(crate) fn transform(pose: Pose) -> Transform {
    Transform { translation: Some(vector(pose.position)), rotation: Some(quaternion(pose)) }
}

pub(crate) fn vector([x, y, z]: [f64; 3]) -> Vector3 {
    Vector3::new(x, y, z)
}

fn quaternion(pose: Pose) -> Quaternion {
    let [x, y, z, w] = pose.orientation;
    Quaternion { x, y, z, w }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_pose_composes_back() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let frame = Pose { position: [1.0, 2.0, 0.0], orientation: [0.0, 0.0, half, half] };
        let thing = Pose { position: [1.0, 5.0, 1.0], ..Pose::IDENTITY };
        let seen = relative(frame, thing);
        assert!((seen.position[0] - 3.0).abs() < 1e-12 && (seen.position[2] - 1.0).abs() < 1e-12, "{seen:?}");
        let back = frame.compose(seen);
        assert!(
            (back.position[1] - 5.0).abs() < 1e-12 && (back.orientation[3] - 1.0).abs() < 1e-12,
            "{back:?}"
        );
    }
}

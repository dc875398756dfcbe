//! Orientations in the forms of MJCF, and the rotation from one direction to another.

use bridgehead_pose::{DMat3, DQuat, DVec3};

/// Below this length a vector has no direction (`mjMINVAL` of MuJoCo).
const SMALLEST: f64 = 1e-14;

/// Returns the direction of a vector; `None` without one.
pub(crate) fn direction(vector: DVec3) -> Option<DVec3> {
    let length = vector.length();
    (length.is_finite() && length > SMALLEST).then(|| vector / length)
}

/// A quaternion w, x, y, z of any length above 0.
pub(crate) fn from_wxyz([w, x, y, z]: [f64; 4]) -> Option<DQuat> {
    let length = DQuat::from_xyzw(x, y, z, w).length();
    (length.is_finite() && length > SMALLEST)
        .then(|| DQuat::from_xyzw(x / length, y / length, z / length, w / length))
}

/// A rotation about an axis of any length above 0 by an angle in radians.
pub(crate) fn about(axis: DVec3, angle: f64) -> Option<DQuat> {
    let axis = direction(axis)?;
    let (sin, cos) = (libm::sin(angle / 2.0), libm::cos(angle / 2.0));
    Some(DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos))
}

/// Three rotations about the axes of a sequence such as `xyz`: lower case for axes that turn with the body, upper case for
/// fixed ones.
pub(crate) fn from_euler(sequence: &str, angles: [f64; 3]) -> Option<DQuat> {
    let mut rotation = DQuat::IDENTITY;
    for (letter, angle) in sequence.chars().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => DVec3::X,
            'y' => DVec3::Y,
            _ => DVec3::Z,
        };
        let turn = about(axis, angle)?;
        rotation = if letter.is_ascii_lowercase() { rotation * turn } else { turn * rotation };
    }
    Some(rotation.normalize())
}

/// The frame with this x axis, and a y axis in the plane of both vectors.
pub(crate) fn from_axes(x: DVec3, y: DVec3) -> Option<DQuat> {
    let x = direction(x)?;
    let y = direction(y - x * x.dot(y))?;
    Some(of_matrix(DMat3::from_cols(x, y, x.cross(y))))
}

/// The smallest rotation of the z axis to a direction.
pub(crate) fn to_direction(z: DVec3) -> Option<DQuat> {
    let z = direction(z)?;
    let axis = DVec3::Z.cross(z);
    let sin = axis.length();
    if sin < SMALLEST {
        return Some(if z.z < 0.0 { DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) } else { DQuat::IDENTITY });
    }
    about(axis, libm::atan2(sin, z.z))
}

/// The quaternion of a rotation matrix; its square roots are exact on every machine.
fn of_matrix(matrix: DMat3) -> DQuat {
    DQuat::from_mat3(&matrix).normalize()
}

/// Moments in a frame as moments in the frame that it is rotated in: R · M · Rᵀ.
pub(crate) fn rotated(moments: DMat3, rotation: DQuat) -> DMat3 {
    let rotation = DMat3::from_quat(rotation);
    rotation * moments * rotation.transpose()
}

//! `<inertial>` as principal moments and the axes in which they hold.
//!
//! The tensor is diagonalised here. parry 0.31 gives wrong axes if the two smaller moments are equal, as for
//! every wheel: a disc about x comes out as one about y. Pure functions.

use super::spec::Inertial;
use bridgehead_pose::{DMat3, DQuat, DVec3};

/// The greatest number of sweeps of the diagonalisation; three to five are usual.
const SWEEPS: usize = 16;

/// Returns what is wrong with an inertia, if anything.
pub(super) fn problem(inertial: &Inertial) -> Option<String> {
    let (mass, tensor) = (inertial.mass, tensor(inertial));
    if !(mass.is_finite() && mass > 0.0) {
        return Some(format!("the mass must be positive and finite, found {mass} kg"));
    }
    if !(tensor.is_finite() && inertial.pose.is_finite()) {
        return Some("a moment of inertia or the inertial pose is not finite".into());
    }
    // Sylvester: a symmetric matrix is positive definite when its leading minors are positive.
    let minor = tensor.x_axis.x * tensor.y_axis.y - tensor.x_axis.y * tensor.y_axis.x;
    let definite = tensor.x_axis.x > 0.0 && minor > 0.0 && tensor.determinant() > 0.0;
    (!definite).then(|| "the inertia tensor is not positive definite; check ixx, iyy and izz".into())
}

/// The tensor in the frame of the inertial pose.
pub(super) fn tensor(inertial: &Inertial) -> DMat3 {
    let (m, p) = (inertial.moments, inertial.products);
    DMat3::from_cols_array(&[m.x, p.x, p.y, p.x, m.y, p.z, p.y, p.z, m.z])
}

/// The principal moments of a symmetric tensor and the rotation of their axes, by Jacobi's method: rotates in
/// one plane after the other until the tensor is diagonal.
pub(super) fn principal(mut tensor: DMat3) -> (DVec3, DQuat) {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let turn = turn_in_plane(&tensor, p, q);
            tensor = turn.transpose() * tensor * turn;
            axes *= turn;
        }
        let beside = tensor.x_axis.y.abs() + tensor.x_axis.z.abs() + tensor.y_axis.z.abs();
        if beside <= f64::EPSILON * tensor.x_axis.x.min(tensor.y_axis.y).min(tensor.z_axis.z) {
            break;
        }
    }
    let moments = DVec3::new(tensor.x_axis.x, tensor.y_axis.y, tensor.z_axis.z);
    (moments.max(DVec3::ZERO), DQuat::from_mat3(&axes).normalize())
}

/// The rotation in the plane of two axes after which their product of inertia is zero; the smaller of the
/// two.
fn turn_in_plane(tensor: &DMat3, p: usize, q: usize) -> DMat3 {
    let product = tensor.col(q)[p];
    let mut turn = DMat3::IDENTITY;
    if product == 0.0 {
        return turn;
    }
    let slope = (tensor.col(q)[q] - tensor.col(p)[p]) / (2.0 * product);
    let tangent = 1.0_f64.copysign(slope) / (slope.abs() + (slope * slope + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    turn.col_mut(p)[p] = cosine;
    turn.col_mut(q)[q] = cosine;
    turn.col_mut(q)[p] = sine;
    turn.col_mut(p)[q] = -sine;
    turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_pose::Pose;

    /// The tensor in link axes of the principal moments and axes of an inertia.
    fn rebuilt(inertial: &Inertial) -> DMat3 {
        let (moments, axes) = principal(tensor(inertial));
        let axes = DMat3::from_quat(inertial.pose.rotation * axes);
        axes * DMat3::from_diagonal(moments) * axes.transpose()
    }

    fn assert_same(found: DMat3, expected: DMat3) {
        let error =
            (found - expected).to_cols_array().into_iter().fold(0.0, |sum: f64, one| sum.max(one.abs()));
        let size = expected.x_axis.x + expected.y_axis.y + expected.z_axis.z;
        assert!(error < 1e-14 * size, "{found} is not {expected}");
    }

    #[test]
    fn moments_stay_at_their_axes_whichever_are_equal() {
        for x in [1.0, 2.0, 3.0] {
            for y in [1.0, 2.0, 3.0] {
                for z in [1.0, 2.0, 3.0] {
                    let moments = DVec3::new(x, y, z);
                    let inertial = Inertial { moments, ..Inertial::default() };
                    assert_eq!(principal(tensor(&inertial)).0, moments);
                    assert_same(rebuilt(&inertial), DMat3::from_diagonal(moments));
                }
            }
        }
    }

    #[test]
    fn a_tensor_in_turned_axes_stays_the_same_tensor() {
        let turns = [(0.3, -0.7, 1.9), (0.0, 0.0, 0.785), (1e-9, 0.0, 0.0), (3.0, 1.5, -2.0)];
        let all =
            [[0.04, 0.02, 0.02], [0.02, 0.04, 0.04], [1.0, 1.0, 1.0], [1.0, 2.0, 2.5], [1e-9, 1e-9, 1.9e-9]];
        for (roll, pitch, yaw) in turns {
            for moments in all.map(DVec3::from_array) {
                let axes = DMat3::from_quat(Pose::from_rpy(DVec3::ZERO, roll, pitch, yaw).rotation);
                let turned = axes * DMat3::from_diagonal(moments) * axes.transpose();
                let diagonal = DVec3::new(turned.x_axis.x, turned.y_axis.y, turned.z_axis.z);
                let products = DVec3::new(turned.x_axis.y, turned.x_axis.z, turned.y_axis.z);
                let by_products = Inertial { moments: diagonal, products, ..Inertial::default() };
                assert_same(rebuilt(&by_products), turned);
                let pose = Pose::from_rpy(DVec3::ZERO, roll, pitch, yaw);
                assert_same(rebuilt(&Inertial { moments, pose, ..Inertial::default() }), turned);
            }
        }
    }
}

//! A vehicle as one body: its mass, its inertia, and its rotation. Pure.

use bridgehead_plugin_api::host::{Body, Pose};
use bridgehead_plugin_api::vector::{Vector, add, cross, dot, scale, sub, unit};
use serde::{Deserialize, Serialize};

/// Rows of a matrix.
pub(crate) type Matrix = [Vector; 3];

/// The columns of a rotation: the axes of a frame in another one.
pub(crate) type Axes = [Vector; 3];

/// `matrix · vector`.
pub(crate) fn times(matrix: &Matrix, vector: Vector) -> Vector {
    matrix.map(|row| dot(row, vector))
}

/// The axes of a pose.
pub(crate) fn axes(pose: &Pose) -> Axes {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| pose.rotate(axis))
}

/// Mass, centre of mass and inertia of links together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MassProperties {
    /// Kilograms.
    pub(crate) mass: f64,
    /// Centre of mass, frame of the base.
    pub(crate) center: Vector,
    /// About the centre of mass, axes of the base, kg m².
    pub(crate) inertia: Matrix,
}

impl MassProperties {
    /// Adds up links by their poses in the world, seen from the base.
    pub(crate) fn of(links: &[(Body, Pose)], base: &Pose) -> Self {
        let centers: Vec<Vector> = links.iter().map(|(body, pose)| seen(base, body.center, pose)).collect();
        let mass: f64 = links.iter().map(|(body, _)| body.mass).sum();
        let moment = links
            .iter()
            .zip(&centers)
            .fold([0.0; 3], |sum, ((body, _), center)| add(sum, scale(*center, body.mass)));
        let center = if mass > 0.0 { scale(moment, 1.0 / mass) } else { [0.0; 3] };
        let mut inertia = [[0.0; 3]; 3];
        for ((body, pose), own) in links.iter().zip(&centers) {
            let turned = axes(pose).map(|axis| base.rotate_inverse(axis));
            let arm = sub(*own, center);
            let tensor = body.tensor();
            for (row, values) in inertia.iter_mut().enumerate() {
                for (column, value) in values.iter_mut().enumerate() {
                    // The tensor in the axes of the base, and the part of the arm (parallel axis theorem).
                    let of_axes: f64 = (0..9)
                        .map(|at| turned[at / 3][row] * tensor[at / 3][at % 3] * turned[at % 3][column])
                        .sum();
                    let diagonal = if row == column { dot(arm, arm) } else { 0.0 };
                    *value += of_axes + body.mass * (diagonal - arm[row] * arm[column]);
                }
            }
        }
        MassProperties { mass, center, inertia }
    }
}

/// A point of a link at `pose`, in the frame of the base.
pub(crate) fn seen(base: &Pose, point: Vector, pose: &Pose) -> Vector {
    base.rotate_inverse(sub(add(pose.position, pose.rotate(point)), base.position))
}

/// The error of an attitude, ½ (R_dᵀ R - Rᵀ R_d)^∨ (Lee, Leok and McClamroch, Geometric Tracking Control of a Quadrotor UAV
/// on SE(3) (2010), equation 8), for the axes R of a body and the wanted ones R_d.
pub(crate) fn attitude_error(body: &Axes, wanted: &Axes) -> Vector {
    let sum = (0..3).fold([0.0; 3], |sum, index| {
        // In the frame of the body: Rᵀ (w × b) summed over the axes.
        add(sum, cross(wanted[index], body[index]))
    });
    body.map(|axis| 0.5 * dot(axis, sum))
}

/// Below this square of the sine between them, two axes count as parallel (Gazebo's `LeeVelocityController.cc`).
const PARALLEL: f64 = 1e-3;

/// The axes whose z is the direction of a thrust and whose x is as close as possible to that of the body, or to its y if
/// the thrust is along x; `None` if the thrust has no direction.
pub(crate) fn wanted_axes(body: &Axes, thrust: Vector) -> Option<Axes> {
    let z = unit(thrust)?;
    let across = body.map(|axis| cross(z, axis));
    let y = across.into_iter().find(|y| dot(*y, *y) >= PARALLEL).and_then(unit)?;
    Some([cross(y, z), y, z])
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{EntityId, LinkId};

    fn about_z(angle: f64) -> Axes {
        let (sin, cos) = angle.sin_cos();
        [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]]
    }

    #[test]
    fn the_error_of_an_attitude_is_the_sine_about_its_axis() {
        let error = attitude_error(&about_z(0.3), &about_z(0.1));
        assert!(
            (error[2] - 0.2_f64.sin()).abs() < 1e-12 && error[0].abs() + error[1].abs() < 1e-12,
            "{error:?}"
        );
        assert_eq!(attitude_error(&about_z(0.3), &about_z(0.3)), [0.0; 3]);
        // Pitched too far: back about y.
        let (sin, cos) = 0.2_f64.sin_cos();
        let pitched = [[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]];
        let error = attitude_error(&pitched, &about_z(0.0));
        assert!((error[1] - sin).abs() < 1e-12, "{error:?}");
    }

    #[test]
    fn wanted_axes_are_a_rotation_with_the_heading_of_the_body() {
        let [x, y, z] = wanted_axes(&about_z(0.5), [1.0, 2.0, 9.0]).expect("axes");
        assert!((dot(cross(x, y), z) - 1.0).abs() < 1e-12 && dot(y, about_z(0.5)[0]).abs() < 1e-12);
        assert_eq!(wanted_axes(&about_z(0.5), [0.0; 3]), None);
        // Along x of the body: y stands in for x.
        let [x, y, z] = wanted_axes(&about_z(0.0), [1.0, 0.0, 0.01]).expect("axes");
        assert!((x[1] - 1.0).abs() < 1e-12 && y[2] > 0.999 && z[0] > 0.999, "{x:?} {y:?} {z:?}");
    }

    #[test]
    fn two_points_of_mass_are_a_dumbbell() {
        let ball = |x: f64| {
            let body = Body {
                link: LinkId(0),
                name: String::new(),
                entity: EntityId(1),
                moves: true,
                is_in_wind: false,
                has_gravity: true,
                mass: 2.0,
                center: [0.0, 0.0, 1.0],
                inertia: [0.1, 0.2, 0.3, 0.0, 0.0, 0.0],
            };
            (body, Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY })
        };
        let whole = MassProperties::of(
            &[ball(0.0), ball(3.0)],
            &Pose { position: [1.0, 0.0, 0.0], ..Pose::IDENTITY },
        );
        assert_eq!((whole.mass, whole.center), (4.0, [0.5, 0.0, 1.0]));
        let expected = [[0.2, 0.0, 0.0], [0.0, 0.4 + 9.0, 0.0], [0.0, 0.0, 0.6 + 9.0]];
        let flat = |matrix: Matrix| matrix.concat();
        assert!(
            flat(whole.inertia).iter().zip(flat(expected)).all(|(a, b)| (a - b).abs() < 1e-12),
            "{whole:?}"
        );
    }
}

//! The shapes of geoms: their volumes and moments of inertia. Lengths in metres; all but planes and meshes are centred.

use bridgehead_pose::{DMat3, DVec3};
use std::f64::consts::PI;

/// The shape of a geom, with the sizes of MJCF: radii and halves of lengths.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// The plane z = 0, with halves of the sides that are drawn; 0 for an infinite side.
    Plane {
        half: [f64; 2],
    },
    Sphere {
        radius: f64,
    },
    Capsule {
        radius: f64,
        half: f64,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    Box {
        half: DVec3,
    },
    Ellipsoid {
        radii: DVec3,
    },
    /// A mesh of the assets, by its index.
    Mesh {
        mesh: usize,
    },
}

impl Shape {
    /// Cubic metres; `None` for a mesh, whose file is not read here.
    pub(crate) fn volume(&self) -> Option<f64> {
        Some(match self {
            Self::Plane { .. } => 0.0,
            Self::Sphere { radius } => ball(*radius),
            Self::Capsule { radius, half } => ball(*radius) + tube(*radius, *half),
            Self::Cylinder { radius, half } => tube(*radius, *half),
            Self::Box { half } => 8.0 * half.x * half.y * half.z,
            Self::Ellipsoid { radii } => 4.0 / 3.0 * PI * radii.x * radii.y * radii.z,
            Self::Mesh { .. } => return None,
        })
    }

    /// Moments of inertia about the centre, kg·m², for a mass in kg; the axes of the shape are principal axes.
    pub(crate) fn moments(&self, mass: f64) -> DMat3 {
        let diagonal = match self {
            Self::Plane { .. } | Self::Mesh { .. } => DVec3::ZERO,
            Self::Sphere { radius } => DVec3::splat(0.4 * mass * radius * radius),
            Self::Cylinder { radius, half } => cylinder(mass, *radius, *half),
            Self::Capsule { radius, half } => {
                let share = ball(*radius) / (ball(*radius) + tube(*radius, *half));
                let caps = mass * share;
                // Two half balls, each with its centre of mass 3/8 of the radius outside of the cylinder's end.
                let across = caps * (0.4 * radius * radius + half * half + 0.75 * half * radius);
                let along = 0.4 * caps * radius * radius;
                cylinder(mass - caps, *radius, *half) + DVec3::new(across, across, along)
            }
            Self::Box { half } => thirds(mass / 3.0, *half),
            Self::Ellipsoid { radii } => thirds(mass / 5.0, *radii),
        };
        DMat3::from_diagonal(diagonal)
    }
}

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

fn tube(radius: f64, half: f64) -> f64 {
    PI * radius * radius * 2.0 * half
}

fn cylinder(mass: f64, radius: f64, half: f64) -> DVec3 {
    let across = mass * (radius * radius / 4.0 + half * half / 3.0);
    DVec3::new(across, across, mass * radius * radius / 2.0)
}

fn thirds(factor: f64, half: DVec3) -> DVec3 {
    let square = half * half;
    factor * DVec3::new(square.y + square.z, square.x + square.z, square.x + square.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_of_no_length_is_a_ball_and_a_box_of_equal_sides_a_cube() {
        let ball = Shape::Sphere { radius: 0.5 };
        let capsule = Shape::Capsule { radius: 0.5, half: 0.0 };
        assert_eq!(ball.volume(), capsule.volume());
        assert!((ball.moments(2.0).x_axis - capsule.moments(2.0).x_axis).length() < 1e-15);
        let cube = Shape::Box { half: DVec3::splat(0.5) };
        assert_eq!(cube.volume(), Some(1.0));
        assert!((cube.moments(6.0).z_axis.z - 1.0).abs() < 1e-15);
    }
}

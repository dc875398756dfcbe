//! Vectors, rotations and inertias beyond what glam has. Only `+ - * / sqrt` and libm, so that every build and every
//! machine computes the same bits.

use glam::{DMat3, DQuat, DVec3};

/// An angular and a linear part, in world axes: a velocity, an acceleration or a force with its torque, at the origin of
/// a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Spatial {
    pub(crate) angular: DVec3,
    pub(crate) linear: DVec3,
}

impl Spatial {
    pub(crate) const ZERO: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    pub(crate) fn new(angular: DVec3, linear: DVec3) -> Self {
        Self { angular, linear }
    }

    #[inline]
    pub(crate) fn dot(self, other: Self) -> f64 {
        self.angular.dot(other.angular) + self.linear.dot(other.linear)
    }

    /// The change of a motion that moves along with this one.
    #[inline]
    pub(crate) fn cross(self, motion: Self) -> Self {
        Self {
            angular: self.angular.cross(motion.angular),
            linear: self.angular.cross(motion.linear) + self.linear.cross(motion.angular),
        }
    }

    /// The change of a momentum that moves along with this motion.
    #[inline]
    pub(crate) fn cross_force(self, force: Self) -> Self {
        Self {
            angular: self.angular.cross(force.angular) + self.linear.cross(force.linear),
            linear: self.angular.cross(force.linear),
        }
    }
}

impl std::ops::Add for Spatial {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl std::ops::Sub for Spatial {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { angular: self.angular - other.angular, linear: self.linear - other.linear }
    }
}

impl std::ops::Mul<f64> for Spatial {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self { angular: self.angular * factor, linear: self.linear * factor }
    }
}

/// A symmetric matrix: its diagonal, and xy, xz, yz.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Symmetric {
    diagonal: DVec3,
    beside: DVec3,
}

impl Symmetric {
    /// A tensor with these principal moments in the axes of a rotation.
    #[inline]
    pub(crate) fn turned(axes: &DMat3, moments: DVec3) -> Self {
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
        let [a, b, c] = [x * moments.x, y * moments.y, z * moments.z];
        Self {
            diagonal: a * x + b * y + c * z,
            beside: DVec3::new(
                a.x * x.y + b.x * y.y + c.x * z.y,
                a.x * x.z + b.x * y.z + c.x * z.z,
                a.y * x.z + b.y * y.z + c.y * z.z,
            ),
        }
    }

    /// The same tensor of a body whose centre of mass is at `center`, about the origin.
    #[inline]
    fn shifted(mut self, mass: f64, center: DVec3) -> Self {
        let (h, squares) = (center * mass, center * center * mass);
        self.diagonal += DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y);
        self.beside -= DVec3::new(h.x * center.y, h.x * center.z, h.y * center.z);
        self
    }

    #[inline]
    fn times(&self, v: DVec3) -> DVec3 {
        let (d, b) = (self.diagonal, self.beside);
        DVec3::new(
            d.x * v.x + b.x * v.y + b.y * v.z,
            b.x * v.x + d.y * v.y + b.z * v.z,
            b.y * v.x + b.z * v.y + d.z * v.z,
        )
    }

    /// Column `index` below and on the diagonal, for the rows of a mass matrix.
    #[inline]
    pub(crate) fn rows(&self) -> [[f64; 3]; 3] {
        let (d, b) = (self.diagonal, self.beside);
        [[d.x, 0.0, 0.0], [b.x, d.y, 0.0], [b.y, b.z, d.z]]
    }
}

/// The inertia of one or several bodies about the origin of their tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inertia {
    pub(crate) mass: f64,
    /// Mass times centre.
    pub(crate) first: DVec3,
    pub(crate) second: Symmetric,
}

impl Inertia {
    /// That of a body with its centre of mass at `center` and principal moments in the axes of a rotation.
    #[inline]
    pub(crate) fn of_body(mass: f64, center: DVec3, axes: &DMat3, moments: DVec3) -> Self {
        let second = Symmetric::turned(axes, moments).shifted(mass, center);
        Self { mass, first: center * mass, second }
    }

    /// The momentum of a motion.
    #[inline]
    pub(crate) fn times(&self, motion: Spatial) -> Spatial {
        Spatial {
            angular: self.second.times(motion.angular) + self.first.cross(motion.linear),
            linear: motion.linear * self.mass + motion.angular.cross(self.first),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.first += other.first;
        self.second.diagonal += other.second.diagonal;
        self.second.beside += other.second.beside;
    }
}

/// The rotation by a vector: its length is the angle, its direction the axis.
#[inline]
pub(crate) fn rotation_by(vector: DVec3) -> DQuat {
    let half = vector * 0.5;
    let square = half.length_squared();
    // Below a hundredth of a radian the series are exact to the last bit.
    let (sine_over_angle, cosine) = if square < 1e-4 {
        let (four, six) = (square * square, square * square * square);
        (1.0 - square / 6.0 + four / 120.0 - six / 5040.0, 1.0 - square / 2.0 + four / 24.0 - six / 720.0)
    } else {
        let angle = square.sqrt();
        let (sine, cosine) = libm::sincos(angle);
        (sine / angle, cosine)
    };
    let v = half * sine_over_angle;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// The rotation about an axis of length one.
#[inline]
pub(crate) fn rotation_about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(angle * 0.5);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The vector of a rotation, of length up to π, exact for small ones: twice the vector part, corrected by the angle.
pub(crate) fn vector_of(rotation: DQuat) -> DVec3 {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let vector = rotation.xyz() * sign;
    let sine = vector.length();
    if sine < 1e-6 {
        return vector * 2.0;
    }
    vector * (2.0 * libm::atan2(sine, rotation.w * sign) / sine)
}

/// A quaternion scaled to length one.
#[inline]
pub(crate) fn unit(rotation: DQuat) -> DQuat {
    let scale = 1.0 / rotation.length_squared().sqrt();
    DQuat::from_xyzw(rotation.x * scale, rotation.y * scale, rotation.z * scale, rotation.w * scale)
}

/// A direction across a direction of length one, the same for the same one.
#[inline]
pub(crate) fn across(normal: DVec3) -> DVec3 {
    let start = if normal.x.abs() < 0.6 { DVec3::X } else { DVec3::Y };
    let tangent = start - normal * normal.dot(start);
    tangent * (1.0 / tangent.length())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_by_small_and_large_vectors_agree_with_those_about_an_axis() {
        let axis = DVec3::new(1.0, -2.0, 0.5).normalize();
        for angle in [1e-9, 1e-3, 0.0199, 0.0201, 0.5, 3.0] {
            let (by, about) = (rotation_by(axis * angle), rotation_about(axis, angle));
            assert!((by - about).length() < 1e-15, "{angle}: {by} {about}");
            assert!((vector_of(by) - axis * angle).length() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn an_inertia_gives_the_momentum_of_its_body() {
        let axes = DMat3::from_quat(rotation_by(DVec3::new(0.3, -1.0, 0.4)));
        let (mass, center, moments) = (2.0, DVec3::new(0.1, 0.2, -0.3), DVec3::new(0.4, 0.5, 0.2));
        let motion = Spatial::new(DVec3::new(1.0, 2.0, 3.0), DVec3::new(-1.0, 0.5, 0.0));
        let momentum = Inertia::of_body(mass, center, &axes, moments).times(motion);
        let linear = (motion.linear + motion.angular.cross(center)) * mass;
        let angular = axes * (moments * (axes.transpose() * motion.angular)) + center.cross(linear);
        assert!((momentum.linear - linear).length() < 1e-14);
        assert!((momentum.angular - angular).length() < 1e-14);
    }
}

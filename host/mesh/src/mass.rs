//! Mass, centre and inertia of what a closed surface encloses, for `<inertial auto="true">`.
//!
//! Each triangle makes a tetrahedron with one point; those seen from inside count negatively, so that what is outside
//! cancels (divergence theorem). That point is the middle of the mesh, so that little is lost far from the origin.

use glam::{DMat3, DVec3};

use crate::{Mesh, MeshError};

/// A solid of even density, in the axes of its mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// kg.
    pub mass: f64,
    /// m³.
    pub volume: f64,
    /// Centre of mass, metres.
    pub centre: DVec3,
    /// Moments of inertia on the diagonal and the negative products beside it, about the centre of mass, kg m².
    pub inertia: DMat3,
}

/// Of the box around a mesh, how much must be enclosed to be more than what rounding leaves of a flat one.
const LEAST_SHARE: f64 = 1e-12;

impl Mesh {
    /// What it weighs if it is filled with `density` kg/m³; it must be closed. Facing inwards or outwards is the same.
    ///
    /// # Errors
    /// Where it encloses nothing, or the density is not a finite number above 0.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MeshError> {
        if !(density.is_finite() && density > 0.0) {
            let expected = "a finite number above 0, in kg/m³";
            return Err(MeshError::Setting { name: "density", found: density.to_string(), expected });
        }
        let [low, high] = self.bounds();
        let middle = low.midpoint(high);
        let integrals = self.integrals(middle);
        let volume = integrals.volume;
        let size = (high - low).max_element().powi(3);
        if volume.is_nan() || volume.abs() <= LEAST_SHARE * size {
            return Err(MeshError::NoVolume { volume });
        }
        let offset = integrals.first / volume;
        let second = (integrals.second - outer(offset) * volume) * (density * volume.signum());
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        let volume = volume.abs();
        Ok(MassProperties { mass: density * volume, volume, centre: middle + offset, inertia })
    }

    /// About a point; negative where the triangles face inwards.
    fn integrals(&self, about: DVec3) -> Integrals {
        let mut sums = Integrals { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };
        for corners in self.triangles.iter().filter_map(|triangle| self.corners(triangle)) {
            let [a, b, c] = corners.map(|corner| corner - about);
            let six = a.dot(b.cross(c));
            let sum = a + b + c;
            sums.volume += six / 6.0;
            sums.first += sum * (six / 24.0);
            sums.second += (outer(a) + outer(b) + outer(c) + outer(sum)) * (six / 120.0);
        }
        sums
    }
}

/// Integrals of 1, of the position, and of the position times itself.
struct Integrals {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

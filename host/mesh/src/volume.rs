//! Volume, centre and inertia of a closed surface, for `<inertial auto="true">`.
//!
//! Each triangle forms a tetrahedron with the origin. Those seen from inside count negatively, so that what
//! is outside cancels (divergence theorem).

use bridgehead_pose::{DMat3, DVec3};

use super::Triangles;

/// The solid that a closed surface encloses, of density 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// m³; negative if the triangles face inwards.
    pub volume: f64,
    /// Its centre, metres.
    pub centre: DVec3,
    /// Moments and products of inertia about the centre for a density of 1 kg/m³, kg m².
    pub inertia: DMat3,
}

impl Triangles {
    /// Returns the enclosed solid; meaningless if the surface has holes.
    #[must_use]
    pub fn volume(&self) -> Volume {
        // Integrals of 1, of the position, and of the position times itself.
        let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for corners in &self.indices {
            let [a, b, c] = corners.map(|index| self.points[index as usize]);
            let six = a.dot(b.cross(c));
            let sum = a + b + c;
            volume += six / 6.0;
            first += sum * (six / 24.0);
            second += (outer(a) + outer(b) + outer(c) + outer(sum)) * (six / 120.0);
        }
        let centre = if volume == 0.0 { DVec3::ZERO } else { first / volume };
        let about_centre = second - outer(centre) * volume;
        let trace = about_centre.x_axis.x + about_centre.y_axis.y + about_centre.z_axis.z;
        Volume { volume, centre, inertia: DMat3::from_diagonal(DVec3::splat(trace)) - about_centre }
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

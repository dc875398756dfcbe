//! Masses and moments of inertia, and replacements for impossible ones.

use super::Reader;
use super::value::Range;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::urdf::robot::{Inertial, Origin};
use std::f64::consts::PI;

/// Density of water, kg/m³; the default density of SDF too.
const DENSITY: f64 = 1000.0;

/// Mass of a moving body without a mass in the file, kg.
const SMALL_MASS: f64 = 0.01;

/// Relative error that is tolerated, for files with few digits; the SDF reader forgives as much.
const ROUNDING: f64 = 1e-6;

impl Inertial {
    /// The inertia of a moving link without mass: that of a small ball.
    pub(crate) fn small() -> Self {
        Self { mass: SMALL_MASS, origin: Origin::default(), moments: ball(SMALL_MASS) }
    }
}

impl<'d> Reader<'d> {
    /// The `<inertial>` of a link; `None` without one and without a mass above 0.
    pub(super) fn inertial(&mut self, link: Element<'d>) -> Option<Inertial> {
        let element = self.single(link, "inertial")?;
        self.check_known(element);
        let mass = self.mass(element)?;
        let origin = self.origin(element);
        let moments = self.moments(element, mass);
        Some(Inertial { mass, origin, moments })
    }

    fn mass(&mut self, inertial: Element<'d>) -> Option<f64> {
        let Some(element) = self.single(inertial, "mass") else {
            self.error(
                Code::ElementMissing,
                inertial,
                "`<inertial>` without `<mass>`",
                "`<mass value=\"…\"/>`; read as none",
            );
            return None;
        };
        self.check_known(element);
        // Many files use a mass of 0 for a link that is only a frame.
        self.required_number(element, "value", Range::NotNegative).filter(|mass| *mass > 0.0)
    }

    fn moments(&mut self, inertial: Element<'d>, mass: f64) -> [f64; 6] {
        let Some(element) = self.single(inertial, "inertia") else {
            self.error(Code::ElementMissing, inertial, "`<inertial>` without `<inertia>`", BALL_USED);
            return ball(mass);
        };
        self.check_known(element);
        let diagonal = ["ixx", "iyy", "izz"].map(|name| self.required_number(element, name, Range::Finite));
        let products =
            ["ixy", "ixz", "iyz"].map(|name| self.number(element, name, Range::Finite).unwrap_or(0.0));
        let [Some(ixx), Some(iyy), Some(izz)] = diagonal else { return ball(mass) };
        let [ixy, ixz, iyz] = products;
        let moments = [ixx, ixy, ixz, iyy, iyz, izz];
        if is_physical(moments) { moments } else { self.replaced(element, moments, mass) }
    }

    /// Moments in place of those that no body can have.
    fn replaced(&mut self, element: Element<'d>, moments: [f64; 6], mass: f64) -> [f64; 6] {
        let [ixx, ixy, ixz, iyy, iyz, izz] = moments;
        let found = format!("moments {ixx} {iyy} {izz}, products {ixy} {ixz} {iyz} kg·m²");
        let mean = (ixx + iyy + izz) / 3.0;
        if mean.is_finite() && mean > 0.0 && ixx >= 0.0 && iyy >= 0.0 && izz >= 0.0 {
            let expected =
                format!("the inertia of a body; {mean} kg·m² about every axis is used, their mean");
            self.warning(Code::InertiaInvalid, element, found, &expected);
            return [mean, 0.0, 0.0, mean, 0.0, mean];
        }
        self.warning(Code::InertiaInvalid, element, found, BALL_USED);
        ball(mass)
    }
}

const BALL_USED: &str = "the inertia of a body; that of a ball of water of this mass is used";

/// Moments of a ball of water of that mass.
fn ball(mass: f64) -> [f64; 6] {
    let radius = libm::cbrt(3.0 * mass / (4.0 * PI * DENSITY));
    let moment = 0.4 * mass * radius * radius;
    [moment, 0.0, 0.0, moment, 0.0, moment]
}

/// Returns true if a real body can have these moments: positive definite, and no principal moment above the
/// sum of the other two, which means that J = ½·trace(I)·1 − I has no negative eigenvalue.
fn is_physical(moments: [f64; 6]) -> bool {
    let [ixx, ixy, ixz, iyy, iyz, izz] = moments;
    let trace = ixx + iyy + izz;
    let half = trace / 2.0;
    let room = ROUNDING * trace;
    trace > 0.0
        && trace.is_finite()
        && is_positive_definite(moments)
        && minors_at_least([half - ixx, -ixy, -ixz, half - iyy, -iyz, half - izz], room)
}

/// Sylvester: the leading minors are positive. A rod without thickness is refused too, for nothing could turn it.
fn is_positive_definite(moments: [f64; 6]) -> bool {
    let [xx, xy, _, yy, _, _] = moments;
    xx > 0.0 && xx * yy - xy * xy > 0.0 && determinant(moments) > 0.0
}

fn determinant(matrix: [f64; 6]) -> f64 {
    let [xx, xy, xz, yy, yz, zz] = matrix;
    xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
}

/// Returns true if every principal minor of a symmetric matrix, moved up by `room`, is not negative.
fn minors_at_least(matrix: [f64; 6], room: f64) -> bool {
    let [xx, xy, xz, yy, yz, zz] = matrix;
    let (xx, yy, zz) = (xx + room, yy + room, zz + room);
    let determinant = determinant([xx, xy, xz, yy, yz, zz]);
    let pairs = [xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz];
    [xx, yy, zz, determinant].iter().chain(&pairs).all(|minor| *minor >= 0.0)
}

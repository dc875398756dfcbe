//! Lift and drag of a wing by its angle of attack. Pure.
//!
//! Lift L = c_l q A and drag D = c_d q A with the dynamic pressure q = ρ v² / 2 (Anderson, Fundamentals of Aerodynamics,
//! 1.5), and coefficients that are linear in the angle up to a stall and have another slope beyond it, as Gazebo's lift-drag
//! system documents them.

use std::f64::consts::{FRAC_PI_2, PI};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::vector::{across, add, cross, dot, length, scale, unit};

use crate::air::direction;

/// Speed below which there is no force, m/s.
const MIN_SPEED: f64 = 0.01;

/// Its constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wing {
    /// kg/m³.
    density: f64,
    /// m².
    area: f64,
    /// Angle of attack of `forward` itself, rad.
    angle: f64,
    stall: f64,
    /// Slopes of the coefficients of lift and drag, 1/rad, up to and beyond the stall.
    lift: [f64; 2],
    drag: [f64; 2],
    forward: [f64; 3],
    upward: [f64; 3],
    is_radially_symmetric: bool,
}

impl Wing {
    pub(crate) fn read(params: Params) -> Result<Self> {
        let number = |path: &str, default: f64| params.finite_or(path, default);
        // Gazebo reads the moment coefficients and uses none: "cm needs testing".
        for path in ["cma", "cma_stall"] {
            number(path, 0.0)?;
        }
        Ok(Wing {
            density: params.not_negative_or("air_density", 1.2041)?,
            area: params.not_negative_or("area", 1.0)?,
            angle: number("a0", 0.0)?,
            stall: params.not_negative_or("alpha_stall", FRAC_PI_2)?,
            lift: [number("cla", 1.0)?, number("cla_stall", 0.0)?],
            drag: [number("cda", 0.01)?, number("cda_stall", 1.0)?],
            forward: direction(params, "forward", [1.0, 0.0, 0.0])?,
            upward: direction(params, "upward", [0.0, 0.0, 1.0])?,
            is_radially_symmetric: params.get_or("radial_symmetry", false)?,
        })
    }

    /// Returns the force at a velocity relative to the air, both in the frame of the link; `flap` is added to the
    /// coefficient of lift.
    pub(crate) fn force(&self, velocity: [f64; 3], flap: f64) -> [f64; 3] {
        self.force_in_plane(velocity, flap).unwrap_or([0.0; 3])
    }

    fn force_in_plane(&self, velocity: [f64; 3], flap: f64) -> Option<[f64; 3]> {
        if length(velocity) <= MIN_SPEED || dot(self.forward, velocity) <= 0.0 {
            return None;
        }
        let heading = unit(velocity)?;
        let upward = if self.is_radially_symmetric {
            unit(cross(self.forward, cross(self.forward, heading))).unwrap_or(self.upward)
        } else {
            self.upward
        };
        let span = unit(cross(self.forward, upward))?;
        let swept = dot(span, heading).clamp(-1.0, 1.0);
        let in_plane = across(velocity, span);
        let lift = unit(cross(span, in_plane))?;
        let turned = libm::acos(dot(lift, upward).clamp(-1.0, 1.0));
        let alpha = self.angle + if dot(lift, self.forward) >= 0.0 { turned } else { -turned };
        let alpha = alpha - PI * (alpha / PI).round();
        let speed = length(in_plane);
        let pressure = 0.5 * self.density * speed * speed;
        let cosine = 1.0 - swept * swept;
        let (lift_factor, drag_factor) = self.coefficients(alpha);
        let lifted = scale(lift, (lift_factor * cosine + flap) * pressure * self.area);
        let dragged = scale(unit(in_plane)?, -(drag_factor * cosine).abs() * pressure * self.area);
        Some(add(lifted, dragged))
    }

    /// The coefficients of lift and drag at an angle of attack. Lift beyond the stall does not change its sign.
    fn coefficients(&self, alpha: f64) -> (f64, f64) {
        let beyond = (alpha.abs() - self.stall).max(0.0);
        let at = |[slope, after]: [f64; 2]| slope * alpha.abs().min(self.stall) + after * beyond;
        let lift = if beyond > 0.0 { at(self.lift).max(0.0) } else { at(self.lift) };
        (lift * alpha.signum(), at(self.drag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WING: Wing = Wing {
        density: 1.2,
        area: 2.0,
        angle: 0.0,
        stall: 0.3,
        lift: [4.0, -3.0],
        drag: [0.1, 0.5],
        forward: [1.0, 0.0, 0.0],
        upward: [0.0, 0.0, 1.0],
        is_radially_symmetric: false,
    };

    /// The force in the directions of lift and drag, at an angle of attack and 10 m/s.
    fn lift_and_drag(wing: &Wing, alpha: f64) -> (f64, f64) {
        let (sin, cos) = alpha.sin_cos();
        let force = wing.force([10.0 * cos, 0.0, -10.0 * sin], 0.0);
        (dot(force, [sin, 0.0, cos]), -dot(force, [cos, 0.0, -sin]))
    }

    #[track_caller]
    fn assert_forces(found: (f64, f64), expected: (f64, f64)) {
        assert!((found.0 - expected.0).abs() < 1e-9 && (found.1 - expected.1).abs() < 1e-9, "{found:?}");
    }

    /// q A = 1.2 · 100 / 2 · 2.
    const PRESSURE: f64 = 120.0;

    #[test]
    fn lift_and_drag_are_linear_up_to_the_stall() {
        for alpha in [0.05, 0.1, 0.25, 0.3] {
            let expected = (4.0 * alpha * PRESSURE, 0.1 * alpha * PRESSURE);
            assert_forces(lift_and_drag(&WING, alpha), expected);
            assert_forces(lift_and_drag(&WING, -alpha), (-expected.0, expected.1));
        }
        let cambered = Wing { angle: 0.1, ..WING };
        assert_forces(lift_and_drag(&cambered, 0.0), (0.4 * PRESSURE, 0.01 * PRESSURE));
    }

    #[test]
    fn beyond_the_stall_the_slopes_change_and_lift_ends_at_zero() {
        let expected = ((1.2 - 3.0 * 0.2) * PRESSURE, (0.03 + 0.5 * 0.2) * PRESSURE);
        assert_forces(lift_and_drag(&WING, 0.5), expected);
        assert_forces(lift_and_drag(&WING, -0.5), (-expected.0, expected.1));
        assert_forces(lift_and_drag(&WING, 1.0), (0.0, (0.03 + 0.5 * 0.7) * PRESSURE));
    }

    #[test]
    fn a_swept_wing_has_less_and_air_from_behind_does_nothing() {
        let force = WING.force([10.0 * 0.1_f64.cos(), 10.0, -10.0 * 0.1_f64.sin()], 0.0);
        // The air across the wing is not counted, and half of the square of the sine of 45° is lost.
        assert!((length(force) - (0.4_f64.powi(2) + 0.01_f64.powi(2)).sqrt() * PRESSURE / 2.0).abs() < 1e-9);
        assert_eq!(WING.force([-10.0, 0.0, 1.0], 0.0), [0.0; 3]);
        assert_eq!(WING.force([0.005, 0.0, 0.0], 0.0), [0.0; 3]);
        assert_eq!(WING.force([0.0; 3], 0.0), [0.0; 3]);
    }

    #[test]
    fn a_flap_adds_to_the_lift_and_a_symmetric_body_lifts_away_from_the_air() {
        let (lift, _) = lift_and_drag(&WING, 0.0);
        assert!(lift.abs() < 1e-9);
        let flapped = WING.force([10.0, 0.0, 0.0], 0.25);
        assert!((flapped[2] - 0.25 * PRESSURE).abs() < 1e-9, "{flapped:?}");
        let round = Wing { is_radially_symmetric: true, ..WING };
        let (sin, cos) = 0.1_f64.sin_cos();
        for side in [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.6, 0.8]] {
            let force = round.force(add([10.0 * cos, 0.0, 0.0], scale(side, 10.0 * sin)), 0.0);
            assert!((dot(force, side) + (4.0 * cos + 0.1 * sin) * 0.1 * PRESSURE).abs() < 1e-9, "{force:?}");
        }
    }
}

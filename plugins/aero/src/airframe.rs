//! Forces and moments of a whole aircraft from its stability derivatives. Pure.
//!
//! Coefficients are built up as in Stevens, Lewis and Johnson, Aircraft Control and Simulation (2016), 2.3: a steady part,
//! parts linear in sideslip, in the angular velocities made dimensionless with span and chord, and in the deflections of
//! control surfaces. The names and signs of derivatives are those of Athena Vortex Lattice (Drela and Youngren), with x
//! ahead, y to the right and z down. Beyond the stall lift and drag are those of a flat plate, and a sigmoid blends both,
//! as Gazebo's advanced lift-drag system documents it.

use std::f64::consts::{FRAC_PI_2, PI};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::vector::{across, add, cross, dot, length, scale};

use crate::air::direction;

/// Speed below which there is no force, m/s.
const MIN_SPEED: f64 = 1e-9;
/// How suddenly the stall comes, 1/rad.
const BLEND: f64 = 15.0;
/// The drag of a flat plate by its aspect ratio: 2 / (1 + exp(k₁ + k₂ A)), a fit to Ostowari and Naik (1985).
const PLATE: [f64; 2] = [-0.224, -0.115];

/// Coefficients of drag, side force, lift, roll, pitch and yaw, or their derivatives.
pub(crate) type Six = [f64; 6];

/// The names of the six in parameters.
const NAMES: [&str; 6] = ["CD", "CY", "CL", "Cell", "Cem", "Cen"];
const DRAG: usize = 0;
const SIDE: usize = 1;
const LIFT: usize = 2;
const ROLL: usize = 3;
const PITCH: usize = 4;
const YAW: usize = 5;

/// Its constants.
#[derive(Clone, Debug)]
pub(crate) struct Airframe {
    /// kg/m³.
    density: f64,
    /// m².
    area: f64,
    /// Aspect ratio, and Oswald's efficiency.
    aspect: f64,
    efficiency: f64,
    /// Span and mean chord, m.
    span: f64,
    chord: f64,
    stall: f64,
    /// At no angle; only drag, lift and pitch.
    at_rest: Six,
    /// Per angle of attack and of sideslip, rad.
    alpha: Six,
    beta: Six,
    /// Per roll, pitch and yaw rate, dimensionless.
    rates: [Six; 3],
    /// Slope of the pitch coefficient beyond the stall.
    pitch_beyond: f64,
    /// Directions ahead, to the right and down in the frame of the link.
    axes: [[f64; 3]; 3],
}

impl Airframe {
    pub(crate) fn read(params: Params) -> Result<Self> {
        let number = |path: &str| params.finite_or(path, 0.0);
        let six = |suffix: &str, of: &[usize]| -> Result<Six> {
            let mut read = [0.0; 6];
            for index in of {
                read[*index] = number(&format!("{}{suffix}", NAMES[*index]))?;
            }
            Ok(read)
        };
        // Gazebo reads these and uses none of them.
        for unused in ["num_ctrl_surfaces", "radial_symmetry", "control_joint_rad_to_cl"] {
            let _ = params.text(unused);
        }
        for required in ["AR", "eff"] {
            params.require::<f64>(required)?;
        }
        let (area, aspect) = (params.positive_or("area", 1.0)?, params.positive_or("AR", 1.0)?);
        let span = (area * aspect).sqrt();
        let chord = params.not_negative_or("mac", 0.0)?;
        let (ahead, up) =
            (direction(params, "forward", [1.0, 0.0, 0.0])?, direction(params, "upward", [0.0, 0.0, 1.0])?);
        let down = scale(up, -1.0);
        let with_angles = [SIDE, LIFT, ROLL, PITCH, YAW];
        let all = [DRAG, SIDE, LIFT, ROLL, PITCH, YAW];
        Ok(Airframe {
            density: params.not_negative_or("air_density", 1.2041)?,
            area,
            aspect,
            efficiency: params.positive_or("eff", 1.0)?,
            span,
            chord: if chord > 0.0 { chord } else { area / span },
            stall: params.not_negative_or("alpha_stall", FRAC_PI_2)?,
            at_rest: six("0", &[DRAG, LIFT, PITCH])?,
            alpha: six("a", &with_angles)?,
            beta: six("b", &with_angles)?,
            rates: [six("p", &all)?, six("q", &all)?, six("r", &all)?],
            pitch_beyond: number("Cema_stall")?,
            axes: [ahead, cross(down, ahead), down],
        })
    }

    /// Returns force and torque in the frame of the link, at a velocity relative to the air and an angular velocity there.
    /// `surfaces` is what the control surfaces add to the coefficients.
    pub(crate) fn wrench(
        &self,
        velocity: [f64; 3],
        angular: [f64; 3],
        surfaces: &Six,
    ) -> Option<([f64; 3], [f64; 3])> {
        let [ahead, right, down] = self.axes;
        let in_plane = across(velocity, right);
        let speed = length(in_plane);
        if speed <= MIN_SPEED {
            return None;
        }
        let heading = scale(in_plane, 1.0 / speed);
        let alpha = libm::atan2(dot(heading, down), dot(heading, ahead));
        let beta = libm::atan2(dot(velocity, right), dot(velocity, ahead));
        let pressure = 0.5 * self.density * speed * speed;
        let steady = self.coefficients(alpha, beta, surfaces);
        let turning = self.turning(angular);
        // The rates are made dimensionless with the speed, so one power of it is left.
        let all: Six = std::array::from_fn(|index| {
            self.area * (steady[index] * pressure + turning[index] * 0.5 * self.density * speed)
        });
        let downward = cross(heading, right);
        let force =
            add(add(scale(heading, -all[DRAG]), scale(right, all[SIDE])), scale(downward, -all[LIFT]));
        let torque = add(
            add(scale(ahead, all[ROLL] * self.span), scale(right, all[PITCH] * self.chord)),
            scale(down, all[YAW] * self.span),
        );
        Some((force, torque))
    }

    /// The coefficients at angles of attack and sideslip, without rotation.
    fn coefficients(&self, alpha: f64, beta: f64, surfaces: &Six) -> Six {
        let mut all: Six = std::array::from_fn(|index| {
            self.at_rest[index] + self.alpha[index] * alpha + self.beta[index] * beta + surfaces[index]
        });
        let (sin, cos) = libm::sincos(alpha);
        let stalled = self.stalled(alpha);
        let plate_lift = 2.0 * alpha.signum() * sin * sin * cos;
        all[LIFT] = (1.0 - stalled) * (self.at_rest[LIFT] + self.alpha[LIFT] * alpha)
            + stalled * plate_lift
            + self.beta[LIFT] * beta
            + surfaces[LIFT];
        let induced = all[LIFT] * all[LIFT] / (PI * self.aspect * self.efficiency);
        let plate = 2.0 / (1.0 + libm::exp(PLATE[0] + PLATE[1] * self.aspect.max(1.0 / self.aspect)));
        all[DRAG] =
            (1.0 - stalled) * (self.at_rest[DRAG] + induced) + stalled * plate * sin * sin + surfaces[DRAG];
        let beyond = (alpha.abs() - self.stall).max(0.0) * alpha.signum();
        all[PITCH] += (self.pitch_beyond - self.alpha[PITCH]) * beyond;
        all
    }

    /// 0 before the stall, 1 beyond it.
    fn stalled(&self, alpha: f64) -> f64 {
        let below = libm::exp(-BLEND * (alpha - self.stall));
        let above = libm::exp(BLEND * (alpha + self.stall));
        // 1 minus the product of two sigmoids; written so that large exponents cancel.
        1.0 - (1.0 / (1.0 + 1.0 / below)) * (1.0 / (1.0 + 1.0 / above))
    }

    /// What an angular velocity adds to the coefficients, times the speed.
    fn turning(&self, angular: [f64; 3]) -> Six {
        let lengths = [self.span, self.chord, self.span];
        std::array::from_fn(|index| {
            let of =
                |axis: usize| self.rates[axis][index] * dot(angular, self.axes[axis]) * lengths[axis] / 2.0;
            of(0) + of(1) + of(2)
        })
    }
}

/// A control surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// Per degree of its joint.
    pub(crate) effect: Six,
}

impl Surface {
    pub(crate) fn read(params: Params, path: &str) -> Result<Self> {
        let direction = params.finite_or(&format!("{path}/direction"), 1.0)?;
        let mut effect = [0.0; 6];
        for (value, name) in effect.iter_mut().zip(NAMES) {
            *value = direction * params.finite_or(&format!("{path}/{name}_ctrl"), 0.0)?;
        }
        Ok(Surface { effect })
    }
}

#[cfg(test)]
mod tests;

//! The hydrodynamic derivatives of a link. Plain values.
//!
//! Their names are those of SNAME (Technical and Research Bulletin 1-5, 1950) as Gazebo writes them: `xU` is the force
//! along x per velocity u along x, `xUabsU` per u |u|, `xUU` per u², `xDotU` per acceleration; `k`, `m`, `n` are torques,
//! and `P`, `Q`, `R` angular velocities about the same axes.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::Params;
use bridgehead_plugin_api::vector::add;

use super::coriolis;
use crate::matrix::{Matrix, Six, halves, times};

/// Forces along and torques about the axes.
const FORCES: [char; 6] = ['x', 'y', 'z', 'k', 'm', 'n'];
/// Velocities along and about the axes.
const VELOCITIES: [char; 6] = ['U', 'V', 'W', 'P', 'Q', 'R'];
/// The parameters of the diagonal of the added mass.
pub(super) const DIAGONAL: [&str; 6] = ["xDotU", "yDotV", "zDotW", "kDotP", "mDotQ", "nDotR"];

/// A force that is quadratic in the velocity.
struct Quadratic {
    force: usize,
    velocities: [usize; 2],
    /// Whether the amount of the second velocity counts.
    is_absolute: bool,
    value: f64,
}

/// Everything that the water does.
pub(super) struct Coefficients {
    /// M_A: the derivatives of the acceleration, with the opposite sign.
    pub(super) added_mass: Matrix,
    linear: Matrix,
    quadratic: Vec<Quadratic>,
    has_coriolis: bool,
}

impl Coefficients {
    pub(super) fn read(params: Params) -> Result<Self> {
        let has_added_mass = !params.get_or("disable_added_mass", false)?;
        let has_coriolis = !params.get_or("disable_coriolis", false)?;
        let (mut added_mass, mut linear) = ([[0.0; 6]; 6], [[0.0; 6]; 6]);
        let mut quadratic = Vec::new();
        for (row, force) in FORCES.iter().enumerate() {
            for (column, first) in VELOCITIES.iter().enumerate() {
                let derivative = params.finite_or(&format!("{force}Dot{first}"), 0.0)?;
                added_mass[row][column] = if has_added_mass { -derivative } else { 0.0 };
                linear[row][column] = params.finite_or(&format!("{force}{first}"), 0.0)?;
                for (other, second) in VELOCITIES.iter().enumerate() {
                    for (word, is_absolute) in [("abs", true), ("", false)] {
                        let value = params.finite_or(&format!("{force}{first}{word}{second}"), 0.0)?;
                        if value != 0.0 {
                            let velocities = [column, other];
                            quadratic.push(Quadratic { force: row, velocities, is_absolute, value });
                        }
                    }
                }
            }
        }
        Ok(Coefficients { added_mass, linear, quadratic, has_coriolis })
    }

    pub(super) fn has_added_mass(&self) -> bool {
        self.added_mass != [[0.0; 6]; 6]
    }

    /// Damping and Coriolis forces at a velocity, link frame: force and torque.
    pub(super) fn wrench(&self, velocity: &Six) -> ([f64; 3], [f64; 3]) {
        let mut damping = times(&self.linear, velocity);
        for term in &self.quadratic {
            let [first, second] = term.velocities.map(|axis| velocity[axis]);
            let second = if term.is_absolute { second.abs() } else { second };
            damping[term.force] += term.value * first * second;
        }
        let (force, torque) = halves(&damping);
        if !(self.has_coriolis && self.has_added_mass()) {
            return (force, torque);
        }
        let (linear, angular) = halves(&times(&self.added_mass, velocity));
        let (coriolis_force, coriolis_torque) = coriolis(linear, angular, velocity);
        (add(force, coriolis_force), add(torque, coriolis_torque))
    }
}

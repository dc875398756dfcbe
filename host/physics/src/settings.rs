//! The settings of the physics and their translation for rapier.
//!
//! The defaults suit robots: a stack of ten half-metre cubes of one kilogram sinks by less than a tenth of a
//! millimetre. With rapier's defaults, made for games, it sinks by 25 mm. Plain values.

use bridgehead_sdf::pose::DVec3;
use rapier3d_f64::dynamics::{IntegrationParameters, SpringCoefficients};

use serde::{Deserialize, Serialize};

use super::error::PhysicsError;

/// The default of [`Settings::overlap_speed`], m/s. DART, the usual engine of Gazebo, pushes bodies apart at 1 mm/s
/// (`DART_MAX_ERV` in its `constraint/ContactConstraint.cpp`).
pub const OVERLAP_SPEED: f64 = 0.005;

/// The parameters of stepping.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The length of a step, seconds (SDF `max_step_size`).
    pub step: f64,
    /// The number of equal substeps in a step.
    pub substeps: u32,
    /// Solver iterations in a substep, which divide it further; fewer are faster and less accurate.
    pub solver_iterations: usize,
    /// Additional iterations for bodies that chains or loops of joints connect, and for those that touch them.
    pub chain_iterations: usize,
    /// Sweeps over all contacts and joints in an iteration, and again as many without corrections of positions. With one
    /// sweep, impacts with friction gain or lose energy.
    pub sweeps: usize,
    /// m/s² in the world.
    pub gravity: DVec3,
    /// The stiffness of contacts as a natural frequency, hertz; lowered to what the step can resolve.
    pub contact_frequency: f64,
    /// The damping of contacts as a ratio of critical damping.
    pub contact_damping_ratio: f64,
    /// The speed at which bodies that are placed in each other are pushed apart, m/s.
    pub overlap_speed: f64,
    /// True if bodies at rest are not simulated until something touches or commands them.
    pub sleeping: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 0.001,
            substeps: 1,
            solver_iterations: 1,
            chain_iterations: 2,
            sweeps: 4,
            gravity: DVec3::new(0.0, 0.0, -9.8),
            contact_frequency: 500.0,
            contact_damping_ratio: 10.0,
            overlap_speed: OVERLAP_SPEED,
            sleeping: true,
        }
    }
}

impl Settings {
    /// The length of a substep, seconds.
    pub(super) fn substep(&self) -> f64 {
        self.step / f64::from(self.substeps.max(1))
    }

    pub(super) fn check(&self) -> Result<(), PhysicsError> {
        let positive = [
            ("the step", self.step),
            ("the number of substeps", f64::from(self.substeps)),
            ("the contact frequency", self.contact_frequency),
            ("the contact damping ratio", self.contact_damping_ratio),
            ("the overlap speed", self.overlap_speed),
        ];
        let bad = positive.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0));
        if let Some((name, found)) = bad {
            return Err(PhysicsError::BadSetting { name, wanted: "positive and finite", found });
        }
        let counts = [
            ("the number of solver iterations", self.solver_iterations),
            ("the number of sweeps", self.sweeps),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(PhysicsError::BadSetting { name, wanted: "1 or more", found: 0.0 });
        }
        let gravity = self.gravity.to_array().into_iter().find(|value| !value.is_finite());
        gravity.map_or(Ok(()), |found| {
            Err(PhysicsError::BadSetting { name: "gravity", wanted: "finite", found })
        })
    }

    pub(super) fn parameters(&self) -> IntegrationParameters {
        let dt = self.substep();
        let softness = |frequency| SpringCoefficients {
            natural_frequency: frequency,
            damping_ratio: self.contact_damping_ratio,
        };
        // Above half the step rate a contact overshoots within one step.
        let frequency = self.contact_frequency.min(0.5 / dt);
        IntegrationParameters {
            dt,
            num_solver_iterations: self.solver_iterations,
            num_internal_pgs_iterations: self.sweeps,
            num_internal_stabilization_iterations: self.sweeps,
            contact_softness: softness(frequency),
            // A contact with a static body may be twice as stiff; rapier's defaults have the same ratio.
            static_contact_softness: softness(2.0 * frequency),
            ..IntegrationParameters::default()
        }
    }
}

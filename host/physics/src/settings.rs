//! The settings of the physics. Plain values.

use bridgehead_pose::DVec3;
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
    /// m/s² in the world.
    pub gravity: DVec3,
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
            gravity: DVec3::new(0.0, 0.0, -9.8),
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
            ("the overlap speed", self.overlap_speed),
        ];
        let bad = positive.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0));
        if let Some((name, found)) = bad {
            return Err(PhysicsError::BadSetting { name, wanted: "positive and finite", found });
        }
        let gravity = self.gravity.to_array().into_iter().find(|value| !value.is_finite());
        gravity.map_or(Ok(()), |found| {
            Err(PhysicsError::BadSetting { name: "gravity", wanted: "finite", found })
        })
    }

    pub(super) fn of_world(&self) -> bridgehead_dynamics::Settings {
        bridgehead_dynamics::Settings {
            step: self.substep(),
            gravity: self.gravity,
            overlap_speed: self.overlap_speed,
            sleeping: self.sleeping,
        }
    }
}

//! How a vehicle moves in its plane, and how fast its wheels run then. Pure; any thread.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::messages::geometry_msgs::Twist;
use crate::rules;

/// Checks that a peer may request these velocities: finite, and along each axis at most 1e5 m/s and 1e4 rad/s.
///
/// A controller checks what it receives, because a command to the host with such a number is refused and would disable
/// the controller.
///
/// # Errors
/// Returns an error that names the first number that is not.
pub fn check_twist(linear: [f64; 3], angular: [f64; 3]) -> Result {
    rules::check_requested_motion(linear, angular).map_err(|fault| Error::invalid(fault.to_string()))
}

/// Checks that a peer may request these targets of joints: finite and at most 1e6 rad, rad/s, m, m/s, N or Nm. `name`
/// says what they are, such as `position`.
///
/// # Errors
/// Returns an error that names the first number that is not.
pub fn check_targets(name: &'static str, targets: &[f64]) -> Result {
    rules::check_requested_targets(name, targets).map_err(|fault| Error::invalid(fault.to_string()))
}

/// Forward and turning speed of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Forward, m/s.
    pub linear: f64,
    /// To the left, rad/s.
    pub angular: f64,
}

impl Speed {
    /// Standing.
    pub const ZERO: Speed = Speed { linear: 0.0, angular: 0.0 };

    /// The two components of a twist that a vehicle without sideways motion can follow.
    #[must_use]
    pub fn from_twist(twist: &Twist) -> Self {
        Speed {
            linear: twist.linear.as_ref().map_or(0.0, |linear| linear.x),
            angular: twist.angular.as_ref().map_or(0.0, |angular| angular.z),
        }
    }

    /// Whether both are numbers.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }

    /// Checks that a peer may request this speed: both numbers are finite, at most 1e5 m/s and 1e4 rad/s.
    ///
    /// # Errors
    /// Returns an error that names the number.
    pub fn check(self) -> Result {
        check_twist([self.linear, 0.0, 0.0], [0.0, 0.0, self.angular])
    }

    /// Speed over ground of the left and the right wheels, m/s, that stand `separation` metres apart.
    #[must_use]
    pub fn sides(self, separation: f64) -> (f64, f64) {
        let turn = self.angular * separation / 2.0;
        (self.linear - turn, self.linear + turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_checked_in_both_directions() {
        for good in [0.0, -3.0, 1e-300, 1e4] {
            assert!(Speed { linear: good, angular: good }.check().is_ok(), "{good}");
        }
        for bad in [1e300, -1e300, f64::NAN, f64::INFINITY] {
            for speed in [Speed { linear: bad, angular: 0.0 }, Speed { linear: 0.0, angular: bad }] {
                let error = speed.check().expect_err("refused").to_string();
                assert!(error.contains("[BH-PHY-051]"), "{error}");
            }
        }
    }
}

//! How a vehicle moves in its plane, and how fast its wheels run then. Pure; any thread.

use serde::{Deserialize, Serialize};

use crate::messages::geometry_msgs::Twist;

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

    /// Speed over ground of the left and the right wheels, m/s, that stand `separation` metres apart.
    #[must_use]
    pub fn sides(self, separation: f64) -> (f64, f64) {
        let turn = self.angular * separation / 2.0;
        (self.linear - turn, self.linear + turn)
    }
}

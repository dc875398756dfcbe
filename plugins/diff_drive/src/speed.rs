//! How a vehicle moves in its plane, and how fast its wheels run then. Pure; any thread.

use bridgehead_plugin_api::messages::geometry_msgs::Twist;

/// Forward and turning speed of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Speed {
    /// Forward, m/s.
    pub(crate) linear: f64,
    /// To the left, rad/s.
    pub(crate) angular: f64,
}

impl Speed {
    /// Standing.
    pub(crate) const ZERO: Speed = Speed { linear: 0.0, angular: 0.0 };

    /// The two components of a twist that a vehicle without sideways motion can follow.
    pub(crate) fn from_twist(twist: &Twist) -> Self {
        Speed {
            linear: twist.linear.as_ref().map_or(0.0, |linear| linear.x),
            angular: twist.angular.as_ref().map_or(0.0, |angular| angular.z),
        }
    }

    pub(crate) fn is_finite(self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }

    /// Speed over ground of the left and the right wheels, m/s, that stand `separation` metres apart.
    pub(crate) fn sides(self, separation: f64) -> (f64, f64) {
        let turn = self.angular * separation / 2.0;
        (self.linear - turn, self.linear + turn)
    }
}

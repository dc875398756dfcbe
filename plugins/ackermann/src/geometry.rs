//! Ackermann geometry: every wheel rolls on a circle about one point on the line of the rear axle. Pure; any thread.

/// Measures of a car, metres and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Geometry {
    /// Distance from the rear axle to the front axle.
    pub(crate) wheel_base: f64,
    /// Distance between left and right wheels.
    pub(crate) wheel_separation: f64,
    /// Distance between the pivots of the steered wheels.
    pub(crate) kingpin_width: f64,
    pub(crate) wheel_radius: f64,
    /// Largest angle of a virtual wheel in the middle of the front axle.
    pub(crate) steering_limit: f64,
}

/// Targets of the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WheelTargets {
    /// Angles of the steered wheels, left and right, rad to the left.
    pub(crate) steer: [f64; 2],
    /// Speeds of the driven wheels, left and right, rad/s.
    pub(crate) wheels: [f64; 2],
}

impl Geometry {
    /// Returns the steering angle for a turn of `angular` rad/s at `linear` m/s, within its limit. A car at rest
    /// cannot turn, so it steers as far as it can to the requested side.
    pub(crate) fn steer_for(&self, linear: f64, angular: f64) -> f64 {
        if angular == 0.0 {
            return 0.0;
        }
        let angle = libm::atan(self.wheel_base * angular / linear);
        if linear == 0.0 { self.steering_limit.copysign(angular) } else { self.limit(angle) }
    }

    /// Limits an angle.
    pub(crate) fn limit(&self, angle: f64) -> f64 {
        angle.clamp(-self.steering_limit, self.steering_limit)
    }

    /// Returns the wheel targets if the middle of the rear axle moves at `linear` m/s and the middle of the front
    /// axle is steered by `steer`.
    pub(crate) fn wheels(&self, linear: f64, steer: f64) -> WheelTargets {
        let tangent = libm::tan(steer);
        let curvature = tangent / self.wheel_base;
        let angle = |side: f64| libm::atan(tangent / (1.0 + side * curvature * self.kingpin_width / 2.0));
        let speed =
            |side: f64| linear * (1.0 + side * curvature * self.wheel_separation / 2.0) / self.wheel_radius;
        // The turning centre of a left turn is on the left.
        WheelTargets { steer: [angle(-1.0), angle(1.0)], wheels: [speed(-1.0), speed(1.0)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAR: Geometry = Geometry {
        wheel_base: 2.0,
        wheel_separation: 1.5,
        kingpin_width: 1.2,
        wheel_radius: 0.5,
        steering_limit: 0.6,
    };

    #[test]
    fn the_axes_of_all_wheels_meet_in_one_point() {
        // About a point 5 m to the left of the rear axle.
        let WheelTargets { steer: [left, right], wheels: [slow, fast] } =
            CAR.wheels(1.0, (2.0_f64 / 5.0).atan());
        assert!((left.tan() - 2.0 / (5.0 - 0.6)).abs() < 1e-12);
        assert!((right.tan() - 2.0 / (5.0 + 0.6)).abs() < 1e-12);
        // One radian in five seconds: each wheel rolls on its own circle.
        assert!(
            (slow - (5.0 - 0.75) / 5.0 / 0.5).abs() < 1e-12
                && (fast - (5.0 + 0.75) / 5.0 / 0.5).abs() < 1e-12
        );
    }

    #[test]
    fn a_right_turn_mirrors_a_left_turn() {
        let (left, right) = (CAR.wheels(2.0, 0.3), CAR.wheels(2.0, -0.3));
        assert!(
            (left.steer[0] + right.steer[1]).abs() < 1e-12 && (left.steer[1] + right.steer[0]).abs() < 1e-12
        );
        assert!((left.wheels[0] - right.wheels[1]).abs() < 1e-12);
    }

    #[test]
    fn steering_follows_from_the_requested_turn_within_its_limit() {
        assert!((CAR.steer_for(1.0, 0.2) - (2.0_f64 * 0.2).atan()).abs() < 1e-12);
        assert!((CAR.steer_for(-1.0, 0.2) + (2.0_f64 * 0.2).atan()).abs() < 1e-12);
        assert_eq!(CAR.steer_for(1.0, 9.0).to_bits(), 0.6_f64.to_bits());
        assert_eq!(CAR.steer_for(0.0, -0.1).to_bits(), (-0.6_f64).to_bits());
        assert_eq!(CAR.steer_for(0.0, 0.0).to_bits(), 0.0_f64.to_bits());
    }
}

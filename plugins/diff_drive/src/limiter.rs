//! Keeps speeds and their changes within limits. Pure; any thread.

use crate::speed::Speed;

/// Limits of one direction of motion: m/s and m/s², or rad/s and rad/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) min_velocity: f64,
    pub(crate) max_velocity: f64,
    pub(crate) min_acceleration: f64,
    pub(crate) max_acceleration: f64,
}

impl Limits {
    /// The value that `target` may become after `width` seconds at `present`.
    fn apply(&self, present: f64, target: f64, width: f64) -> f64 {
        let target = target.clamp(self.min_velocity, self.max_velocity);
        present + (target - present).clamp(self.min_acceleration * width, self.max_acceleration * width)
    }
}

/// Remembers the speed that was asked of the wheels last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limiter {
    linear: Limits,
    angular: Limits,
    speed: Speed,
}

impl Limiter {
    pub(crate) fn new(linear: Limits, angular: Limits) -> Self {
        Limiter { linear, angular, speed: Speed::ZERO }
    }

    /// Stands at once, whatever the acceleration limits.
    pub(crate) fn stop(&mut self) {
        self.speed = Speed::ZERO;
    }

    /// The allowed speed that comes closest to `target` after `width` seconds.
    pub(crate) fn advance(&mut self, target: Speed, width: f64) -> Speed {
        self.speed = Speed {
            linear: self.linear.apply(self.speed.linear, target.linear, width),
            angular: self.angular.apply(self.speed.angular, target.angular, width),
        };
        self.speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits =
        Limits { min_velocity: -0.5, max_velocity: 1.0, min_acceleration: -4.0, max_acceleration: 2.0 };
    const FREE: Limits = Limits {
        min_velocity: f64::NEG_INFINITY,
        max_velocity: f64::INFINITY,
        min_acceleration: f64::NEG_INFINITY,
        max_acceleration: f64::INFINITY,
    };

    fn linear(value: f64) -> Speed {
        Speed { linear: value, angular: 0.0 }
    }

    #[test]
    fn speed_ramps_up_and_down_within_its_limits() {
        let mut limiter = Limiter::new(LIMITS, FREE);
        let mut follow = |target| limiter.advance(linear(target), 0.25).linear;
        assert_eq!([follow(9.0), follow(9.0), follow(9.0)], [0.5, 1.0, 1.0]);
        assert_eq!([follow(-9.0), follow(-9.0), follow(-9.0)], [0.0, -0.5, -0.5]);
    }

    #[test]
    fn without_limits_the_target_is_reached_at_once() {
        let mut limiter = Limiter::new(FREE, FREE);
        let target = Speed { linear: -3.0, angular: 7.0 };
        assert_eq!(limiter.advance(target, 0.001), target);
    }

    #[test]
    fn a_stop_does_not_ramp() {
        let mut limiter = Limiter::new(LIMITS, FREE);
        limiter.advance(linear(1.0), 1.0);
        limiter.stop();
        assert_eq!(limiter.advance(Speed::ZERO, 0.001), Speed::ZERO);
    }
}

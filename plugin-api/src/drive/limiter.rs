//! Keeps speeds and their changes within limits. Pure; any thread.

use super::speed::Speed;
use crate::error::Result;
use crate::host::Params;
use crate::state::{StateReader, StateWriter};

/// Limits of one direction of motion: m/s and m/s², or rad/s and rad/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// 0 or less.
    pub min_velocity: f64,
    /// 0 or more.
    pub max_velocity: f64,
    /// 0 or less.
    pub min_acceleration: f64,
    /// 0 or more.
    pub max_acceleration: f64,
}

impl Limits {
    /// Reads those of `linear` or `angular` motion: `max_linear_velocity` before `max_velocity`, which holds for both
    /// kinds; a missing lower limit is the upper one backwards, and a missing upper one is none.
    ///
    /// # Errors
    /// Returns an error if an upper limit is below 0 or a lower one above.
    pub fn read(params: Params, kind: &str) -> Result<Self> {
        let range = |quantity: &str| -> Result<(f64, f64)> {
            let max =
                read_limit(params, &[format!("max_{kind}_{quantity}"), format!("max_{quantity}")], 1.0)?;
            let min =
                read_limit(params, &[format!("min_{kind}_{quantity}"), format!("min_{quantity}")], -1.0)?;
            let max = max.unwrap_or(f64::INFINITY);
            Ok((min.unwrap_or(-max), max))
        };
        let (min_velocity, max_velocity) = range("velocity")?;
        let (min_acceleration, max_acceleration) = range("acceleration")?;
        Ok(Limits { min_velocity, max_velocity, min_acceleration, max_acceleration })
    }

    /// The value that `target` may become after `width` seconds at `present`.
    fn apply(&self, present: f64, target: f64, width: f64) -> f64 {
        let target = target.clamp(self.min_velocity, self.max_velocity);
        present + (target - present).clamp(self.min_acceleration * width, self.max_acceleration * width)
    }
}

/// The first of `paths` that is there; it must not have the other sign than `sign`.
fn read_limit(params: Params, paths: &[String], sign: f64) -> Result<Option<f64>> {
    for path in paths {
        if let Some(value) = params.get::<f64>(path)? {
            if value * sign < 0.0 {
                let expected = if sign > 0.0 { "0 or more" } else { "0 or less" };
                return Err(params.refuse(path, &value.to_string(), expected));
            }
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Keeps the last commanded speed of the wheels.
#[derive(Clone, Copy, Debug)]
pub struct Limiter {
    linear: Limits,
    angular: Limits,
    speed: Speed,
}

impl Limiter {
    /// Standing.
    #[must_use]
    pub fn new(linear: Limits, angular: Limits) -> Self {
        Limiter { linear, angular, speed: Speed::ZERO }
    }

    /// Stands at once, whatever the acceleration limits.
    pub fn stop(&mut self) {
        self.speed = Speed::ZERO;
    }

    /// Writes the speed.
    ///
    /// # Errors
    /// As [`StateWriter::put`].
    pub fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&self.speed)
    }

    /// Takes it back.
    ///
    /// # Errors
    /// As [`StateReader::take`].
    pub fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.speed = state.take()?;
        Ok(())
    }

    /// The last commanded speed of the wheels.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Takes a speed as it is, within the limits of velocity but not of acceleration; gives what became of it.
    pub fn hold(&mut self, speed: Speed) -> Speed {
        self.speed = Speed {
            linear: speed.linear.clamp(self.linear.min_velocity, self.linear.max_velocity),
            angular: speed.angular.clamp(self.angular.min_velocity, self.angular.max_velocity),
        };
        self.speed
    }

    /// The allowed speed that comes closest to `target` after `width` seconds.
    pub fn advance(&mut self, target: Speed, width: f64) -> Speed {
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

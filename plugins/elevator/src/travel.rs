//! Motion along a line to a target, with bounds of speed and acceleration. Pure.

use serde::{Deserialize, Serialize};

/// Largest speed, m/s, and acceleration, m/s².
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) speed: f64,
    pub(crate) acceleration: f64,
}

/// A position with its velocity, m and m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Travel {
    pub(crate) position: f64,
    pub(crate) velocity: f64,
}

impl Travel {
    /// Moves towards a target for `width` seconds and stops there exactly.
    pub(crate) fn advance(&mut self, target: f64, bounds: Bounds, width: f64) {
        let way = target - self.position;
        let change = bounds.acceleration * width;
        // Slow enough to stop at the target, with the way of this step already gone.
        let stopping = (change * change / 4.0 + 2.0 * bounds.acceleration * way.abs()).sqrt() - change / 2.0;
        let wanted = way.signum() * stopping.min(bounds.speed).min(way.abs() / width);
        self.velocity = wanted.clamp(self.velocity - change, self.velocity + change);
        let reached = (self.velocity * width - way) * way.signum() >= -1e-9;
        if way == 0.0 || (reached && self.velocity.abs() <= 2.0 * change) {
            *self = Travel { position: target, velocity: 0.0 };
        } else {
            self.position += self.velocity * width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speeding up, constant speed and slowing down: s / v + v / a seconds.
    #[test]
    fn it_takes_the_time_of_a_trapezoid_and_keeps_its_bounds() {
        let bounds = Bounds { speed: 2.0, acceleration: 1.0 };
        for (from, to) in [(0.0, 10.0), (10.0, 0.0), (-3.0, 7.0)] {
            let mut travel = Travel { position: from, velocity: 0.0 };
            let mut steps = 0_u32;
            while travel.position != to {
                let before = travel;
                travel.advance(to, bounds, 1e-3);
                assert!(travel.velocity.abs() <= 2.0 + 1e-9, "{travel:?}");
                assert!((travel.velocity - before.velocity).abs() <= 2.5e-3, "{before:?} {travel:?}");
                steps += 1;
                assert!(steps < 10_000, "{travel:?}");
            }
            assert!((f64::from(steps) * 1e-3 - 7.0).abs() < 0.05, "{steps} steps");
            assert_eq!(travel.velocity, 0.0);
        }
    }

    #[test]
    fn it_turns_round_for_a_new_target() {
        let bounds = Bounds { speed: 1.0, acceleration: 1.0 };
        let mut travel = Travel::default();
        (0..1500).for_each(|_| travel.advance(5.0, bounds, 1e-3));
        let highest = travel.position + 0.5;
        let mut most = travel.position;
        for _ in 0..5000 {
            travel.advance(0.0, bounds, 1e-3);
            most = most.max(travel.position);
        }
        assert!(most <= highest + 2e-3, "{most}");
        assert_eq!(travel, Travel::default());
    }
}

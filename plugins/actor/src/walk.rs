//! Walking in the plane: turn towards the goal, walk straight on, and stop there. Pure.

use std::f64::consts::{PI, TAU};

use bridgehead_plugin_api::host::Pose;
use serde::{Deserialize, Serialize};

/// It walks once it looks at the goal within this angle, rad.
const STRAIGHT: f64 = 0.2;

/// How it walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gait {
    /// m/s.
    pub(crate) speed: f64,
    /// rad/s.
    pub(crate) turn: f64,
    /// m/s².
    pub(crate) acceleration: f64,
}

/// Where it is, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Walk {
    position: [f64; 2],
    yaw: f64,
    speed: f64,
    goal: Option<[f64; 2]>,
}

impl Walk {
    /// Returns an actor that stands upright at a pose.
    pub(crate) fn from(pose: Pose) -> Self {
        let [x, y, _] = pose.position;
        let ahead = pose.rotate([1.0, 0.0, 0.0]);
        Walk { position: [x, y], yaw: libm::atan2(ahead[1], ahead[0]), speed: 0.0, goal: None }
    }

    pub(crate) fn set_goal(&mut self, goal: [f64; 2]) {
        self.goal = Some(goal);
    }

    /// Returns true if it has no goal ahead.
    pub(crate) fn has_arrived(&self) -> bool {
        self.goal.is_none()
    }

    /// Walks for `width` seconds.
    pub(crate) fn advance(&mut self, gait: Gait, width: f64) {
        let Some([x, y]) = self.goal else { return };
        let way = [x - self.position[0], y - self.position[1]];
        let distance = libm::hypot(way[0], way[1]);
        let turn = if distance > 0.0 { wrapped(libm::atan2(way[1], way[0]) - self.yaw) } else { 0.0 };
        let most = gait.turn * width;
        self.yaw = wrapped(self.yaw + turn.clamp(-most, most));
        let change = gait.acceleration * width;
        // Slow enough to stop at the goal.
        let stopping = (2.0 * gait.acceleration * distance).sqrt();
        let wanted = if turn.abs() > STRAIGHT { 0.0 } else { stopping.min(gait.speed) };
        self.speed = wanted.clamp(self.speed - change, self.speed + change).max(0.0);
        if distance <= (self.speed * width).max(1e-6) && turn.abs() <= STRAIGHT {
            *self = Walk { position: [x, y], speed: 0.0, goal: None, ..*self };
            return;
        }
        let step = self.speed * width / distance.max(f64::MIN_POSITIVE);
        self.position = [self.position[0] + way[0] * step, self.position[1] + way[1] * step];
    }

    /// Returns its pose at a height.
    pub(crate) fn pose(&self, height: f64) -> Pose {
        let (sin, cos) = libm::sincos(self.yaw / 2.0);
        Pose { position: [self.position[0], self.position[1], height], orientation: [0.0, 0.0, sin, cos] }
    }
}

/// Returns an angle in -π to π.
fn wrapped(angle: f64) -> f64 {
    let turned = (angle + PI).rem_euclid(TAU) - PI;
    if turned.is_finite() { turned } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAIT: Gait = Gait { speed: 1.0, turn: 2.0, acceleration: 8.0 };

    /// A turn of π/2 with 2 rad/s, less the last 0.2 rad, then 3 m with 1 m/s.
    #[test]
    fn it_turns_walks_and_stops_at_the_goal() {
        let mut walk = Walk::from(Pose { position: [1.0, 2.0, 0.5], ..Pose::IDENTITY });
        assert!(walk.has_arrived());
        walk.set_goal([1.0, 5.0]);
        let mut steps = 0_u32;
        while !walk.has_arrived() {
            let before = walk;
            walk.advance(GAIT, 1e-3);
            steps += 1;
            let moved = (walk.position[0] - before.position[0]).hypot(walk.position[1] - before.position[1]);
            assert!(moved <= 1.001e-3 && steps < 10_000, "{before:?} {walk:?}");
        }
        let expected = (PI / 2.0 - STRAIGHT) / 2.0 + 3.0 + 1.0 / 8.0;
        assert!((f64::from(steps) * 1e-3 - expected).abs() < 0.03, "{steps} steps, expected {expected} s");
        assert_eq!((walk.position, walk.speed), ([1.0, 5.0], 0.0));
        let ahead = walk.pose(0.5).rotate([1.0, 0.0, 0.0]);
        assert!((ahead[1] - 1.0).abs() < 1e-6, "{ahead:?}");
    }

    #[test]
    fn a_new_goal_replaces_the_old_one_on_the_way() {
        let mut walk = Walk::from(Pose::IDENTITY);
        walk.set_goal([10.0, 0.0]);
        (0..2000).for_each(|_| walk.advance(GAIT, 1e-3));
        walk.set_goal([0.0, 0.0]);
        (0..6000).for_each(|_| walk.advance(GAIT, 1e-3));
        assert_eq!((walk.position, walk.has_arrived()), ([0.0, 0.0], true));
    }
}

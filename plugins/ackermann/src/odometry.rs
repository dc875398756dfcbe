//! Dead reckoning from wheels and steering: every step is an arc about the turning centre given by the steering. The
//! pose is that of the middle of the rear axle. Pure; any thread.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::{Planar, Speed};
use bridgehead_plugin_api::state::{StateReader, StateWriter};

use crate::geometry::Geometry;

/// State of the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WheelState {
    /// Mean angle of the driven wheels of each side, rad.
    pub(crate) wheels: [f64; 2],
    /// Angles of the steered wheels, left and right, rad.
    pub(crate) steer: [f64; 2],
}

/// Pose and speed by dead reckoning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Odometry {
    geometry: Geometry,
    before: Option<WheelState>,
    /// Angle of a virtual wheel in the middle of the front axle, rad.
    pub(crate) steer: f64,
    pub(crate) planar: Planar,
}

impl Odometry {
    pub(crate) fn new(geometry: Geometry) -> Self {
        Odometry { geometry, before: None, steer: 0.0, planar: Planar::default() }
    }

    /// Sets the pose to the origin, with the given wheel state or that of the next step.
    pub(crate) fn restart(&mut self, state: Option<WheelState>) {
        *self = Odometry { before: state, ..Odometry::new(self.geometry) };
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        let before = self.before.map(|state| (state.wheels, state.steer));
        state.put(&(before, self.steer, self.planar))
    }

    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let before: Option<([f64; 2], [f64; 2])>;
        (before, self.steer, self.planar) = state.take()?;
        self.before = before.map(|(wheels, steer)| WheelState { wheels, steer });
        Ok(())
    }

    /// Adds the motion since the last call, `width` seconds ago.
    pub(crate) fn advance(&mut self, state: WheelState, width: f64) {
        let before = self.before.replace(state).unwrap_or(state);
        let rolled = |side: usize| (state.wheels[side] - before.wheels[side]) * self.geometry.wheel_radius;
        let arc = f64::midpoint(rolled(0), rolled(1));
        self.steer = self.middle(state.steer);
        let turn = arc * libm::tan(self.steer) / self.geometry.wheel_base;
        let heading = self.planar.heading + turn / 2.0;
        let (sin, cos) = libm::sincos(heading);
        self.planar = Planar {
            x: self.planar.x + arc * cos,
            y: self.planar.y + arc * sin,
            heading: self.planar.heading + turn,
            speed: Speed { linear: arc / width, angular: turn / width },
        };
    }

    /// Returns the angle of the virtual middle wheel: the cotangents of the steered wheels are symmetric about its
    /// own.
    fn middle(&self, [left, right]: [f64; 2]) -> f64 {
        let (left, right) = (libm::tan(left), libm::tan(right));
        if left == 0.0 || right == 0.0 || (left > 0.0) != (right > 0.0) {
            return f64::midpoint(libm::atan(left), libm::atan(right));
        }
        libm::atan(1.0 / f64::midpoint(1.0 / left, 1.0 / right))
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
    fn wheels_that_follow_the_geometry_drive_its_circle() {
        let mut odometry = Odometry::new(CAR);
        let targets = CAR.wheels(2.0, 0.3);
        let radius = 2.0 / 0.3_f64.tan();
        let seconds = std::f64::consts::PI * radius / 2.0;
        for step in 0..=10_000 {
            let time = seconds * f64::from(step) / 10_000.0;
            odometry.advance(
                WheelState { wheels: targets.wheels.map(|speed| speed * time), steer: targets.steer },
                seconds / 10_000.0,
            );
        }
        let Planar { x, y, heading, speed } = odometry.planar;
        assert!((heading - std::f64::consts::PI).abs() < 1e-9, "{heading}");
        assert!(x.abs() < 1e-5 && (y - 2.0 * radius).abs() < 1e-5, "{x} {y}");
        assert!((speed.linear - 2.0).abs() < 1e-9 && (odometry.steer - 0.3).abs() < 1e-12);
    }

    #[test]
    fn a_straight_drive_is_straight() {
        let mut odometry = Odometry::new(CAR);
        for angle in [0.0, 4.0] {
            odometry.advance(WheelState { wheels: [angle; 2], steer: [0.0; 2] }, 0.1);
        }
        assert_eq!((odometry.planar.x, odometry.planar.y, odometry.planar.speed.linear), (2.0, 0.0, 20.0));
    }
}

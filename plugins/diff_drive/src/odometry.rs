//! Dead reckoning from the wheels: every step is an arc, and arcs are integrated exactly.
//!
//! The pose is that of the middle of the axle, relative to the vehicle's pose at the last reset. Pure; any thread.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::{Planar, Speed};
use bridgehead_plugin_api::state::{StateReader, StateWriter};

/// Distance that the wheels of each side have rolled, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Travel {
    pub(crate) left: f64,
    pub(crate) right: f64,
}

/// Pose and speed by dead reckoning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Odometry {
    /// Distance between the wheels, m.
    separation: f64,
    before: Option<Travel>,
    /// Present pose; the speed is the mean over the last step.
    pub(crate) planar: Planar,
}

impl Odometry {
    pub(crate) fn new(separation: f64) -> Self {
        Odometry { separation, before: None, planar: Planar::default() }
    }

    /// Sets the pose to the origin, with the given wheel state or that of the next step.
    pub(crate) fn restart(&mut self, travel: Option<Travel>) {
        *self = Odometry { before: travel, ..Odometry::new(self.separation) };
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&(self.before.map(|travel| (travel.left, travel.right)), self.planar))
    }

    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let before: Option<(f64, f64)>;
        (before, self.planar) = state.take()?;
        self.before = before.map(|(left, right)| Travel { left, right });
        Ok(())
    }

    /// Adds the motion since the last call, `width` seconds ago.
    pub(crate) fn advance(&mut self, travel: Travel, width: f64) {
        let before = self.before.replace(travel).unwrap_or(travel);
        let (left, right) = (travel.left - before.left, travel.right - before.right);
        let (arc, turn) = ((left + right) / 2.0, (right - left) / self.separation);
        self.planar.speed = Speed { linear: arc / width, angular: turn / width };
        // The chord of an arc points along the heading at its middle.
        let chord = arc * sine_ratio(turn / 2.0);
        let (sin, cos) = libm::sincos(self.planar.heading + turn / 2.0);
        self.planar.x += chord * cos;
        self.planar.y += chord * sin;
        self.planar.heading += turn;
    }

    /// Replaces the heading by a more accurate one.
    pub(crate) fn correct(&mut self, heading: f64) {
        self.planar.heading = heading;
    }
}

/// Returns `sin(x) / x`, also at 0.
fn sine_ratio(x: f64) -> f64 {
    // Below this the next term of the series, x⁴/120, is lost in the rounding of 1.
    if x.abs() < 1e-4 { 1.0 - x * x / 6.0 } else { libm::sin(x) / x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    const SEPARATION: f64 = 0.4;

    fn started() -> Odometry {
        let mut odometry = Odometry::new(SEPARATION);
        odometry.restart(Some(Travel { left: 7.0, right: -3.0 }));
        odometry
    }

    fn assert_pose(odometry: &Odometry, x: f64, y: f64, heading: f64) {
        let distance = (odometry.planar.x - x)
            .abs()
            .max((odometry.planar.y - y).abs())
            .max((odometry.planar.heading - heading).abs());
        assert!(distance < 1e-12, "{odometry:?} is not at {x}, {y}, {heading}");
    }

    #[test]
    fn equal_distances_are_a_straight_line() {
        let mut odometry = started();
        odometry.advance(Travel { left: 8.5, right: -1.5 }, 0.5);
        assert_pose(&odometry, 1.5, 0.0, 0.0);
        assert_eq!(odometry.planar.speed, Speed { linear: 3.0, angular: 0.0 });
    }

    #[test]
    fn one_large_arc_ends_at_its_geometric_end() {
        // A quarter of a circle of radius 2 to the left, in one step.
        let mut odometry = started();
        let (left, right) = (FRAC_PI_2 * (2.0 - SEPARATION / 2.0), FRAC_PI_2 * (2.0 + SEPARATION / 2.0));
        odometry.advance(Travel { left: 7.0 + left, right: -3.0 + right }, 1.0);
        assert_pose(&odometry, 2.0, 2.0, FRAC_PI_2);
    }

    #[test]
    fn many_small_arcs_close_the_circle() {
        let mut odometry = started();
        let way = |radius: f64, step: u32| 2.0 * PI * radius * f64::from(step) / 10_000.0;
        for step in 1..=10_000 {
            let left = 7.0 + way(2.0 - SEPARATION / 2.0, step);
            let right = -3.0 + way(2.0 + SEPARATION / 2.0, step);
            odometry.advance(Travel { left, right }, 0.001);
        }
        let distance = odometry.planar.x.hypot(odometry.planar.y);
        assert!(distance < 1e-9 && (odometry.planar.heading - 2.0 * PI).abs() < 1e-9, "{odometry:?}");
    }

    #[test]
    fn without_a_known_start_the_first_step_is_the_origin() {
        let mut odometry = Odometry::new(SEPARATION);
        odometry.advance(Travel { left: 5.0, right: 5.0 }, 0.001);
        assert_pose(&odometry, 0.0, 0.0, 0.0);
    }
}

//! A trajectory over time. Between two points it is linear, or cubic if both have velocities, or quintic if both have
//! accelerations too, as in `joint_trajectory_controller` of ros2_controllers.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use serde::{Deserialize, Serialize};

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;

/// The motion of a joint at one time: rad or m, rad/s or m/s, rad/s² or m/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Motion {
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) acceleration: f64,
}

/// The joints at one point. A list is empty if the point does not say it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Knot {
    /// Nanoseconds after the start.
    at: i64,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

/// A trajectory of joints, which begins where they were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Path {
    /// By growing time; at least one.
    knots: Vec<Knot>,
}

impl Path {
    /// Reads a trajectory. `order` has for each joint its place in the message, or `None` for one that stays where it is;
    /// `now` is the time after the start of the trajectory at which the joints move as in `begin`. What lies before that
    /// time is passed over.
    ///
    /// # Errors
    /// Returns what is wrong with a point.
    pub(super) fn new(
        message: &JointTrajectory,
        order: &[Option<usize>],
        now: i64,
        begin: &[Motion],
    ) -> Result<Self, String> {
        let mut knots = Vec::with_capacity(message.points.len());
        for (number, point) in message.points.iter().enumerate() {
            let knot = knot(point, order, begin).map_err(|problem| format!("point {number} {problem}"))?;
            if knots.last().is_some_and(|before: &Knot| knot.at <= before.at) {
                return Err(format!("point {number} is not later than the one before it"));
            }
            knots.push(knot);
        }
        let begins = knots.partition_point(|knot| knot.at <= now);
        let mut ahead = knots.split_off(begins);
        // Where the joints already should be is where they go at once.
        if let (true, Some(last)) = (ahead.is_empty(), knots.pop()) {
            return Ok(Path { knots: vec![last] });
        }
        let column = |value: fn(&Motion) -> f64| begin.iter().map(value).collect();
        let first = Knot {
            at: now.max(0),
            positions: column(|motion| motion.position),
            velocities: column(|motion| motion.velocity),
            accelerations: vec![0.0; begin.len()],
        };
        ahead.insert(0, first);
        Ok(Path { knots: ahead })
    }

    /// Returns the time of the last point, nanoseconds after the start.
    pub(super) fn end(&self) -> i64 {
        self.knots.last().map_or(0, |knot| knot.at)
    }

    /// Returns how the joints should move at a time, nanoseconds after the start: before the first point and after the
    /// last one they rest there.
    pub(super) fn at(&self, time: i64) -> Vec<Motion> {
        let after = self.knots.partition_point(|knot| knot.at <= time);
        let (before, after) = (after.checked_sub(1).and_then(|at| self.knots.get(at)), self.knots.get(after));
        match (before, after) {
            (Some(from), Some(to)) => {
                (0..from.positions.len()).map(|joint| between(from, to, joint, time)).collect()
            }
            (Some(knot), None) | (None, Some(knot)) => {
                let rest = |&position: &f64| Motion { position, ..Motion::default() };
                knot.positions.iter().map(rest).collect()
            }
            (None, None) => Vec::new(),
        }
    }
}

/// Reads a point.
fn knot(point: &JointTrajectoryPoint, order: &[Option<usize>], begin: &[Motion]) -> Result<Knot, String> {
    let named = order.iter().flatten().count();
    let list = |what: &'static str, values: &[f64], other: fn(&Motion) -> f64| {
        if values.is_empty() {
            return Ok(Vec::new());
        }
        if values.len() != named {
            return Err(format!("has {} {what} for {named} joints", values.len()));
        }
        check_targets(what, values).map_err(|error| format!("has invalid {what}: {error}"))?;
        let value = |(place, begin): (&Option<usize>, &Motion)| {
            place.and_then(|place| values.get(place)).copied().unwrap_or_else(|| other(begin))
        };
        Ok(order.iter().zip(begin).map(value).collect())
    };
    if point.positions.is_empty() {
        return Err("has no positions".to_owned());
    }
    if !point.effort.is_empty() {
        return Err("has efforts, and the joints are moved to positions".to_owned());
    }
    Ok(Knot {
        at: point.time_from_start.as_ref().map_or(0, |time| time.to_nanos()),
        positions: list("positions", &point.positions, |begin| begin.position)?,
        velocities: list("velocities", &point.velocities, |_| 0.0)?,
        accelerations: list("accelerations", &point.accelerations, |_| 0.0)?,
    })
}

/// Returns how a joint moves between two points.
fn between(from: &Knot, to: &Knot, joint: usize, time: i64) -> Motion {
    let value = |list: &[f64]| list.get(joint).copied();
    let (Some(p0), Some(p1)) = (value(&from.positions), value(&to.positions)) else {
        return Motion::default();
    };
    let [width, t] = [to.at - from.at, time - from.at].map(seconds);
    let velocities = value(&from.velocities).zip(value(&to.velocities));
    let accelerations = value(&from.accelerations).zip(value(&to.accelerations));
    let coefficients = match (velocities, accelerations) {
        (None, _) => [p0, (p1 - p0) / width, 0.0, 0.0, 0.0, 0.0],
        (Some((v0, v1)), None) => {
            let [a, b] = [(p1 - p0) / (width * width), 1.0 / width];
            let c2 = 3.0 * a - (2.0 * v0 + v1) * b;
            let c3 = (-2.0 * a + (v0 + v1) * b) * b;
            [p0, v0, c2, c3, 0.0, 0.0]
        }
        (Some((v0, v1)), Some((a0, a1))) => {
            let [w2, w3] = [width * width, width * width * width];
            let way = p1 - p0;
            let c3 = (20.0 * way - (8.0 * v1 + 12.0 * v0) * width - (3.0 * a0 - a1) * w2) / (2.0 * w3);
            let c4 = (-30.0 * way + (14.0 * v1 + 16.0 * v0) * width + (3.0 * a0 - 2.0 * a1) * w2)
                / (2.0 * w3 * width);
            let c5 = (12.0 * way - 6.0 * (v1 + v0) * width + (a1 - a0) * w2) / (2.0 * w3 * w2);
            [p0, v0, a0 / 2.0, c3, c4, c5]
        }
    };
    polynomial(coefficients, t)
}

/// Returns a polynomial and its first two derivatives.
fn polynomial(coefficients: [f64; 6], t: f64) -> Motion {
    let mut motion = Motion::default();
    for coefficient in coefficients.into_iter().rev() {
        motion.acceleration = motion.acceleration * t + 2.0 * motion.velocity;
        motion.velocity = motion.velocity * t + motion.position;
        motion.position = motion.position * t + coefficient;
    }
    motion
}

/// Returns nanoseconds as seconds.
pub(super) fn seconds(nanoseconds: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "exact for 100 days")]
    let nanoseconds = nanoseconds as f64;
    nanoseconds / SECOND
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::builtin_interfaces::Duration;

    use super::*;

    fn point(millis: i64, lists: [&[f64]; 3]) -> JointTrajectoryPoint {
        let [positions, velocities, accelerations] = lists.map(<[f64]>::to_vec);
        JointTrajectoryPoint {
            positions,
            velocities,
            accelerations,
            effort: Vec::new(),
            time_from_start: Some(Duration::from_nanos(millis * 1_000_000)),
        }
    }

    fn path(points: Vec<JointTrajectoryPoint>, now: i64, begin: Motion) -> Path {
        let message = JointTrajectory { points, ..JointTrajectory::default() };
        Path::new(&message, &[Some(0)], now, &[begin]).expect("a path")
    }

    fn at(path: &Path, millis: i64) -> [f64; 3] {
        let motion = path.at(millis * 1_000_000)[0];
        [motion.position, motion.velocity, motion.acceleration].map(|value| (value * 1e9).round() / 1e9)
    }

    #[test]
    fn positions_alone_are_joined_by_lines_that_begin_where_the_joint_is() {
        let begin = Motion { position: 1.0, velocity: 5.0, acceleration: 0.0 };
        let path = path(vec![point(1000, [&[3.0], &[], &[]]), point(2000, [&[3.0], &[], &[]])], 0, begin);
        assert_eq!(at(&path, -10), [1.0, 0.0, 0.0]);
        assert_eq!(at(&path, 250), [1.5, 2.0, 0.0]);
        assert_eq!(at(&path, 1500), [3.0, 0.0, 0.0]);
        assert_eq!(at(&path, 9000), [3.0, 0.0, 0.0]);
        assert_eq!(path.end(), 2_000_000_000);
    }

    #[test]
    fn velocities_make_cubics_and_accelerations_quintics_with_the_values_at_their_ends() {
        let rest = Motion::default();
        let cubic = path(vec![point(2000, [&[1.0], &[0.0], &[]])], 0, rest);
        // 3 s² - 2 s³ of the share s of the time.
        assert_eq!(at(&cubic, 1000), [0.5, 0.75, 0.0]);
        assert_eq!(at(&cubic, 500), [0.156_25, 0.5625, 0.75]);
        let quintic = path(vec![point(2000, [&[1.0], &[0.0], &[0.0]])], 0, rest);
        // 10 s³ - 15 s⁴ + 6 s⁵: at a quarter 0.103515625, and in the middle 1.875 as fast as a line.
        assert_eq!(at(&quintic, 500)[0], 0.103_515_625);
        assert_eq!(at(&quintic, 1000), [0.5, 0.9375, 0.0]);
        let moving = Motion { position: 0.2, velocity: -0.5, acceleration: 0.0 };
        for lists in [[&[1.0][..], &[0.3], &[]], [&[1.0], &[0.3], &[-2.0]]] {
            let path = path(vec![point(700, lists)], 0, moving);
            let near = |millis: i64| path.at(millis * 1_000_000)[0];
            assert!((near(0).position - 0.2).abs() < 1e-12 && (near(0).velocity + 0.5).abs() < 1e-12);
            let end = path.at(699_999_999)[0];
            assert!((end.position - 1.0).abs() < 1e-8 && (end.velocity - 0.3).abs() < 1e-7, "{end:?}");
        }
    }

    #[test]
    fn what_is_past_is_passed_over_and_the_last_point_is_the_goal_in_any_case() {
        let points = || vec![point(0, [&[9.0], &[], &[]]), point(1000, [&[2.0], &[], &[]])];
        let begin = Motion { position: 1.0, ..Motion::default() };
        assert_eq!(at(&path(points(), 500_000_000, begin), 750), [1.5, 2.0, 0.0], "half of the time is left");
        assert_eq!(at(&path(points(), 0, begin), 500), [1.5, 1.0, 0.0], "no jump to the point at time 0");
        assert_eq!(at(&path(points(), 5_000_000_000, begin), 5000), [2.0, 0.0, 0.0]);
        // It begins in the future.
        assert_eq!(at(&path(points(), -1_000_000_000, begin), -500), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn points_that_cannot_be_followed_are_refused() {
        let refused = |points: Vec<JointTrajectoryPoint>| {
            let message = JointTrajectory { points, ..JointTrajectory::default() };
            Path::new(&message, &[Some(0)], 0, &[Motion::default()]).expect_err("refused")
        };
        let good = || point(1000, [&[1.0], &[], &[]]);
        assert_eq!(refused(vec![good(), good()]), "point 1 is not later than the one before it");
        assert_eq!(refused(vec![point(1, [&[], &[1.0], &[]])]), "point 0 has no positions");
        assert_eq!(refused(vec![point(1, [&[1.0, 2.0], &[], &[]])]), "point 0 has 2 positions for 1 joints");
        assert_eq!(
            refused(vec![point(1, [&[1.0], &[1.0, 2.0], &[]])]),
            "point 0 has 2 velocities for 1 joints"
        );
        assert!(
            refused(vec![point(1, [&[f64::NAN], &[], &[]])]).starts_with("point 0 has invalid positions: ")
        );
        let effort = JointTrajectoryPoint { effort: vec![1.0], ..good() };
        assert_eq!(refused(vec![effort]), "point 0 has efforts, and the joints are moved to positions");
    }

    #[test]
    fn values_are_those_of_the_joints_in_whatever_order() {
        let message = JointTrajectory {
            points: vec![point(1000, [&[1.0, 2.0], &[], &[]])],
            ..JointTrajectory::default()
        };
        let begin = [0.0, 0.0, 0.5].map(|position| Motion { position, ..Motion::default() });
        let path = Path::new(&message, &[Some(1), Some(0), None], 0, &begin).expect("a path");
        let positions: Vec<f64> = path.at(1_000_000_000).iter().map(|motion| motion.position).collect();
        assert_eq!(positions, [2.0, 1.0, 0.5], "a joint that is not named stays");
    }
}

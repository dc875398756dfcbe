//! How far joints may be from their trajectory, and when it has ended.

use bridgehead_plugin_api::messages::control_msgs::{FollowJointTrajectoryGoal, JointTolerance};

use super::path::Motion;

/// Of a tolerance in a goal: there is none.
const ERASED: f64 = -1.0;

/// The largest deviation of a joint, rad or m and rad/s or m/s; 0 allows every one. Accelerations are not measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tolerance {
    pub(super) position: f64,
    pub(super) velocity: f64,
}

/// The tolerances of a trajectory, for each joint of its controller.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tolerances {
    /// On the way.
    pub(super) path: Vec<Tolerance>,
    /// At the end.
    pub(super) goal: Vec<Tolerance>,
    /// How much later than planned the end may be reached, nanoseconds; 0 for any time.
    pub(super) goal_time: i64,
}

impl Tolerances {
    /// Returns the tolerances of a goal: its own, and for what it does not say the defaults.
    pub(super) fn of(goal: &FollowJointTrajectoryGoal, defaults: &Self, names: &[String]) -> Self {
        let own_time = goal.goal_time_tolerance.as_ref().map_or(0, |time| time.to_nanos());
        Tolerances {
            path: merged(&goal.path_tolerance, &defaults.path, names),
            goal: merged(&goal.goal_tolerance, &defaults.goal, names),
            goal_time: if own_time > 0 { own_time } else { defaults.goal_time },
        }
    }
}

/// Returns the tolerances of all joints. If one names an unknown joint or is negative in another way than
/// [`ERASED`], all of them are the defaults, as in ros2_controllers.
fn merged(own: &[JointTolerance], defaults: &[Tolerance], names: &[String]) -> Vec<Tolerance> {
    let mut merged = defaults.to_vec();
    for tolerance in own {
        let place = names.iter().position(|name| *name == tolerance.name);
        let values = [tolerance.position, tolerance.velocity];
        let is_sound = values.iter().all(|value| *value >= 0.0 || (*value - ERASED).abs() < f64::EPSILON);
        let Some(joint) = place.filter(|_| is_sound).and_then(|place| merged.get_mut(place)) else {
            return defaults.to_vec();
        };
        let chosen = |own: f64, default: f64| match own {
            own if own > 0.0 => own,
            own if own < 0.0 => 0.0,
            _ => default,
        };
        joint.position = chosen(tolerance.position, joint.position);
        joint.velocity = chosen(tolerance.velocity, joint.velocity);
    }
    merged
}

/// Returns which joint is farther from its trajectory than it may be, and by how much.
pub(super) fn violation(tolerances: &[Tolerance], errors: &[Motion], names: &[String]) -> Option<String> {
    tolerances.iter().zip(errors).zip(names).find_map(|((tolerance, error), name)| {
        let check = |what: &str, error: f64, tolerance: f64| {
            let is_violated = tolerance > 0.0 && error.abs() > tolerance;
            is_violated.then(|| format!("joint `{name}`: {what} error {error:.6}, tolerance {tolerance}"))
        };
        check("position", error.position, tolerance.position)
            .or_else(|| check("velocity", error.velocity, tolerance.velocity))
    })
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::builtin_interfaces::Duration;

    use super::*;

    fn of(own: Vec<JointTolerance>) -> Vec<Tolerance> {
        let some = Tolerance { position: 0.1, velocity: 0.01 };
        let defaults = Tolerances { path: vec![some; 2], goal: vec![some; 2], goal_time: 7 };
        let goal = FollowJointTrajectoryGoal { path_tolerance: own, ..FollowJointTrajectoryGoal::default() };
        let names = ["a", "b"].map(str::to_owned);
        let merged = Tolerances::of(&goal, &defaults, &names);
        assert_eq!((merged.goal, merged.goal_time), (defaults.goal, 7));
        merged.path
    }

    fn own(name: &str, position: f64, velocity: f64) -> JointTolerance {
        JointTolerance { name: name.to_owned(), position, velocity, acceleration: 0.0 }
    }

    #[test]
    fn a_goal_replaces_extends_and_erases_tolerances() {
        let tolerance = |position, velocity| Tolerance { position, velocity };
        let default = tolerance(0.1, 0.01);
        assert_eq!(of(vec![own("b", 0.5, 0.0)]), [default, tolerance(0.5, 0.01)]);
        assert_eq!(of(vec![own("a", -1.0, 0.2)]), [tolerance(0.0, 0.2), default]);
        for wrong in [own("c", 0.5, 0.0), own("a", -2.0, 0.0), own("a", f64::NAN, 0.0)] {
            assert_eq!(of(vec![own("b", 0.5, 0.0), wrong]), [default, default], "all are the defaults");
        }
        let goal = FollowJointTrajectoryGoal {
            goal_time_tolerance: Some(Duration::from_nanos(5)),
            ..FollowJointTrajectoryGoal::default()
        };
        let none = Tolerances { path: Vec::new(), goal: Vec::new(), goal_time: 7 };
        assert_eq!(Tolerances::of(&goal, &none, &[]).goal_time, 5);
    }

    #[test]
    fn the_first_joint_beyond_its_tolerance_is_named() {
        let names = ["a", "b"].map(str::to_owned);
        let tolerances = [Tolerance::default(), Tolerance { position: 0.1, velocity: 0.5 }];
        let error = |position, velocity| Motion { position, velocity, acceleration: 0.0 };
        assert_eq!(violation(&tolerances, &[error(9.0, 9.0), error(-0.1, 0.5)], &names), None);
        let far = violation(&tolerances, &[error(0.0, 0.0), error(-0.2, 0.0)], &names);
        assert_eq!(far.as_deref(), Some("joint `b`: position error -0.200000, tolerance 0.1"));
        let fast = violation(&tolerances, &[error(0.0, 0.0), error(0.0, 0.75)], &names);
        assert_eq!(fast.as_deref(), Some("joint `b`: velocity error 0.750000, tolerance 0.5"));
    }
}

//! What commands make of joints: the goal of each joint that a message names.

use bridgehead_plugin_api::drive::check_targets;
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use serde::{Deserialize, Serialize};

use crate::interfaces::{Interface, Interfaces};

/// The target of a joint: rad or m, rad/s or m/s, N·m or N.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Goal {
    Nothing,
    /// Go to a position, at most at this speed, or else at the joint's limit.
    Position(f64, Option<f64>),
    Velocity(f64),
    Effort(f64),
    /// Go to a position with at most this effort.
    Grasp {
        position: f64,
        effort: f64,
    },
}

impl Goal {
    pub(super) fn of(interface: Interface, value: f64) -> Self {
        match interface {
            Interface::Position => Goal::Position(value, None),
            Interface::Velocity => Goal::Velocity(value),
            Interface::Effort => Goal::Effort(value),
        }
    }
}

/// A list of values in a message.
struct Values<'a> {
    what: &'static str,
    values: &'a [f64],
    interface: Interface,
}

impl Values<'_> {
    /// Returns the value of each name; NaN for none. Controllers outside of the host send a value for each joint that has
    /// the interface, in the order of the names.
    fn of(
        &self,
        names: &[String],
        interfaces: impl Fn(&str) -> Option<Interfaces>,
    ) -> Result<Vec<f64>, String> {
        let Values { what, values, interface } = self;
        if values.len() == names.len() {
            return Ok(values.to_vec());
        }
        let has = |name: &String| interfaces(name).is_some_and(|joint| joint.has(*interface));
        if !values.is_empty() && values.len() != names.iter().filter(|name| has(name)).count() {
            return Err(format!("it has {} {what} for {} joints", values.len(), names.len()));
        }
        let mut rest = values.iter().copied();
        let mut next = |name: &String| if has(name) { rest.next() } else { None };
        Ok(names.iter().map(|name| next(name).unwrap_or(f64::NAN)).collect())
    }
}

/// Returns the goal of each named joint. Missing values and NaN have no effect.
pub(super) fn goals(
    message: &JointState,
    interfaces: impl Fn(&str) -> Option<Interfaces>,
) -> Result<Vec<(&str, Goal)>, String> {
    let lists = [
        Values { what: "positions", values: &message.position, interface: Interface::Position },
        Values { what: "velocities", values: &message.velocity, interface: Interface::Velocity },
        Values { what: "efforts", values: &message.effort, interface: Interface::Effort },
    ];
    let mut found = Vec::new();
    for list in &lists {
        let values = list.of(&message.name, &interfaces)?;
        let given: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        if let Err(error) = check_targets(list.what, &given) {
            return Err(format!("it has invalid {}: {error}", list.what));
        }
        found.push(values);
    }
    let value = |list: usize, index: usize| {
        let values: Option<&Vec<f64>> = found.get(list);
        values.and_then(|values| values.get(index)).copied().filter(|value| !value.is_nan())
    };
    let goal = |index: usize| {
        let velocity = value(1, index);
        // Complete joint states are sent as commands too: a position comes with velocities and efforts of 0.
        let speed = velocity.map(f64::abs).filter(|speed| *speed > 0.0);
        let position = value(0, index).map(|position| Goal::Position(position, speed));
        let effort = || value(2, index).map(Goal::Effort);
        position.or(velocity.map(Goal::Velocity)).or_else(effort)
    };
    let named = message.name.iter().enumerate();
    Ok(named.filter_map(|(index, name)| Some((name.as_str(), goal(index)?))).collect())
}

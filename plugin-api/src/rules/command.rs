//! Numbers in commands, and their bounds. Beyond the bounds the numbers of physics lose their precision, and squares of
//! them their range.

use std::fmt;
use std::ops::RangeInclusive;

/// Largest distance from the origin along an axis, metres.
pub const MAX_DISTANCE: f64 = 1e7;
/// Largest velocity along an axis in a command, m/s.
const MAX_LINEAR: f64 = 1e6;
/// Largest angular velocity about an axis in a command, rad/s.
const MAX_ANGULAR: f64 = 1e5;
/// Largest position and velocity of a joint in a command: rad and rad/s, or m and m/s.
const MAX_OF_JOINT: f64 = 1e7;
/// Largest force or torque along an axis, effort of a joint, stiffness and damping: N, Nm, and these per unit of motion.
const MAX_FORCE: f64 = 1e15;

/// Largest velocity along an axis that a client or peer may request, m/s. It is a tenth of [`MAX_LINEAR`], so that a
/// controller can turn a request into another frame and stays below that bound.
const MAX_REQUESTED_LINEAR: f64 = 1e5;
/// Largest angular velocity about an axis that a client or peer may request, rad/s.
const MAX_REQUESTED_ANGULAR: f64 = 1e4;
/// Largest target of a joint that a client or peer may request: rad, rad/s, m, m/s, N or Nm.
const MAX_REQUESTED_OF_JOINT: f64 = 1e6;

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommandFault {
    /// NaN, or an infinity where there must be none.
    NotFinite,
    /// A number beyond its bound.
    TooLarge {
        /// The quantity.
        name: &'static str,
        /// What was given.
        value: f64,
        /// The largest allowed amount.
        most: f64,
    },
    /// A direction whose length is not one.
    NotUnit {
        /// The argument.
        name: &'static str,
        /// Its length.
        length: f64,
    },
    /// A number below 0 if there must be none.
    Negative {
        /// The argument.
        name: &'static str,
        /// What was given.
        value: f64,
    },
}

impl fmt::Display for CommandFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandFault::NotFinite => {
                f.write_str("[BH-PHY-051] a command holds a number that is not finite")
            }
            CommandFault::NotUnit { name, length } => {
                write!(
                    f,
                    "[BH-PHY-051] `{name}` of a command has the length {length}; expected a unit vector"
                )
            }
            CommandFault::TooLarge { name, value, most } => {
                write!(
                    f,
                    "[BH-PHY-051] {value:e} as {name} of a command is too large; expected {:e} to {most:e}",
                    -most
                )
            }
            CommandFault::Negative { name, value } => {
                write!(f, "[BH-PHY-051] `{name}` of a command is {value}; expected 0 or more")
            }
        }
    }
}

impl std::error::Error for CommandFault {}

/// Why a plugin of the world cannot place its model.
pub const NO_MODEL: &str = "this plugin is attached to the world and has no model to place";

/// Says that a handle names nothing.
#[must_use]
pub fn no_such_handle(kind: &str, handle: u64) -> String {
    format!("[BH-PHY-050] there is no {kind} with handle {handle}: handles come from the host's extensions")
}

/// Checks that each number is finite and at most `most`, or at least `-most`.
fn check_bound(name: &'static str, numbers: &[f64], most: f64) -> Result<(), CommandFault> {
    let range: RangeInclusive<f64> = -most..=most;
    match numbers.iter().find(|number| !range.contains(number)) {
        None => Ok(()),
        Some(value) if value.is_finite() => Err(CommandFault::TooLarge { name, value: *value, most }),
        Some(_) => Err(CommandFault::NotFinite),
    }
}

/// A command that applies a force and a torque.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large.
pub fn check_wrench(force: [f64; 3], torque: [f64; 3]) -> Result<(), CommandFault> {
    check_bound("force", &force, MAX_FORCE)?;
    check_bound("torque", &torque, MAX_FORCE)
}

/// A command that applies a force at a point.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large.
pub fn check_force_at(force: [f64; 3], point: [f64; 3]) -> Result<(), CommandFault> {
    check_bound("force", &force, MAX_FORCE)?;
    check_points(&point)
}

/// A command that sets the slips of a surface.
///
/// # Errors
/// Returns the fault of the first number that is negative, not finite or too large.
pub fn check_slips(slips: [f64; 2]) -> Result<(), CommandFault> {
    check_bound("slip", &slips, MAX_FORCE)?;
    slips.iter().try_for_each(|slip| check_sign("slip", *slip))
}

/// A command that lets a surface run.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large, or of an axis whose length is not one.
pub fn check_surface(axis: [f64; 3], speed: f64, center: Option<[f64; 3]>) -> Result<(), CommandFault> {
    let square: f64 = axis.iter().map(|part| part * part).sum();
    if !square.is_finite() {
        return Err(CommandFault::NotFinite);
    }
    if (square - 1.0).abs() > 1e-6 {
        return Err(CommandFault::NotUnit { name: "axis", length: square.sqrt() });
    }
    check_bound("velocity", &[speed], MAX_LINEAR)?;
    center.map_or(Ok(()), |center| check_points(&center))
}

/// Least and greatest distance of the hits of rays, metres.
///
/// # Errors
/// Returns what was expected.
pub fn check_range([least, most]: [f64; 2]) -> Result<(), String> {
    if least.is_nan() || most.is_nan() {
        return Err(format!("rays within {least} to {most} m; expected numbers"));
    }
    Ok(())
}

/// A plane with a normal at a height, which may be infinite.
///
/// # Errors
/// Returns what was expected.
pub fn check_plane(normal: [f64; 3], height: f64) -> Result<(), String> {
    let square: f64 = normal.iter().map(|part| part * part).sum();
    if !height.is_nan() && (square - 1.0).abs() <= 2e-4 {
        return Ok(());
    }
    Err(format!(
        "a plane with the normal {normal:?} at the height {height}; expected a unit vector and a number"
    ))
}

/// A command that sets the velocity of a model.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large.
pub fn check_motion(linear: [f64; 3], angular: [f64; 3]) -> Result<(), CommandFault> {
    check_bound("velocity", &linear, MAX_LINEAR)?;
    check_bound("angular velocity", &angular, MAX_ANGULAR)
}

/// A velocity that a client or peer requests.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large.
pub fn check_requested_motion(linear: [f64; 3], angular: [f64; 3]) -> Result<(), CommandFault> {
    check_bound("velocity", &linear, MAX_REQUESTED_LINEAR)?;
    check_bound("angular velocity", &angular, MAX_REQUESTED_ANGULAR)
}

/// Targets of joints that a client or peer requests.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large.
pub fn check_requested_targets(name: &'static str, targets: &[f64]) -> Result<(), CommandFault> {
    check_bound(name, targets, MAX_REQUESTED_OF_JOINT)
}

/// Positions in the world, metres.
///
/// # Errors
/// Returns the fault of the first number that is not finite or too large.
pub fn check_points(numbers: &[f64]) -> Result<(), CommandFault> {
    check_bound("position", numbers, MAX_DISTANCE)
}

/// A command that places a model: a position within [`MAX_DISTANCE`], and a quaternion that has a direction.
///
/// # Errors
/// Returns the fault of the first number that is not.
pub fn check_pose(position: [f64; 3], orientation: [f64; 4]) -> Result<(), CommandFault> {
    check_points(&position)?;
    let square: f64 = orientation.iter().map(|part| part * part).sum();
    if (1.0 / square.sqrt()).is_finite() && square.is_finite() {
        Ok(())
    } else {
        Err(CommandFault::NotFinite)
    }
}

/// A number that must not be negative.
fn check_sign(name: &'static str, value: f64) -> Result<(), CommandFault> {
    if value < 0.0 { Err(CommandFault::Negative { name, value }) } else { Ok(()) }
}

/// The greatest effort of a command: 0 or more, infinity for the joint's own limit.
fn check_max_effort(max_effort: f64) -> Result<(), CommandFault> {
    if max_effort.is_nan() { Err(CommandFault::NotFinite) } else { check_sign("max_effort", max_effort) }
}

/// A command that drives a joint towards a velocity.
///
/// # Errors
/// Returns what is wrong with its numbers.
pub fn check_velocity(velocity: f64, max_effort: f64) -> Result<(), CommandFault> {
    check_bound("joint velocity", &[velocity], MAX_OF_JOINT)?;
    check_max_effort(max_effort)
}

/// A command that drives a joint towards a position.
///
/// # Errors
/// Returns what is wrong with its numbers.
pub fn check_position(
    target: f64,
    stiffness: f64,
    damping: f64,
    max_effort: f64,
) -> Result<(), CommandFault> {
    check_bound("joint position", &[target], MAX_OF_JOINT)?;
    check_bound("stiffness", &[stiffness], MAX_FORCE)?;
    check_bound("damping", &[damping], MAX_FORCE)?;
    check_sign("stiffness", stiffness)?;
    check_sign("damping", damping)?;
    check_max_effort(max_effort)
}

/// A command that applies an effort to a joint.
///
/// # Errors
/// Returns what is wrong with its number.
pub fn check_effort(effort: f64) -> Result<(), CommandFault> {
    check_bound("effort", &[effort], MAX_FORCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_bound() {
        let every = |number: f64| {
            let vector = [0.0, number, 0.0];
            [
                check_wrench(vector, [0.0; 3]),
                check_wrench([0.0; 3], vector),
                check_force_at(vector, [0.0; 3]),
                check_force_at([0.0; 3], vector),
                check_motion(vector, [0.0; 3]),
                check_motion([0.0; 3], vector),
                check_requested_motion(vector, [0.0; 3]),
                check_requested_motion([0.0; 3], vector),
                check_requested_targets("target", &vector),
                check_pose(vector, [0.0, 0.0, 0.0, 1.0]),
                check_velocity(number, 1.0),
                check_position(number, 1.0, 1.0, 1.0),
                check_effort(number),
            ]
        };
        for number in [0.0, -0.0, 1e-300, -1e-300, 1e4, -1e4] {
            assert!(every(number).iter().all(Result::is_ok), "{number}: {:?}", every(number));
        }
        for number in [1e300, -1e300, f64::MAX, f64::MIN] {
            let is_too_large = |checked: &Result<(), CommandFault>| matches!(checked, Err(CommandFault::TooLarge { value, .. }) if *value == number);
            assert!(every(number).iter().all(is_too_large), "{number}: {:?}", every(number));
        }
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let checked = every(number);
            assert!(checked.iter().all(|checked| *checked == Err(CommandFault::NotFinite)), "{checked:?}");
        }
        for number in [1e300, f64::NAN] {
            assert!(
                check_position(0.0, number, 1.0, 1.0).is_err()
                    && check_position(0.0, 1.0, number, 1.0).is_err()
            );
        }
        assert_eq!(check_velocity(1.0, 1e300), Ok(()), "an effort may be unlimited");
        assert_eq!(check_pose([0.0; 3], [1e300, 0.0, 0.0, 0.0]), Err(CommandFault::NotFinite));
        let text = check_motion([0.0; 3], [0.0, 0.0, -1e300]).expect_err("refused").to_string();
        assert_eq!(
            text,
            "[BH-PHY-051] -1e300 as angular velocity of a command is too large; expected -1e5 to 1e5"
        );
    }

    #[test]
    fn directions_have_the_length_one() {
        assert_eq!(check_surface([0.0, 1.0, 0.0], 1.0, None), Ok(()));
        assert_eq!(check_surface([f64::NAN, 1.0, 0.0], 1.0, None), Err(CommandFault::NotFinite));
        let text = check_surface([0.0, 2.0, 0.0], 1.0, None).expect_err("refused").to_string();
        assert_eq!(text, "[BH-PHY-051] `axis` of a command has the length 2; expected a unit vector");
        assert_eq!(check_plane([0.0, 0.0, 1.0], f64::INFINITY), Ok(()));
        for (normal, height) in [([0.0, 0.0, 2.0], 0.0), ([f64::NAN; 3], 0.0), ([0.0, 0.0, 1.0], f64::NAN)] {
            assert!(check_plane(normal, height).is_err(), "{normal:?} {height}");
        }
        assert_eq!(check_range([0.0, f64::INFINITY]), Ok(()));
        assert!(check_range([f64::NAN, 1.0]).is_err() && check_range([0.0, f64::NAN]).is_err());
    }

    #[test]
    fn an_effort_may_be_unlimited_but_not_negative() {
        assert_eq!(check_velocity(1.0, f64::INFINITY), Ok(()));
        assert_eq!(check_position(1.0, 0.0, 0.0, 0.0), Ok(()));
        assert_eq!(check_velocity(f64::INFINITY, 1.0), Err(CommandFault::NotFinite));
        assert_eq!(check_velocity(1.0, f64::NAN), Err(CommandFault::NotFinite));
        assert_eq!(check_pose([0.0; 3], [0.0; 4]), Err(CommandFault::NotFinite));
        assert_eq!(check_pose([0.0; 3], [0.0, 0.0, 0.0, 2.0]), Ok(()));
        let texts = [
            check_velocity(1.0, -2.0),
            check_velocity(1.0, f64::NEG_INFINITY),
            check_position(1.0, -1.0, 0.0, 1.0),
            check_position(1.0, 1.0, -0.5, 1.0),
        ]
        .map(|checked| checked.map_or_else(|fault| fault.to_string(), |()| "fine".to_owned()));
        assert_eq!(
            texts,
            [
                "[BH-PHY-051] `max_effort` of a command is -2; expected 0 or more",
                "[BH-PHY-051] `max_effort` of a command is -inf; expected 0 or more",
                "[BH-PHY-051] `stiffness` of a command is -1; expected 0 or more",
                "[BH-PHY-051] `damping` of a command is -0.5; expected 0 or more",
            ]
        );
    }
}

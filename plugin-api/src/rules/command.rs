//! Numbers in commands.

use std::fmt;

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommandFault {
    /// NaN, or an infinity where there must be none.
    NotFinite,
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
            CommandFault::Negative { name, value } => {
                write!(f, "[BH-PHY-051] `{name}` of a command is {value}; expected 0 or more")
            }
        }
    }
}

impl std::error::Error for CommandFault {}

/// Says that a handle names nothing.
#[must_use]
pub fn no_such_handle(kind: &str, handle: u64) -> String {
    format!("[BH-PHY-050] there is no {kind} with handle {handle}: handles come from the host's extensions")
}

/// Numbers that must be finite: forces, torques, velocities, poses.
///
/// # Errors
/// Returns the fault of the first number that is not.
pub fn check_numbers(numbers: &[f64]) -> Result<(), CommandFault> {
    if numbers.iter().all(|number| number.is_finite()) { Ok(()) } else { Err(CommandFault::NotFinite) }
}

/// A command that places a model: finite numbers, and a quaternion that has a direction.
///
/// # Errors
/// Returns the fault of the first number that is not.
pub fn check_pose(position: [f64; 3], orientation: [f64; 4]) -> Result<(), CommandFault> {
    check_numbers(&position)?;
    check_numbers(&orientation)?;
    let square: f64 = orientation.iter().map(|part| part * part).sum();
    check_numbers(&[1.0 / square.sqrt()])
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
    check_numbers(&[velocity])?;
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
    check_numbers(&[target, stiffness, damping])?;
    check_sign("stiffness", stiffness)?;
    check_sign("damping", damping)?;
    check_max_effort(max_effort)
}

/// A command that applies an effort to a joint.
///
/// # Errors
/// Returns what is wrong with its number.
pub fn check_effort(effort: f64) -> Result<(), CommandFault> {
    check_numbers(&[effort])
}

#[cfg(test)]
mod tests {
    use super::*;

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

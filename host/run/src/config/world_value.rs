//! Values of the world that a run sets: `--set PATH=VALUE`, and `[[value]]` of the configuration file. The paths are
//! followed when the world is loaded. Plain values.

use std::ffi::OsStr;

use bridgehead_sdf::assign::Assignment;

use super::code::Code;
use super::error::ConfigError;

/// A value of the world to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueRequest {
    /// The path and the new text.
    pub assignment: Assignment,
    /// Its place: `file:line`, or the flag.
    pub place: String,
}

/// Reads a `--set` argument.
///
/// # Errors
/// Returns an error if it is not UTF-8, or not `PATH=VALUE`.
pub fn set_argument(argument: &OsStr) -> Result<ValueRequest, ConfigError> {
    let Some(text) = argument.to_str() else {
        let shown = argument.to_string_lossy();
        return Err(ConfigError::new(Code::NotUtf8, format!("the value `{shown}` is not UTF-8")));
    };
    let assignment = Assignment::parse(text).map_err(|error| malformed(&error.to_string()))?;
    Ok(ValueRequest { assignment, place: "--set".to_owned() })
}

/// Returns the error for a malformed path. The text of the path parser has a code and advice of its own.
pub(super) fn malformed(text: &str) -> ConfigError {
    let text = text.split_once("] ").map_or(text, |(_, rest)| rest);
    let (found, hint) = text.split_once("; try: ").unwrap_or((text, ""));
    let error = ConfigError::new(Code::ValueInvalid, found);
    if hint.is_empty() { error } else { error.hint(format!("write {hint}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_a_path_and_a_value() {
        let request = set_argument(OsStr::new("world.model[a].pose=0 0 1 0 0 0")).expect("a value");
        assert_eq!(request.assignment.to_string(), "world.model[a].pose=0 0 1 0 0 0");
        let error = set_argument(OsStr::new("world.model[a.pose=1")).expect_err("a bracket is missing");
        assert_eq!(error.code, Code::ValueInvalid);
        assert!(
            error.found.contains("world.model[a.pose") && error.hint.contains("inertial.mass"),
            "{error}"
        );
    }
}

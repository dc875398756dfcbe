//! Which interfaces a connection string or the environment variables of ROS 2 choose.

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::environment::{Environment, wrong};

const LOCALHOST: &str = "ROS_LOCALHOST_ONLY";
const RANGE: &str = "ROS_AUTOMATIC_DISCOVERY_RANGE";
const PEERS: &str = "ROS_STATIC_PEERS";

/// Which interfaces to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InterfaceChoice {
    /// All interfaces.
    All,
    /// Interfaces with these names or addresses.
    Interfaces(Vec<String>),
}

impl InterfaceChoice {
    /// The loopback interface only.
    pub(super) fn localhost() -> Self {
        InterfaceChoice::Interfaces(vec!["lo".to_owned()])
    }

    /// Parses `all`, or names or addresses separated by commas.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text == "all" {
            return Some(InterfaceChoice::All);
        }
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        (!names.iter().any(String::is_empty)).then_some(InterfaceChoice::Interfaces(names))
    }
}

/// Returns the interfaces that variables choose. `ROS_LOCALHOST_ONLY=1` takes precedence over the newer range, as in ROS.
///
/// # Errors
/// Returns an error if a variable has a value that is not supported.
pub(super) fn of(environment: Environment<'_>) -> Result<InterfaceChoice> {
    if environment.get(PEERS).is_some() {
        log::warn!("[BH-ROS-004] {PEERS} is set and has no effect: static peers are not supported");
    }
    if environment.get(LOCALHOST).as_deref() == Some("1") {
        return Ok(InterfaceChoice::localhost());
    }
    match environment.get(RANGE).as_deref() {
        None | Some("SUBNET" | "SYSTEM_DEFAULT") => Ok(InterfaceChoice::All),
        Some("LOCALHOST") => Ok(InterfaceChoice::localhost()),
        Some("OFF") => Err(wrong(
            RANGE,
            "OFF",
            "which disables discovery, so that no peer would find this bridge; give interface=, for example interface=lo",
        )),
        Some(text) => Err(wrong(RANGE, text, "expected SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interfaces(set: &[(&str, &str)]) -> Result<InterfaceChoice> {
        let find =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        of(Environment::of(&find))
    }

    #[test]
    fn two_variables_limit_a_run_to_this_machine() {
        assert_eq!(interfaces(&[(LOCALHOST, ""), (RANGE, " ")]), Ok(InterfaceChoice::All));
        assert_eq!(interfaces(&[(LOCALHOST, "1")]), Ok(InterfaceChoice::localhost()));
        assert_eq!(interfaces(&[(LOCALHOST, "0")]), Ok(InterfaceChoice::All));
        assert_eq!(interfaces(&[(RANGE, "LOCALHOST")]), Ok(InterfaceChoice::localhost()));
        assert_eq!(interfaces(&[(RANGE, "SUBNET")]), Ok(InterfaceChoice::All));
        assert_eq!(interfaces(&[(LOCALHOST, "1"), (RANGE, "SUBNET")]), Ok(InterfaceChoice::localhost()));
        for range in ["OFF", "localhost"] {
            let error = interfaces(&[(RANGE, range)]).expect_err(range);
            assert!(error.text().contains(range) && error.text().contains("[BH-ROS-003]"), "{error}");
        }
    }
}

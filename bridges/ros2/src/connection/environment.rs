//! The environment variables of ROS 2, for parts that a connection string leaves out, and the values that both can have.

use bridgehead_plugin_api::{Error, Result};

use crate::dds::GidSize;

const DOMAIN: &str = "ROS_DOMAIN_ID";
const LOCALHOST: &str = "ROS_LOCALHOST_ONLY";
const RANGE: &str = "ROS_AUTOMATIC_DISCOVERY_RANGE";
const PEERS: &str = "ROS_STATIC_PEERS";
const DISTRO: &str = "ROS_DISTRO";

/// Ports of higher domains would exceed 65535.
const LAST_DOMAIN: u16 = 232;

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
    pub(crate) fn localhost() -> Self {
        InterfaceChoice::Interfaces(vec!["lo".to_owned()])
    }
}

/// The relevant variables that are set; an empty one counts as unset, as in ROS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Environment {
    variables: Vec<(&'static str, String)>,
}

impl Environment {
    /// Reads the variables of this process.
    pub(super) fn of_process() -> Self {
        Environment::of(|name| std::env::var(name).ok())
    }

    /// Reads the variables that `find` returns.
    pub(super) fn of(find: impl Fn(&str) -> Option<String>) -> Self {
        let names = [DOMAIN, LOCALHOST, RANGE, PEERS, DISTRO];
        let set = names.into_iter().filter_map(|name| Some((name, find(name)?.trim().to_owned())));
        Environment { variables: set.filter(|(_, value)| !value.is_empty()).collect() }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the domain; 0 by default.
    pub(super) fn domain(&self) -> Result<u16> {
        let Some(text) = self.get(DOMAIN) else { return Ok(0) };
        domain(text).ok_or_else(|| {
            wrong(
                DOMAIN,
                text,
                &format!("expected a number from 0 to {LAST_DOMAIN}; unset it or give domain="),
            )
        })
    }

    /// Returns the interfaces. `ROS_LOCALHOST_ONLY=1` takes precedence over the newer range, as in ROS.
    pub(super) fn interfaces(&self) -> Result<InterfaceChoice> {
        if self.get(PEERS).is_some() {
            log::warn!("[BH-ROS-004] {PEERS} is set and has no effect: static peers are not supported");
        }
        if self.get(LOCALHOST) == Some("1") {
            return Ok(InterfaceChoice::localhost());
        }
        match self.get(RANGE) {
            None | Some("SUBNET" | "SYSTEM_DEFAULT") => Ok(InterfaceChoice::All),
            Some("LOCALHOST") => Ok(InterfaceChoice::localhost()),
            Some("OFF") => Err(wrong(
                RANGE,
                "OFF",
                "which disables discovery, so that no peer would find this bridge; \
                                      give interface=, for example interface=lo",
            )),
            Some(text) => Err(wrong(RANGE, text, "expected SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT")),
        }
    }

    /// Returns how addresses are written; as in Jazzy if the distribution is unknown.
    pub(super) fn gid(&self) -> GidSize {
        self.get(DISTRO).and_then(gid_of).unwrap_or_default()
    }
}

/// Returns the domain that a text names; `None` if it is not one.
pub(super) fn domain(text: &str) -> Option<u16> {
    text.parse().ok().filter(|domain| *domain <= LAST_DOMAIN)
}

/// Returns how a distribution writes addresses in `ros_discovery_info`.
pub(super) fn gid_of(distro: &str) -> Option<GidSize> {
    match distro {
        "foxy" | "galactic" | "humble" => Some(GidSize::Long),
        "iron" | "jazzy" | "kilted" | "lyrical" | "rolling" => Some(GidSize::Short),
        _ => None,
    }
}

fn wrong(name: &str, value: &str, why: &str) -> Error {
    Error::invalid(format!("[BH-ROS-003] the variable {name} is `{value}`, {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(set: &[(&str, &str)]) -> Environment {
        Environment::of(|name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn without_variables_the_defaults_of_ros_apply() {
        for set in [&[][..], &[(DOMAIN, ""), (LOCALHOST, ""), (RANGE, " "), (DISTRO, "")]] {
            let environment = environment(set);
            assert_eq!(environment.domain(), Ok(0));
            assert_eq!(environment.interfaces(), Ok(InterfaceChoice::All));
            assert_eq!(environment.gid(), GidSize::Short);
        }
    }

    #[test]
    fn the_domain_is_a_number_in_range() {
        assert_eq!(environment(&[(DOMAIN, "42")]).domain(), Ok(42));
        for wrong in ["233", "-1", "a", "1.5"] {
            let error = environment(&[(DOMAIN, wrong)]).domain().expect_err(wrong);
            assert!(error.text().contains(wrong) && error.text().contains("[BH-ROS-003]"), "{error}");
        }
    }

    #[test]
    fn two_variables_limit_a_run_to_this_machine() {
        let interfaces = |set: &[(&str, &str)]| environment(set).interfaces();
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

    #[test]
    fn a_known_distribution_decides_how_addresses_are_written() {
        assert_eq!(environment(&[(DISTRO, "humble")]).gid(), GidSize::Long);
        assert_eq!(environment(&[(DISTRO, "jazzy")]).gid(), GidSize::Short);
        assert_eq!(environment(&[(DISTRO, "noetic")]).gid(), GidSize::Short);
    }
}

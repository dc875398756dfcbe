//! What the variables of ROS 2 say, for what a connection string leaves out.

use bridgehead_plugin_api::{Error, Result};

use super::{LAST_DOMAIN, domain, gid_of};
use crate::dds::GidSize;

const DOMAIN: &str = "ROS_DOMAIN_ID";
const LOCALHOST: &str = "ROS_LOCALHOST_ONLY";
const RANGE: &str = "ROS_AUTOMATIC_DISCOVERY_RANGE";
const PEERS: &str = "ROS_STATIC_PEERS";
const DISTRO: &str = "ROS_DISTRO";

/// Which interfaces to speak on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InterfaceChoice {
    /// All that there are.
    All,
    /// Those with these names or addresses.
    Interfaces(Vec<String>),
}

impl InterfaceChoice {
    /// This machine and no other.
    pub(crate) fn localhost() -> Self {
        InterfaceChoice::Interfaces(vec!["lo".to_owned()])
    }
}

/// The variables that matter here, as they are set; an empty one counts as unset, as in ROS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Environment {
    variables: Vec<(&'static str, String)>,
}

impl Environment {
    /// Those of this process.
    pub(super) fn of_process() -> Self {
        Environment::of(|name| std::env::var(name).ok())
    }

    /// Those that `find` knows.
    pub(super) fn of(find: impl Fn(&str) -> Option<String>) -> Self {
        let names = [DOMAIN, LOCALHOST, RANGE, PEERS, DISTRO];
        let set = names.into_iter().filter_map(|name| Some((name, find(name)?.trim().to_owned())));
        Environment { variables: set.filter(|(_, value)| !value.is_empty()).collect() }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The domain: 0 where nothing is said.
    pub(super) fn domain(&self) -> Result<u16> {
        let Some(text) = self.get(DOMAIN) else { return Ok(0) };
        domain(text).ok_or_else(|| {
            wrong(DOMAIN, text, &format!("no number from 0 to {LAST_DOMAIN}; unset it or give domain="))
        })
    }

    /// The interfaces. `ROS_LOCALHOST_ONLY=1` comes before the newer range, as in ROS.
    pub(super) fn interfaces(&self) -> Result<InterfaceChoice> {
        if self.get(PEERS).is_some() {
            log::warn!("{PEERS} is set, and has no effect: there is no list of peers here [BH-ROS-004]");
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
                "no discovery at all, so that nobody would find this bridge; \
                                      give interface=, for example interface=lo",
            )),
            Some(text) => Err(wrong(RANGE, text, "none of SUBNET, LOCALHOST, OFF and SYSTEM_DEFAULT")),
        }
    }

    /// How addresses are written: as in Jazzy where nothing known is said.
    pub(super) fn gid(&self) -> GidSize {
        self.get(DISTRO).and_then(gid_of).unwrap_or_default()
    }
}

fn wrong(name: &str, value: &str, why: &str) -> Error {
    Error::invalid(format!("the variable {name} is `{value}`, {why} [BH-ROS-003]"))
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
    fn nothing_set_is_what_ros_does_by_itself() {
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
    fn two_variables_keep_a_run_on_its_machine() {
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
    fn a_known_distribution_says_how_addresses_are_written() {
        assert_eq!(environment(&[(DISTRO, "humble")]).gid(), GidSize::Long);
        assert_eq!(environment(&[(DISTRO, "jazzy")]).gid(), GidSize::Short);
        assert_eq!(environment(&[(DISTRO, "noetic")]).gid(), GidSize::Short);
    }
}

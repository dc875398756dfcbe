//! Resolves names of interfaces to addresses.

use std::net::IpAddr;

use bridgehead_plugin_api::{Error, Result};
use nix::ifaddrs::getifaddrs;

use super::interfaces::InterfaceChoice;
use crate::dds::Network;

/// An interface of this machine.
struct Interface {
    name: String,
    address: IpAddr,
}

/// Returns the addresses of the chosen interfaces.
///
/// # Errors
/// Returns an error if an interface does not exist.
pub(crate) fn resolve(interfaces: &InterfaceChoice) -> Result<Network> {
    match interfaces {
        InterfaceChoice::All => Ok(Network::All),
        InterfaceChoice::Interfaces(names) => Ok(Network::Only(addresses(names, &all()?)?)),
    }
}

fn addresses(names: &[String], all: &[Interface]) -> Result<Vec<IpAddr>> {
    let mut addresses = Vec::new();
    for name in names {
        let address: Option<IpAddr> = name.parse().ok();
        let is_meant = |interface: &&Interface| interface.name == *name || Some(interface.address) == address;
        let before = addresses.len();
        addresses.extend(all.iter().filter(is_meant).map(|interface| interface.address));
        if addresses.len() == before {
            return Err(missing(name, all));
        }
    }
    Ok(addresses)
}

fn all() -> Result<Vec<Interface>> {
    let found =
        getifaddrs().map_err(|error| Error::new(format!("the interfaces cannot be listed: {error}")))?;
    let with_address = found.filter_map(|interface| {
        let address = interface.address?;
        let v4 = address.as_sockaddr_in().map(|address| IpAddr::V4(address.ip()));
        let v6 = || address.as_sockaddr_in6().map(|address| IpAddr::V6(address.ip()));
        Some(Interface { name: interface.interface_name, address: v4.or_else(v6)? })
    });
    Ok(with_address.collect())
}

fn missing(name: &str, all: &[Interface]) -> Error {
    let known: Vec<String> =
        all.iter().map(|interface| format!("{} ({})", interface.name, interface.address)).collect();
    Error::invalid(format!(
        "[BH-ROS-005] interface=`{name}` does not exist on this machine, which has: {}",
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Vec<Interface> {
        [("lo", "127.0.0.1"), ("lo", "::1"), ("eth0", "10.0.0.7")]
            .map(|(name, address)| Interface {
                name: name.to_owned(),
                address: address.parse().expect("one"),
            })
            .into()
    }

    fn found(names: &[&str]) -> Result<Vec<String>> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Ok(addresses(&names, &machine())?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn interfaces_are_found_by_name_or_address() {
        assert_eq!(found(&["lo"]), Ok(vec!["127.0.0.1".to_owned(), "::1".to_owned()]));
        assert_eq!(found(&["10.0.0.7", "lo"]).map(|found| found.len()), Ok(3));
    }

    #[test]
    fn a_missing_interface_is_refused_with_a_list() {
        let error = found(&["lo", "wlan0"]).expect_err("there is none");
        assert!(error.text().contains("`wlan0`") && error.text().contains("eth0 (10.0.0.7)"), "{error}");
    }

    #[test]
    fn this_machine_has_a_loopback() {
        let Ok(Network::Only(addresses)) = resolve(&InterfaceChoice::localhost()) else {
            panic!("no loopback")
        };
        assert!(addresses.iter().any(IpAddr::is_loopback), "{addresses:?}");
    }
}

//! The connection string: `partition=test;names=ignition;ip=127.0.0.1`. Only options, all with defaults.

use std::net::Ipv4Addr;
use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key, Options};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONNECTION;
use crate::name::Partition;

/// The ports of discovery: of topics, and of services.
const PORTS: [u16; 2] = [10_317, 10_318];

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: None,
    keys: &[&[
        Key::new(
            "partition",
            "a name without blanks, `@`, `~`, `:=` and `//`",
            "that of `GZ_PARTITION` or `IGN_PARTITION`, else HOST:USER",
            "Processes see each other if they have the same partition.",
        ),
        Key::new(
            "names",
            "gz or ignition",
            "gz",
            "Package of the types: `gz.msgs` from Garden on, `ignition.msgs` up to Fortress.",
        ),
        Key::new(
            "ip",
            "an IPv4 address of this machine",
            "127.0.0.1",
            "Where the bridge listens and announces itself; peers set `GZ_IP` to it.",
        ),
        Key::new(
            "ports",
            "two numbers from 1 to 65535 with a comma, such as 10317,10318",
            "10317,10318",
            "Ports of discovery, of topics and of services.",
        ),
    ]],
    example: "partition=test;names=ignition",
};

/// The generation of Gazebo whose names the types have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Generation {
    /// Up to Fortress.
    Ignition,
    /// From Garden on.
    #[default]
    Gz,
}

/// Where the library discovers from version 10 on (Edifice), and before.
const GROUP: Ipv4Addr = Ipv4Addr::new(239, 255, 0, 7);
const OLD_GROUP: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 7);

impl Generation {
    /// Returns the multicast groups of its versions.
    pub(crate) fn groups(self) -> &'static [Ipv4Addr] {
        match self {
            Generation::Ignition => &[GROUP, OLD_GROUP],
            Generation::Gz => &[GROUP],
        }
    }

    /// Returns the name of a type on the wire.
    pub(crate) fn type_name(self, name: &str) -> String {
        match self {
            Generation::Ignition => format!("ignition.msgs.{name}"),
            Generation::Gz => format!("gz.msgs.{name}"),
        }
    }
}

/// A parsed connection string. Instances with equal ones share a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) partition: Partition,
    pub(crate) generation: Generation,
    pub(crate) ip: Ipv4Addr,
    pub(crate) ports: [u16; 2],
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let partition = match options.read("partition", Partition::parse)? {
            Some(partition) => partition,
            None => default_partition(&options)?,
        };
        let generation = options.read("names", |text| match text {
            "gz" => Some(Generation::Gz),
            "ignition" => Some(Generation::Ignition),
            _ => None,
        })?;
        Ok(Connection {
            partition,
            generation: generation.unwrap_or_default(),
            ip: options.read("ip", |text| text.parse().ok())?.unwrap_or(Ipv4Addr::LOCALHOST),
            ports: options.read("ports", ports)?.unwrap_or(PORTS),
        })
    }
}

fn ports(text: &str) -> Option<[u16; 2]> {
    let (topics, services) = text.split_once(',')?;
    let port = |text: &str| text.trim().parse().ok().filter(|port| *port > 0);
    let ports = [port(topics)?, port(services)?];
    (ports[0] != ports[1]).then_some(ports)
}

/// Returns the partition that the programs of Gazebo in this environment have.
fn default_partition(options: &Options<'_>) -> Result<Partition> {
    for variable in ["GZ_PARTITION", "IGN_PARTITION"] {
        if let Ok(text) = std::env::var(variable) {
            return Partition::parse(&text).ok_or_else(|| {
                options.wrong(format_args!("the partition `{text}` of {variable} is no name"))
            });
        }
    }
    let host = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    let user = std::env::var("USER").ok().or_else(|| {
        let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten();
        user.map(|user| user.name)
    });
    let text = format!("{}:{}", host.unwrap_or_default(), user.unwrap_or_default());
    Partition::parse(&text).ok_or_else(|| {
        options.wrong(format_args!("the name of this machine and user `{text}` is no partition: give one"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_default() {
        let parsed: Connection = "partition=test".parse().expect("parsed");
        assert_eq!(parsed.partition.to_string(), "test");
        assert_eq!(
            (parsed.generation, parsed.ip, parsed.ports),
            (Generation::Gz, Ipv4Addr::LOCALHOST, PORTS)
        );
        assert!("".parse::<Connection>().is_ok());
    }

    #[test]
    fn parts_set_the_options() {
        let parsed: Connection =
            "partition=/a/b/; names=ignition; ip=10.0.0.7; ports=20000, 20001".parse().expect("parsed");
        assert_eq!(parsed.partition.to_string(), "a/b");
        assert_eq!(parsed.generation.type_name("Clock"), "ignition.msgs.Clock");
        assert_eq!((parsed.generation.groups().len(), Generation::Gz.groups().len()), (2, 1));
        assert_eq!((parsed.ip, parsed.ports), (Ipv4Addr::new(10, 0, 0, 7), [20_000, 20_001]));
    }

    #[test]
    fn a_wrong_part_is_named_with_the_expected_form() {
        for (text, part) in [
            ("partition=a b", "`partition=` must be a name"),
            ("partition=a;names=ros", "must be gz or ignition"),
            ("partition=a;ip=robot", "must be an IPv4 address"),
            ("partition=a;ports=1", "must be two numbers"),
            ("partition=a;ports=1,1", "must be two numbers"),
        ] {
            let error = text.parse::<Connection>().expect_err(text);
            assert!(error.text().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn the_readme_documents_the_form() {
        let (section, readme) = (FORM.markdown(), include_str!("../README.md"));
        assert!(readme.contains(&section), "README.md needs this text:\n{section}");
    }
}

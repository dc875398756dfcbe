//! The connection string: `mode=peer;connect=tcp/localhost:7447;prefix=bridgehead;encoding=json`, every part optional.

use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONNECTION;
use crate::network::{self, Network};
use crate::plain::codec::Encoding;
use crate::plain::key::Prefix;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: None,
    keys: &[
        network::KEYS,
        &[
            Key::new(
                "prefix",
                "a key without wildcards, such as bridgehead or lab/sim1",
                "bridgehead",
                "What all keys of the run begin with.",
            ),
            Key::new(
                "encoding",
                "json, protobuf or cdr",
                "json",
                "Encoding of messages, and of what a peer sends without saying its encoding.",
            ),
        ],
    ],
    example: "prefix=lab/sim1;encoding=cdr",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) network: Network,
    pub(crate) prefix: Prefix,
    pub(crate) encoding: Encoding,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        Ok(Connection {
            network: Network::read(&options)?,
            prefix: options.read("prefix", Prefix::parse)?.unwrap_or_default(),
            encoding: options.read("encoding", Encoding::parse)?.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Mode;

    #[test]
    fn every_part_has_a_default() {
        let connection: Connection = "".parse().expect("valid");
        assert_eq!(connection.network.mode, Mode::Peer);
        assert_eq!((connection.prefix, connection.encoding), (Prefix::default(), Encoding::Json));
        let given: Connection = "prefix=lab/sim1;encoding=cdr;mode=router".parse().expect("valid");
        assert_eq!(given.prefix.as_str(), "lab/sim1");
        assert_eq!((given.network.mode, given.encoding), (Mode::Router, Encoding::Cdr));
    }

    #[test]
    fn errors_name_the_wrong_part() {
        for (text, named) in [
            ("prefix=/lab", "`prefix=` must be a key without wildcards"),
            ("prefix=lab/*", "found `lab/*`"),
            ("prefix=lab//sim", "found `lab//sim`"),
            ("prefix=@ros2_lv", "found `@ros2_lv`"),
            ("encoding=xml", "`encoding=` must be json, protobuf or cdr, found `xml`"),
            ("domain=3", "`domain=` is not a known key"),
            ("mode=mesh", "`mode=` must be peer, client or router"),
        ] {
            let error = text.parse::<Connection>().expect_err(text);
            assert!(error.text().contains(named) && error.text().starts_with("[BH-ZEN-001]"), "{error}");
        }
    }

    #[test]
    fn the_readme_documents_the_form() {
        let (section, readme) = (FORM.markdown(), include_str!("../../README.md"));
        assert!(readme.contains(&section), "README.md needs this text:\n{section}");
    }
}

//! The encoding of a sample's body, as given in its encapsulation.

use bridgehead_plugin_api::{Error, Result};
use rustdds::RepresentationIdentifier as Id;

/// Encapsulation of a sample: RTPS 2.3, table 10.3, and DDS-XTYPES 1.2, table 60.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// CDR version 1, little endian.
    Cdr,
    /// CDR version 1, big endian.
    CdrBigEndian,
    /// Another one, by its two bytes.
    Other([u8; 2]),
}

/// Encodings whose samples are accepted, so that unsupported ones can be reported to the sender.
pub(super) const ACCEPTED: &[Id] = &[
    Id::CDR_LE,
    Id::CDR_BE,
    Id::PL_CDR_LE,
    Id::PL_CDR_BE,
    Id::XML,
    Id::XCDR2_LE,
    Id::XCDR2_BE,
    Id::D_CDR2_LE,
    Id::D_CDR2_BE,
    Id::PL_XCDR2_LE,
    Id::PL_XCDR2_BE,
];

impl Encoding {
    /// Checks that samples in this encoding can be read.
    ///
    /// # Errors
    /// Returns an error that names the encoding if it is not [`Encoding::Cdr`].
    pub fn check(self) -> Result {
        let found = match self {
            Encoding::Cdr => return Ok(()),
            Encoding::CdrBigEndian => "big endian".to_owned(),
            Encoding::Other([0, 2 | 3]) => "a parameter list".to_owned(),
            Encoding::Other([0, 4]) => "XML".to_owned(),
            Encoding::Other([0, 6..=0x0b]) => "CDR version 2".to_owned(),
            Encoding::Other([high, low]) => format!("encapsulation {high:02x} {low:02x}"),
        };
        Err(Error::unsupported(format!(
            "its encoding is {found}; only CDR version 1 in little endian is supported, which every ROS 2 writes"
        )))
    }
}

impl From<Id> for Encoding {
    fn from(id: Id) -> Self {
        match id {
            Id::CDR_LE => Encoding::Cdr,
            Id::CDR_BE => Encoding::CdrBigEndian,
            other => Encoding::Other(other.to_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_encoding_is_supported_and_the_others_are_named() {
        let reported =
            ACCEPTED.iter().map(|id| Encoding::from(*id).check().err().map(|error| error.text().to_owned()));
        let reported: Vec<Option<String>> = reported.collect();
        assert_eq!(reported[0], None);
        for (reported, part) in
            reported[1..].iter().flatten().zip(["big endian", "parameter", "parameter", "XML", "version 2"])
        {
            assert!(reported.contains(part), "{reported}");
        }
        assert_eq!(reported.iter().flatten().count(), ACCEPTED.len() - 1);
    }
}

//! How the bytes of a sample are written, as it says itself.

use bridgehead_plugin_api::{Error, Result};
use rustdds::RepresentationIdentifier as Id;

/// What the encapsulation before a sample says: RTPS 2.3, table 10.3, and DDS-XTYPES 1.2, table 60.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Version 1 of CDR, little endian.
    Cdr,
    /// Version 1 of CDR, big endian.
    CdrBigEndian,
    /// Another, by its two bytes.
    Other([u8; 2]),
}

/// All of which samples are let in. Who writes what is not read here can then be told so.
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
    /// Whether samples in it are read here.
    ///
    /// # Errors
    /// Says what the sample is written in, where that is not [`Encoding::Cdr`].
    pub fn check(self) -> Result {
        let found = match self {
            Encoding::Cdr => return Ok(()),
            Encoding::CdrBigEndian => "big endian".to_owned(),
            Encoding::Other([0, 2 | 3]) => "a list of parameters".to_owned(),
            Encoding::Other([0, 4]) => "XML".to_owned(),
            Encoding::Other([0, 6..=0x0b]) => "version 2 of CDR".to_owned(),
            Encoding::Other([high, low]) => format!("encapsulation {high:02x} {low:02x}"),
        };
        Err(Error::unsupported(format!(
            "it is {found}; only version 1 of CDR in little endian is read, which every ROS 2 writes"
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
    fn one_is_read_and_the_others_are_named() {
        let reported =
            ACCEPTED.iter().map(|id| Encoding::from(*id).check().err().map(|error| error.text().to_owned()));
        let reported: Vec<Option<String>> = reported.collect();
        assert_eq!(reported[0], None);
        for (reported, part) in
            reported[1..].iter().flatten().zip(["big endian", "parameters", "parameters", "XML", "version 2"])
        {
            assert!(reported.contains(part), "{reported}");
        }
        assert_eq!(reported.iter().flatten().count(), ACCEPTED.len() - 1);
    }
}

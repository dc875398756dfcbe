//! Addresses of endpoints and identities of samples.

use std::fmt;

use rustdds::{GUID, SampleIdentity, SequenceNumber};

/// Bytes of a [`Guid`] that all endpoints of one participant share.
const PREFIX_BYTES: usize = 12;

/// The address of an endpoint as on the wire: 12 bytes of its participant, 4 of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(pub [u8; 16]);

impl Guid {
    /// Returns the part that identifies the participant.
    pub(super) fn prefix(self) -> [u8; PREFIX_BYTES] {
        let mut prefix = [0; PREFIX_BYTES];
        for (to, from) in prefix.iter_mut().zip(self.0) {
            *to = from;
        }
        prefix
    }

    /// Returns the part that identifies the endpoint within its participant.
    pub(super) fn entity(self) -> [u8; 4] {
        let Guid([.., a, b, c, d]) = self;
        [a, b, c, d]
    }

    /// Returns the DDS implementation: the address of a participant begins with its vendor id.
    #[must_use]
    pub fn vendor(self) -> Vendor {
        let [first, second, ..] = self.0;
        Vendor::of([first, second])
    }
}

impl From<GUID> for Guid {
    fn from(guid: GUID) -> Self {
        Guid(guid.to_bytes())
    }
}

impl From<Guid> for GUID {
    fn from(guid: Guid) -> Self {
        GUID::from_bytes(guid.0)
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            if at > 0 && at % 4 == 0 {
                f.write_str(":")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// Identity of one sample of one writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SampleId {
    /// Usually the writer of the sample. Clients of Fast DDS name the reader that waits for the reply.
    pub guid: Guid,
    /// Counts from 1. [`SampleId::UNKNOWN`] if a client leaves it to the receiver.
    pub sequence: i64,
}

impl SampleId {
    /// The unknown sequence number: high word -1, low word 0.
    pub const UNKNOWN: i64 = -1 << 32;

    /// Returns true if the sequence number is known. There are two values for unknown.
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        self.sequence > 0 && self.sequence != i64::from(SequenceNumber::UNKNOWN)
    }
}

impl From<SampleIdentity> for SampleId {
    fn from(identity: SampleIdentity) -> Self {
        SampleId { guid: identity.writer_guid.into(), sequence: identity.sequence_number.into() }
    }
}

impl From<SampleId> for SampleIdentity {
    fn from(id: SampleId) -> Self {
        SampleIdentity { writer_guid: id.guid.into(), sequence_number: SequenceNumber::new(id.sequence) }
    }
}

/// A DDS implementation. Their services differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vendor {
    /// Eclipse Cyclone DDS: `rmw_cyclonedds`.
    Cyclone,
    /// eProsima Fast DDS: `rmw_fastrtps`.
    FastDds,
    /// RustDDS, which this bridge uses.
    RustDds,
    /// Any other, with the vendor id assigned by the OMG.
    Other([u8; 2]),
}

impl Vendor {
    /// Returns the vendor with an id assigned by the OMG.
    #[must_use]
    pub fn of(number: [u8; 2]) -> Self {
        match number {
            [1, 0x10] => Vendor::Cyclone,
            [1, 0x0f] => Vendor::FastDds,
            [1, 0x12] => Vendor::RustDds,
            other => Vendor::Other(other),
        }
    }
}

impl fmt::Display for Vendor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vendor::Cyclone => f.write_str("Cyclone DDS"),
            Vendor::FastDds => f.write_str("Fast DDS"),
            Vendor::RustDds => f.write_str("RustDDS"),
            Vendor::Other([first, second]) => write!(f, "the DDS vendor {first:02x}.{second:02x}"),
        }
    }
}

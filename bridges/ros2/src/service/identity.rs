//! The identity by which a client relates a reply to its request.

use crate::dds::{Encoding, Guid, SampleId};

use super::mapping::Kind;

/// Bytes of the header that Cyclone's clients put before a request: a client id and a sequence number.
pub(crate) const HEADER_BYTES: usize = 16;

/// The identity that is sent back with the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The header of the request, which only the client interprets; in little endian, like replies.
    Header([u8; HEADER_BYTES]),
    /// The related sample identity of the reply.
    Related(SampleId),
}

/// A request whose header is incomplete or in an unknown position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoHeader;

/// A received request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived<'a> {
    /// All of its bytes.
    pub(crate) payload: &'a [u8],
    /// Their encoding.
    pub(crate) encoding: Encoding,
    /// The identity of the sample.
    pub(crate) sample: SampleId,
    /// The related sample identity, if it has one.
    pub(crate) related: Option<SampleId>,
}

impl Identity {
    /// Splits a request into its identity and its message.
    ///
    /// # Errors
    /// Returns an error if the header is missing.
    pub(crate) fn split<'a>(kind: Kind, request: &Arrived<'a>) -> Result<(Self, &'a [u8]), NoHeader> {
        match kind {
            Kind::Header => {
                let (header, message) = request.payload.split_first_chunk().ok_or(NoHeader)?;
                Ok((Identity::Header(in_little_endian(*header, request.encoding)?), message))
            }
            Kind::InlineQos => {
                let id = related_to(request.sample, request.related);
                Ok((Identity::Related(id), request.payload))
            }
        }
    }

    /// Returns the bytes before the message of the reply.
    pub(crate) fn header(&self) -> &[u8] {
        match self {
            Identity::Header(header) => header,
            Identity::Related(_) => &[],
        }
    }

    /// Returns the related sample identity of the reply.
    pub(crate) fn related(&self) -> Option<SampleId> {
        match self {
            Identity::Header(_) => None,
            Identity::Related(id) => Some(*id),
        }
    }

    /// Returns the reader that waits for the reply, if the request named it.
    pub(crate) fn reader(&self) -> Option<Guid> {
        self.related().map(|id| id.guid).filter(|guid| is_reader(*guid))
    }
}

/// Converts a header of two 8-byte numbers to little endian.
fn in_little_endian(
    mut header: [u8; HEADER_BYTES],
    encoding: Encoding,
) -> Result<[u8; HEADER_BYTES], NoHeader> {
    match encoding {
        Encoding::Cdr => {}
        Encoding::CdrBigEndian => header.chunks_exact_mut(8).for_each(<[u8]>::reverse),
        Encoding::Other(_) => return Err(NoHeader),
    }
    Ok(header)
}

/// The unknown address.
const UNKNOWN: Guid = Guid([0; 16]);

/// Returns true for user-defined readers, with or without key: the last byte of an address is its kind (RTPS
/// 9.3.1.2).
fn is_reader(guid: Guid) -> bool {
    matches!(guid.0, [.., 0x04 | 0x07])
}

/// Fast DDS sends the reader of the replies with a request, without a sequence number; the number is then the
/// sample's.
fn related_to(sample: SampleId, related: Option<SampleId>) -> SampleId {
    match related {
        Some(related) if related.guid != UNKNOWN => {
            let sequence = if related.is_numbered() { related.sequence } else { sample.sequence };
            SampleId { guid: related.guid, sequence }
        }
        _ => sample,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guid(of: u8, kind: u8) -> Guid {
        let mut bytes = [of; 16];
        bytes[15] = kind;
        Guid(bytes)
    }

    const READER: u8 = 0x04;
    const WRITER: u8 = 0x03;

    #[test]
    fn a_header_is_returned_unchanged() {
        let payload: Vec<u8> = (0..20).collect();
        let sample = SampleId { guid: guid(1, WRITER), sequence: 5 };
        let request = Arrived { payload: &payload, encoding: Encoding::Cdr, sample, related: None };
        let (identity, message) = Identity::split(Kind::Header, &request).expect("a header");
        assert_eq!(message, [16, 17, 18, 19]);
        assert_eq!(identity.header(), &payload[..16]);
        assert_eq!((identity.related(), identity.reader()), (None, None));
        let turned = Arrived { encoding: Encoding::CdrBigEndian, ..request };
        let (identity, message) = Identity::split(Kind::Header, &turned).expect("a header");
        assert_eq!(message, [16, 17, 18, 19]);
        assert_eq!(identity.header(), [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
        let other = Arrived { encoding: Encoding::Other([0, 9]), ..request };
        assert_eq!(Identity::split(Kind::Header, &other).err(), Some(NoHeader));
    }

    #[test]
    fn a_request_shorter_than_its_header_is_refused() {
        let sample = SampleId { guid: guid(1, WRITER), sequence: 5 };
        for length in [0, 1, 15] {
            let payload = vec![0; length];
            let request = Arrived { payload: &payload, encoding: Encoding::Cdr, sample, related: None };
            assert_eq!(Identity::split(Kind::Header, &request).err(), Some(NoHeader));
            assert!(Identity::split(Kind::InlineQos, &request).is_ok());
        }
    }

    #[test]
    fn a_named_reader_gets_the_number_of_the_sample() {
        let sample = SampleId { guid: guid(1, WRITER), sequence: 5 };
        let unknown = SampleId::UNKNOWN;
        for (related, expected, reader) in [
            (Some((guid(2, READER), unknown)), (guid(2, READER), 5), Some(guid(2, READER))),
            (Some((guid(2, READER), 0)), (guid(2, READER), 5), Some(guid(2, READER))),
            // A client that numbers its requests itself.
            (Some((guid(2, WRITER), 9)), (guid(2, WRITER), 9), None),
            (Some((UNKNOWN, unknown)), (guid(1, WRITER), 5), None),
            (None, (guid(1, WRITER), 5), None),
        ] {
            let related = related.map(|(guid, sequence)| SampleId { guid, sequence });
            let request = Arrived { payload: &[1, 2], encoding: Encoding::Cdr, sample, related };
            let (identity, message) = Identity::split(Kind::InlineQos, &request).expect("a message");
            let (guid, sequence) = expected;
            assert_eq!(identity.related(), Some(SampleId { guid, sequence }));
            assert_eq!((identity.reader(), identity.header(), message), (reader, &[][..], &[1, 2][..]));
        }
    }
}

//! Which request a reply belongs to, as its client will recognise it.

use crate::dds::{Encoding, Guid, SampleId};

use super::mapping::Kind;

/// Bytes of the header that Cyclone's clients put before a request: an id of the client, and a number that counts.
pub(crate) const HEADER_BYTES: usize = 16;

/// What goes back with the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The header of the request: the client made it and reads it. In little endian, as replies are.
    Header([u8; HEADER_BYTES]),
    /// What stands beside the reply.
    Related(SampleId),
}

/// A request whose header is not all there, or not where it is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoHeader;

/// A request as it came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived<'a> {
    /// All of its bytes.
    pub(crate) payload: &'a [u8],
    /// What they are written in.
    pub(crate) encoding: Encoding,
    /// The sample itself.
    pub(crate) sample: SampleId,
    /// The identity beside it.
    pub(crate) related: Option<SampleId>,
}

impl Identity {
    /// The identity of a request, and its message.
    ///
    /// # Errors
    /// Where the header is not found.
    pub(crate) fn take<'a>(kind: Kind, request: &Arrived<'a>) -> Result<(Self, &'a [u8]), NoHeader> {
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

    /// What stands before the message of the reply.
    pub(crate) fn header(&self) -> &[u8] {
        match self {
            Identity::Header(header) => header,
            Identity::Related(_) => &[],
        }
    }

    /// What stands beside the reply.
    pub(crate) fn related(&self) -> Option<SampleId> {
        match self {
            Identity::Header(_) => None,
            Identity::Related(id) => Some(*id),
        }
    }

    /// The reader that waits for the reply, where the request named it.
    pub(crate) fn reader(&self) -> Option<Guid> {
        self.related().map(|id| id.guid).filter(|guid| is_reader(*guid))
    }
}

/// The id and the number of a header, eight bytes each.
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

/// An address of nobody.
const NOBODY: Guid = Guid([0; 16]);

/// The last byte of an address says what it is of (RTPS 9.3.1.2): of users' readers, without a key and with one.
fn is_reader(guid: Guid) -> bool {
    matches!(guid.0, [.., 0x04 | 0x07])
}

/// Fast DDS puts the reader of the replies beside a request, without a number; the number is then that of the sample.
fn related_to(sample: SampleId, related: Option<SampleId>) -> SampleId {
    match related {
        Some(related) if related.guid != NOBODY => {
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
    fn a_header_goes_back_as_it_came() {
        let payload: Vec<u8> = (0..20).collect();
        let sample = SampleId { guid: guid(1, WRITER), sequence: 5 };
        let request = Arrived { payload: &payload, encoding: Encoding::Cdr, sample, related: None };
        let (identity, message) = Identity::take(Kind::Header, &request).expect("a header");
        assert_eq!(message, [16, 17, 18, 19]);
        assert_eq!(identity.header(), &payload[..16]);
        assert_eq!((identity.related(), identity.reader()), (None, None));
        let turned = Arrived { encoding: Encoding::CdrBigEndian, ..request };
        let (identity, message) = Identity::take(Kind::Header, &turned).expect("a header");
        assert_eq!(message, [16, 17, 18, 19]);
        assert_eq!(identity.header(), [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
        let other = Arrived { encoding: Encoding::Other([0, 9]), ..request };
        assert_eq!(Identity::take(Kind::Header, &other).err(), Some(NoHeader));
    }

    #[test]
    fn a_request_without_room_for_its_header_is_none() {
        let sample = SampleId { guid: guid(1, WRITER), sequence: 5 };
        for length in [0, 1, 15] {
            let payload = vec![0; length];
            let request = Arrived { payload: &payload, encoding: Encoding::Cdr, sample, related: None };
            assert_eq!(Identity::take(Kind::Header, &request).err(), Some(NoHeader));
            assert!(Identity::take(Kind::InlineQos, &request).is_ok());
        }
    }

    #[test]
    fn the_reader_that_a_client_names_gets_the_number_of_the_sample() {
        let sample = SampleId { guid: guid(1, WRITER), sequence: 5 };
        let unknown = SampleId::UNKNOWN;
        for (related, expected, reader) in [
            (Some((guid(2, READER), unknown)), (guid(2, READER), 5), Some(guid(2, READER))),
            (Some((guid(2, READER), 0)), (guid(2, READER), 5), Some(guid(2, READER))),
            // A client that numbers its requests itself.
            (Some((guid(2, WRITER), 9)), (guid(2, WRITER), 9), None),
            (Some((NOBODY, unknown)), (guid(1, WRITER), 5), None),
            (None, (guid(1, WRITER), 5), None),
        ] {
            let related = related.map(|(guid, sequence)| SampleId { guid, sequence });
            let request = Arrived { payload: &[1, 2], encoding: Encoding::Cdr, sample, related };
            let (identity, message) = Identity::take(Kind::InlineQos, &request).expect("a message");
            let (guid, sequence) = expected;
            assert_eq!(identity.related(), Some(SampleId { guid, sequence }));
            assert_eq!((identity.reader(), identity.header(), message), (reader, &[][..], &[1, 2][..]));
        }
    }
}

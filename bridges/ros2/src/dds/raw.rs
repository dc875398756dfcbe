//! Passes bytes through the typed interface of `rustdds`.

use std::convert::Infallible;
use std::fmt;

use bytes::Bytes;
use rustdds::RepresentationIdentifier;
use rustdds::no_key::{
    DataWriter, Decode, DefaultDecoder, DeserializerAdapter, SerializerAdapter, SimpleDataReader,
};

use super::encoding::{ACCEPTED, Encoding};

/// The underlying writer of `rustdds`.
pub(super) type Writer = DataWriter<Outgoing, Raw>;

/// The underlying reader of `rustdds`.
pub(super) type Reader = SimpleDataReader<Incoming, Raw>;

/// An outgoing CDR body, little endian, a multiple of four bytes long.
#[derive(Clone)]
pub(super) struct Outgoing(pub(super) Bytes);

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Outgoing({} bytes)", self.0.len())
    }
}

/// A received body.
#[derive(Clone)]
pub(super) struct Incoming {
    pub(super) body: Bytes,
    pub(super) encoding: Encoding,
}

/// Passes bytes through unchanged.
pub(super) struct Raw;

impl SerializerAdapter<Outgoing> for Raw {
    type Error = Infallible;

    fn output_encoding() -> RepresentationIdentifier {
        RepresentationIdentifier::CDR_LE
    }

    fn to_bytes(value: &Outgoing) -> Result<Bytes, Infallible> {
        Ok(value.0.clone())
    }
}

impl DeserializerAdapter<Incoming> for Raw {
    type Error = Infallible;
    type Decoded = Incoming;

    fn supported_encodings() -> &'static [RepresentationIdentifier] {
        ACCEPTED
    }

    fn transform_decoded(decoded: Incoming) -> Incoming {
        decoded
    }
}

impl DefaultDecoder<Incoming> for Raw {
    type Decoder = CopyDecoder;
    const DECODER: CopyDecoder = CopyDecoder;
}

/// Copies bytes out of the cache of `rustdds`, which may evict them at any time.
#[derive(Clone)]
pub(super) struct CopyDecoder;

impl Decode<'_, Incoming> for CopyDecoder {
    type Error = Infallible;

    fn decode_bytes(self, body: &[u8], encoding: RepresentationIdentifier) -> Result<Incoming, Infallible> {
        Ok(Incoming { body: Bytes::copy_from_slice(body), encoding: encoding.into() })
    }
}

//! Puts the fields of a payload into declared order: the rare path for wire data that common encoders do not write.
//!
//! Protobuf allows fields in any order, lets the last of a repeated singular field win, and merges two pieces of one
//! message. The encoders read in declared order only and use this module if a payload has another order.

use std::ops::Range;

use crate::error::{PayloadError, PayloadFault};
use crate::message_type::{Arity, Field, MessageType, Struct, Wire};
use crate::wire::{Reader, WireType, put_delimited, put_key};

/// One field in the payload.
struct Piece<'a> {
    index: usize,
    /// Key and value.
    whole: &'a [u8],
    /// The value without its length, for length-delimited fields.
    body: &'a [u8],
}

/// Appends `payload`, a message of type `of`, in canonical form: declared order, each singular field once, no unknown
/// fields, contained messages likewise.
pub(crate) fn reorder(
    message: &MessageType,
    of: &Struct,
    payload: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    let mut pieces = pieces(of, payload)?;
    pieces.sort_by_key(|piece| piece.index);
    for same in pieces.chunk_by(|a, b| a.index == b.index) {
        let Some(field) = same.first().and_then(|piece| of.fields.get(piece.index)) else { continue };
        reorder_field(message, field, same, out).map_err(|error| error.below(&field.name))?;
    }
    Ok(())
}

fn reorder_field(
    message: &MessageType,
    field: &Field,
    pieces: &[Piece<'_>],
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    let contained = match field.wire {
        Wire::Message(id) => message.dependency(id),
        _ => None,
    };
    match (contained, field.arity) {
        (Some(contained), Arity::One) => {
            let merged: Vec<u8> = pieces.iter().flat_map(|piece| piece.body).copied().collect();
            put_message(message, contained, field, &merged, out)
        }
        (Some(contained), Arity::Sequence | Arity::Bounded(_) | Arity::Fixed(_)) => {
            pieces.iter().try_for_each(|piece| put_message(message, contained, field, piece.body, out))
        }
        // `bytes` is one value on the wire but an array in ROS.
        (None, arity) if arity == Arity::One || field.wire == Wire::Bytes => {
            out.extend_from_slice(pieces.last().map_or(&[], |piece| piece.whole));
            Ok(())
        }
        (None, _) => {
            pieces.iter().for_each(|piece| out.extend_from_slice(piece.whole));
            Ok(())
        }
    }
}

fn put_message(
    message: &MessageType,
    contained: &Struct,
    field: &Field,
    body: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    put_key(out, field.number, WireType::Length);
    put_delimited(out, |out| reorder(message, contained, body, out))
}

fn pieces<'a>(of: &Struct, payload: &'a [u8]) -> Result<Vec<Piece<'a>>, PayloadError> {
    let mut reader = Reader::new(payload);
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some((number, wire_type)) = reader.key()? {
        let index = of.index_of(number, pieces.last().map_or(0, |piece: &Piece<'_>| piece.index));
        let expected = index.and_then(|index| of.fields.get(index)).map(|field| field.wire);
        if let Some(expected @ Wire::Message(_)) = expected
            && wire_type != WireType::Length
        {
            return Err(
                PayloadFault::WireType { found: wire_type.number(), expected: expected.name() }.into()
            );
        }
        let body = match wire_type {
            WireType::Length => reader.bytes()?,
            other => {
                reader.skip(other)?;
                &[]
            }
        };
        let end = payload.len() - reader.remaining();
        if let Some(index) = index {
            pieces.push(Piece { index, whole: slice(payload, start..end), body });
        }
        start = end;
    }
    Ok(pieces)
}

fn slice(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

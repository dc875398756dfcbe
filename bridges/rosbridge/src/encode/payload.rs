//! Reads protobuf into the fields of a message. Texts, bytes and packed arrays stay where they are.

use std::fmt;

use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Struct, Wire};

/// The value of one field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Slot<'a> {
    /// It has its default.
    #[default]
    Absent,
    /// The bits of a number; signed ones as 64 bits in two's complement.
    Number(u64),
    /// A text or bytes.
    Bytes(&'a [u8]),
    Message(Vec<Slot<'a>>),
    /// An array of numbers of a fixed width, as on the wire: little endian.
    Packed(&'a [u8]),
    Numbers(Vec<u64>),
    Texts(Vec<&'a [u8]>),
    Messages(Vec<Vec<Slot<'a>>>),
}

/// The payload is not protobuf of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the payload is not protobuf of its type")
    }
}

/// Numbers of the wire types of protobuf.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const LENGTH: u64 = 2;
const FIXED32: u64 = 5;

/// Reads a payload.
pub(crate) fn read<'a>(message: &MessageType, payload: &'a [u8]) -> Result<Vec<Slot<'a>>, Malformed> {
    read_struct(message, message.root(), payload)
}

fn read_struct<'a>(
    message: &MessageType,
    of: &Struct,
    payload: &'a [u8],
) -> Result<Vec<Slot<'a>>, Malformed> {
    let mut slots = vec![Slot::Absent; of.fields().len()];
    read_into(message, of, payload, &mut slots)?;
    Ok(slots)
}

/// Reads a message into slots, which may have values already: protobuf says that the parts of a message are merged.
fn read_into<'a>(
    message: &MessageType,
    of: &Struct,
    payload: &'a [u8],
    slots: &mut [Slot<'a>],
) -> Result<(), Malformed> {
    let fields = of.fields();
    let mut input = payload;
    let mut likely = 0;
    while !input.is_empty() {
        let key = varint(&mut input)?;
        let found = position(fields, key >> 3, likely);
        match found.and_then(|index| fields.get(index).zip(slots.get_mut(index))) {
            Some((field, slot)) => read_field(message, field, key & 7, &mut input, slot)?,
            None => skip(key & 7, &mut input)?,
        }
        likely = found.unwrap_or(likely);
    }
    Ok(())
}

/// Returns the index of a field by its number; fields come in order.
fn position(fields: &[Field], number: u64, likely: usize) -> Option<usize> {
    let is_it = |index: &usize| fields.get(*index).is_some_and(|field| u64::from(field.number()) == number);
    [likely, likely + 1].into_iter().chain(0..fields.len()).find(is_it)
}

fn read_field<'a>(
    message: &MessageType,
    field: &Field,
    kind: u64,
    input: &mut &'a [u8],
    slot: &mut Slot<'a>,
) -> Result<(), Malformed> {
    let is_array = field.arity() != Arity::One;
    match field.wire() {
        Wire::Message(id) => {
            let contained = message.dependencies().get(id.index()).ok_or(Malformed)?;
            let part = delimited(kind, input)?;
            match slot {
                Slot::Message(slots) => read_into(message, contained, part, slots)?,
                Slot::Messages(values) => values.push(read_struct(message, contained, part)?),
                _ if is_array => *slot = Slot::Messages(vec![read_struct(message, contained, part)?]),
                _ => *slot = Slot::Message(read_struct(message, contained, part)?),
            }
        }
        Wire::String if is_array => {
            let value = delimited(kind, input)?;
            match slot {
                Slot::Texts(values) => values.push(value),
                _ => *slot = Slot::Texts(vec![value]),
            }
        }
        Wire::String | Wire::Bytes => *slot = Slot::Bytes(delimited(kind, input)?),
        wire if is_array && kind == LENGTH => read_packed(wire, delimited(kind, input)?, slot)?,
        wire => {
            let value = number(wire, kind, input)?;
            if is_array {
                numbers(wire, slot)?.push(value);
            } else {
                *slot = Slot::Number(value);
            }
        }
    }
    Ok(())
}

fn read_packed<'a>(wire: Wire, packed: &'a [u8], slot: &mut Slot<'a>) -> Result<(), Malformed> {
    let width = width(wire);
    if *slot == Slot::Absent && width > 0 {
        if !packed.len().is_multiple_of(width) {
            return Err(Malformed);
        }
        *slot = Slot::Packed(packed);
        return Ok(());
    }
    let values = numbers(wire, slot)?;
    let mut input = packed;
    while !input.is_empty() {
        values.push(number(wire, kind_of(wire), &mut input)?);
    }
    Ok(())
}

/// Returns the numbers of an array, of which more follow.
fn numbers<'s>(wire: Wire, slot: &'s mut Slot<'_>) -> Result<&'s mut Vec<u64>, Malformed> {
    if let Slot::Packed(packed) = *slot {
        *slot = Slot::Numbers(unpack(wire, packed).collect());
    } else if !matches!(slot, Slot::Numbers(_)) {
        *slot = Slot::Numbers(Vec::new());
    }
    match slot {
        Slot::Numbers(values) => Ok(values),
        _ => Err(Malformed),
    }
}

/// Returns the numbers of a packed array.
pub(crate) fn unpack(wire: Wire, packed: &[u8]) -> impl ExactSizeIterator<Item = u64> {
    packed.chunks_exact(width(wire).max(1)).map(move |bytes| extend(wire, little_endian(bytes)))
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Returns the width of a number on the wire; zero if it varies.
pub(crate) fn width(wire: Wire) -> usize {
    match kind_of(wire) {
        FIXED32 => 4,
        FIXED64 => 8,
        _ => 0,
    }
}

fn kind_of(wire: Wire) -> u64 {
    match wire {
        Wire::Bool | Wire::Int32 | Wire::Int64 | Wire::Uint32 | Wire::Uint64 => VARINT,
        Wire::Sint32 | Wire::Sint64 => VARINT,
        Wire::Fixed32 | Wire::Sfixed32 | Wire::Float => FIXED32,
        Wire::Fixed64 | Wire::Sfixed64 | Wire::Double => FIXED64,
        Wire::String | Wire::Bytes | Wire::Message(_) => LENGTH,
    }
}

fn number(wire: Wire, kind: u64, input: &mut &[u8]) -> Result<u64, Malformed> {
    if kind != kind_of(wire) {
        return Err(Malformed);
    }
    let bits = match kind {
        VARINT => varint(input)?,
        FIXED32 => little_endian(take(4, input)?),
        _ => little_endian(take(8, input)?),
    };
    Ok(extend(wire, bits))
}

/// Returns the bits of a signed number as 64 bits in two's complement. Of numbers with 32 bits, the others are ignored, as
/// protobuf says.
fn extend(wire: Wire, bits: u64) -> u64 {
    let low = bits & 0xffff_ffff;
    match wire {
        Wire::Sint64 => (bits >> 1) ^ (bits & 1).wrapping_neg(),
        Wire::Sint32 => (low >> 1) ^ (low & 1).wrapping_neg(),
        Wire::Int32 | Wire::Sfixed32 if low & 0x8000_0000 != 0 => low | 0xffff_ffff_0000_0000,
        Wire::Int32 | Wire::Sfixed32 | Wire::Uint32 => low,
        _ => bits,
    }
}

fn varint(input: &mut &[u8]) -> Result<u64, Malformed> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = input.split_first().ok_or(Malformed)?;
        *input = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Malformed)
}

fn take<'a>(count: usize, input: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    let (taken, rest) = input.split_at_checked(count).ok_or(Malformed)?;
    *input = rest;
    Ok(taken)
}

fn delimited<'a>(kind: u64, input: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    if kind != LENGTH {
        return Err(Malformed);
    }
    let length = usize::try_from(varint(input)?).map_err(|_| Malformed)?;
    take(length, input)
}

fn skip(kind: u64, input: &mut &[u8]) -> Result<(), Malformed> {
    match kind {
        VARINT => varint(input).map(drop),
        FIXED32 => take(4, input).map(drop),
        FIXED64 => take(8, input).map(drop),
        LENGTH => delimited(kind, input).map(drop),
        _ => Err(Malformed),
    }
}

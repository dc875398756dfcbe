//! A reader and writer of the protobuf wire format: keys, varints, fixed widths and lengths.
//!
//! A reader borrows the payload and never copies. Malformed bytes are errors and never cause a panic.

use crate::error::PayloadFault;
use crate::message_type::{Field, Wire};

#[cfg(test)]
mod tests;

/// Faults of the bytes. Small and without a destructor, because every read returns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireFault {
    Truncated,
    Group,
    NoSuchWireType,
    FieldNumber,
    LongVarint,
    NoScalar,
}

impl From<WireFault> for PayloadFault {
    fn from(fault: WireFault) -> Self {
        match fault {
            WireFault::Truncated => Self::Truncated,
            WireFault::Group => Self::Malformed("it holds a group, which proto3 does not have"),
            WireFault::NoSuchWireType => Self::Malformed("a wire type that does not exist"),
            WireFault::FieldNumber => Self::Malformed("a field number out of range"),
            WireFault::LongVarint => Self::Malformed("a varint longer than ten bytes"),
            WireFault::NoScalar => Self::Malformed("a length where a scalar belongs"),
        }
    }
}

/// The layout of the value after a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireType {
    Varint,
    Fixed64,
    Length,
    Fixed32,
}

impl WireType {
    /// Number in the low three bits of a key.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Varint => 0,
            Self::Fixed64 => 1,
            Self::Length => 2,
            Self::Fixed32 => 5,
        }
    }

    fn from_number(number: u64) -> Result<Self, WireFault> {
        match number {
            0 => Ok(Self::Varint),
            1 => Ok(Self::Fixed64),
            2 => Ok(Self::Length),
            5 => Ok(Self::Fixed32),
            3 | 4 => Err(WireFault::Group),
            _ => Err(WireFault::NoSuchWireType),
        }
    }
}

/// One element other than a string, bytes or a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Scalar {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
}

impl Scalar {
    /// Returns true if proto3 omits the value. Negative zero is written, because it is another value.
    pub(crate) fn is_zero(self) -> bool {
        match self {
            Scalar::Bool(value) => !value,
            Scalar::Signed(value) => value == 0,
            Scalar::Unsigned(value) => value == 0,
            Scalar::Float(value) => value.to_bits() == 0,
            Scalar::Double(value) => value.to_bits() == 0,
        }
    }

    /// Returns the value as two's complement or as the bits of a float, in the low bits.
    #[expect(clippy::cast_sign_loss, reason = "the bits are wanted, not the value")]
    pub(crate) fn bits(self) -> u64 {
        match self {
            Scalar::Bool(value) => u64::from(value),
            Scalar::Signed(value) => value as u64,
            Scalar::Unsigned(value) => value,
            Scalar::Float(value) => u64::from(value.to_bits()),
            Scalar::Double(value) => value.to_bits(),
        }
    }
}

/// The rest of a payload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the number of remaining bytes.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Returns field number and wire type of the next field; `None` at the end.
    #[inline]
    pub(crate) fn key(&mut self) -> Result<Option<(u32, WireType)>, WireFault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let key = self.varint()?;
        let number = u32::try_from(key >> 3).ok().filter(|number| (1..=0x1fff_ffff).contains(number));
        let Some(number) = number else { return Err(WireFault::FieldNumber) };
        Ok(Some((number, WireType::from_number(key & 7)?)))
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64, WireFault> {
        match self.rest {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.rest = rest;
                Ok(u64::from(*byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, WireFault> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte, rest @ ..] = self.rest else { return Err(WireFault::Truncated) };
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Ok(value);
            }
        }
        Err(WireFault::LongVarint)
    }

    /// Reads a value preceded by its length.
    #[inline]
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], WireFault> {
        let length = usize::try_from(self.varint()?).map_err(|_| WireFault::Truncated)?;
        let (bytes, rest) = self.rest.split_at_checked(length).ok_or(WireFault::Truncated)?;
        self.rest = rest;
        Ok(bytes)
    }

    #[inline]
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], WireFault> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>().ok_or(WireFault::Truncated)?;
        self.rest = rest;
        Ok(*bytes)
    }

    pub(crate) fn skip(&mut self, wire_type: WireType) -> Result<(), WireFault> {
        match wire_type {
            WireType::Varint => self.varint().map(drop),
            WireType::Fixed64 => self.fixed::<8>().map(drop),
            WireType::Length => self.bytes().map(drop),
            WireType::Fixed32 => self.fixed::<4>().map(drop),
        }
    }

    /// Reads a double.
    #[inline]
    pub(crate) fn double(&mut self) -> Result<f64, WireFault> {
        Ok(f64::from_le_bytes(self.fixed()?))
    }

    /// Reads one scalar. 32-bit integers are truncated to 32 bits, as in every protobuf reader.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "two's complement reinterpretation is what the wire format prescribes"
    )]
    pub(crate) fn scalar(&mut self, wire: Wire) -> Result<Scalar, WireFault> {
        Ok(match wire {
            Wire::Bool => Scalar::Bool(self.varint()? != 0),
            Wire::Int32 => Scalar::Signed(i64::from(self.varint()? as i32)),
            Wire::Int64 => Scalar::Signed(self.varint()? as i64),
            Wire::Uint32 => Scalar::Unsigned(u64::from(self.varint()? as u32)),
            Wire::Uint64 => Scalar::Unsigned(self.varint()?),
            Wire::Sint32 => Scalar::Signed(unzigzag(u64::from(self.varint()? as u32))),
            Wire::Sint64 => Scalar::Signed(unzigzag(self.varint()?)),
            Wire::Fixed32 => Scalar::Unsigned(u64::from(u32::from_le_bytes(self.fixed()?))),
            Wire::Fixed64 => Scalar::Unsigned(u64::from_le_bytes(self.fixed()?)),
            Wire::Sfixed32 => Scalar::Signed(i64::from(i32::from_le_bytes(self.fixed()?))),
            Wire::Sfixed64 => Scalar::Signed(i64::from_le_bytes(self.fixed()?)),
            Wire::Float => Scalar::Float(f32::from_le_bytes(self.fixed()?)),
            Wire::Double => Scalar::Double(self.double()?),
            Wire::String | Wire::Bytes | Wire::Message(_) => {
                return Err(WireFault::NoScalar);
            }
        })
    }
}

#[expect(clippy::cast_possible_wrap, reason = "the inverse of zigzag reinterprets bits")]
fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[expect(clippy::cast_sign_loss, reason = "zigzag reinterprets bits")]
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[expect(clippy::cast_possible_truncation, reason = "the loop leaves seven bits")]
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn put_key(out: &mut Vec<u8>, number: u32, wire_type: WireType) {
    put_varint(out, u64::from(number) << 3 | u64::from(wire_type.number()));
}

/// Appends what `write` appends, preceded by its length.
pub(crate) fn put_delimited<E>(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    // Most values are shorter than 128 bytes: one byte is reserved for the length and extended if needed.
    let start = out.len();
    out.push(0);
    write(out)?;
    let length = out.len() - start - 1;
    if let (Ok(short @ 0..0x80), Some(byte)) = (u8::try_from(length), out.get_mut(start)) {
        *byte = short;
        return Ok(());
    }
    let mut prefix = Vec::new();
    put_varint(&mut prefix, length as u64);
    out.splice(start..=start, prefix);
    Ok(())
}

/// Appends one scalar; the value must fit the type.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "callers have checked the range; negative varints are sign-extended to 64 bits by the format"
)]
pub(crate) fn put_scalar(out: &mut Vec<u8>, wire: Wire, value: Scalar) {
    match value {
        Scalar::Bool(value) => out.push(u8::from(value)),
        Scalar::Float(value) => out.extend_from_slice(&value.to_le_bytes()),
        Scalar::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
        Scalar::Signed(value) => match wire {
            Wire::Sint32 | Wire::Sint64 => put_varint(out, zigzag(value)),
            Wire::Sfixed32 => out.extend_from_slice(&(value as i32).to_le_bytes()),
            Wire::Sfixed64 => out.extend_from_slice(&value.to_le_bytes()),
            _ => put_varint(out, value as u64),
        },
        Scalar::Unsigned(value) => match wire {
            Wire::Fixed32 => out.extend_from_slice(&(value as u32).to_le_bytes()),
            Wire::Fixed64 => out.extend_from_slice(&value.to_le_bytes()),
            _ => put_varint(out, value),
        },
    }
}

/// Appends a scalar with its key unless it is zero.
pub(crate) fn put_unless_zero(out: &mut Vec<u8>, field: &Field, value: Scalar) {
    if !value.is_zero() {
        put_key(out, field.number(), field.wire().wire_type());
        put_scalar(out, field.wire(), value);
    }
}

/// Appends a string, an array of bytes or a packed array with its key and length, even if it is empty.
pub(crate) fn put_bytes(out: &mut Vec<u8>, field: &Field, value: &[u8]) {
    put_key(out, field.number(), WireType::Length);
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

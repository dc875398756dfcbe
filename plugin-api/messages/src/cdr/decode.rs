//! CDR to protobuf wire, straight from the bytes.
//!
//! The bytes come from other programs: each length is compared with the remaining bytes before it is used.

use super::{CdrError, CdrFault, CdrPlan, Cell, Number, PlannedStruct};
use crate::json;
use crate::message_type::{Arity, Field, Struct, Wire};
use crate::ros::RosElement;
use crate::wire::{Scalar, WireType, put_bytes, put_delimited, put_key, put_scalar, put_unless_zero};

/// Returns the body of an encapsulated message, without the padding that the options announce, and the length of the
/// encapsulation.
pub(super) fn unwrap(cdr: &[u8]) -> Result<(&[u8], usize), CdrError> {
    let Some(([0, 1, _, options], body)) = cdr.split_first_chunk() else {
        let head: Vec<String> = cdr.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let found = if head.is_empty() { "nothing".to_owned() } else { head.join(" ") };
        return Err(CdrError::new(0, CdrFault::Encapsulation { found }));
    };
    let padding = usize::from(options & 3);
    let end = body.len().checked_sub(padding).unwrap_or(body.len());
    Ok((body.get(..end).unwrap_or(body), cdr.len() - body.len()))
}

/// Reads a body that begins `skipped` bytes after the origin of offsets.
pub(super) fn decode(
    plan: &CdrPlan,
    body: &[u8],
    skipped: usize,
    payload: &mut Vec<u8>,
) -> Result<(), CdrError> {
    let start = payload.len();
    payload.reserve(body.len());
    let mut source = Source { body, at: 0, skipped };
    let root = (plan.message.root(), &plan.root);
    read_struct(plan, root, &mut source, Place::Tail, payload).inspect_err(|_| payload.truncate(start))
}

/// Whether the bytes may end early, for older versions of an interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of all arrays.
    Tail,
    /// In an array.
    Element,
}

struct Source<'a> {
    body: &'a [u8],
    at: usize,
    skipped: usize,
}

impl<'a> Source<'a> {
    fn left(&self) -> usize {
        self.body.len().saturating_sub(self.at)
    }

    /// Advances to the next multiple of `width`, a power of two.
    #[inline]
    fn align(&mut self, width: usize) {
        self.at += self.at.wrapping_neg() & (width - 1);
    }

    /// Returns a fault of the last value, with its length in bytes.
    fn fault_before(&self, length: usize, fault: CdrFault) -> CdrError {
        CdrError::new(self.skipped + self.at.saturating_sub(length), fault)
    }

    #[inline]
    fn take(&mut self, wanted: usize, what: &'static str) -> Result<&'a [u8], CdrError> {
        let taken = self.body.get(self.at..).and_then(|rest| rest.get(..wanted));
        let Some(taken) = taken else {
            return Err(self.fault_before(0, CdrFault::Truncated { what, wanted, left: self.left() }));
        };
        self.at += wanted;
        Ok(taken)
    }

    #[inline]
    fn bits(&mut self, width: usize, what: &'static str) -> Result<u64, CdrError> {
        self.align(width);
        let taken = self.take(width, what)?;
        Ok(match *taken {
            [a] => a.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => 0,
        })
    }

    #[inline]
    fn length(&mut self, what: &'static str) -> Result<u32, CdrError> {
        Ok(u32::try_from(self.bits(4, what)?).unwrap_or_default())
    }

    /// Reads the number of elements of a sequence, each of at least `size` bytes.
    fn count(&mut self, limit: Option<u32>, size: usize) -> Result<usize, CdrError> {
        let found = self.length("the length of a sequence")?;
        match limit {
            Some(allowed) if found > allowed => {
                Err(self.fault_before(4, CdrFault::Length { found, allowed }))
            }
            _ => match usize::try_from(found) {
                Ok(count) if count.saturating_mul(size) <= self.left() => Ok(count),
                _ => Err(self.fault_before(4, CdrFault::Count { found, size, left: self.left() })),
            },
        }
    }
}

fn read_struct(
    plan: &CdrPlan,
    (of, planned): (&Struct, &PlannedStruct),
    source: &mut Source<'_>,
    place: Place,
    out: &mut Vec<u8>,
) -> Result<(), CdrError> {
    if of.fields().is_empty() && (place == Place::Element || source.left() > 0) {
        source.take(1, "the hidden byte of an empty message")?;
    }
    let mut is_older = true;
    for (field, cell) in of.fields().iter().zip(&planned.fields) {
        if field.ros_added().is_some() && place == Place::Tail {
            if ends_before(field, *cell, source) {
                // The text was checked with the descriptor, so it is valid.
                json::fill(field, is_older, out).unwrap_or_default();
                continue;
            }
            is_older = false;
        }
        read_field(plan, field, *cell, source, place, out).map_err(|error| error.below(field.name()))?;
    }
    Ok(())
}

/// Returns true if only alignment is left for a field.
fn ends_before(field: &Field, cell: Cell, source: &Source<'_>) -> bool {
    let width = match (field.arity(), cell) {
        (Arity::Sequence | Arity::Bounded(_), _) | (_, Cell::Text) => 4,
        (_, Cell::Number(number)) => number.width,
        (_, Cell::Struct(_)) => 1,
    };
    source.at.next_multiple_of(width) >= source.body.len()
}

fn read_field(
    plan: &CdrPlan,
    field: &Field,
    cell: Cell,
    source: &mut Source<'_>,
    place: Place,
    out: &mut Vec<u8>,
) -> Result<(), CdrError> {
    let limit = match field.arity() {
        Arity::One => return read_value(plan, field, cell, source, place, out),
        Arity::Sequence => None,
        Arity::Bounded(limit) => Some(limit),
        Arity::Fixed(length) => {
            let count = usize::try_from(length).unwrap_or(usize::MAX);
            return read_array(plan, field, cell, count, source, out);
        }
    };
    let count = source.count(limit, plan.min_size(cell))?;
    if count == 0 {
        return Ok(());
    }
    read_array(plan, field, cell, count, source, out)
}

/// Converts one value; a zero scalar and an empty string are omitted.
fn read_value(
    plan: &CdrPlan,
    field: &Field,
    cell: Cell,
    source: &mut Source<'_>,
    place: Place,
    out: &mut Vec<u8>,
) -> Result<(), CdrError> {
    match cell {
        Cell::Number(number) => put_unless_zero(out, field, read_number(field, number, source)?),
        Cell::Text => {
            let text = read_text(field, source)?;
            if !text.is_empty() {
                put_bytes(out, field, text);
            }
        }
        Cell::Struct(id) => {
            let Some(contained) = plan.contained(id) else { return Ok(()) };
            put_key(out, field.number(), WireType::Length);
            put_delimited(out, |out| read_struct(plan, contained, source, place, out))?;
        }
    }
    Ok(())
}

/// Converts elements: numbers packed, strings and messages each with its key.
fn read_array(
    plan: &CdrPlan,
    field: &Field,
    cell: Cell,
    count: usize,
    source: &mut Source<'_>,
    out: &mut Vec<u8>,
) -> Result<(), CdrError> {
    match cell {
        Cell::Number(number) if number.is_bulk => {
            source.align(number.width);
            put_bytes(out, field, source.take(count.saturating_mul(number.width), "an array")?);
        }
        Cell::Number(number) => {
            put_key(out, field.number(), WireType::Length);
            put_delimited(out, |out| {
                (0..count).try_for_each(|index| {
                    let value = read_number(field, number, source).map_err(|error| error.at(index))?;
                    put_scalar(out, field.wire(), value);
                    Ok(())
                })
            })?;
        }
        Cell::Text => (0..count).try_for_each(|index| {
            put_bytes(out, field, read_text(field, source).map_err(|error| error.at(index))?);
            Ok(())
        })?,
        Cell::Struct(id) => {
            let Some(contained) = plan.contained(id) else { return Ok(()) };
            for index in 0..count {
                put_key(out, field.number(), WireType::Length);
                put_delimited(out, |out| read_struct(plan, contained, source, Place::Element, out))
                    .map_err(|error| error.at(index))?;
            }
        }
    }
    Ok(())
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a number has as many bits as were read; the sign comes from the highest of them"
)]
fn read_number(field: &Field, number: Number, source: &mut Source<'_>) -> Result<Scalar, CdrError> {
    let bits = source.bits(number.width, field.ros_element().name())?;
    Ok(match field.wire() {
        Wire::Bool if bits > 1 => {
            return Err(source.fault_before(1, CdrFault::NotBool { found: bits as u8 }));
        }
        Wire::Bool => Scalar::Bool(bits == 1),
        Wire::Float => Scalar::Float(f32::from_bits(bits as u32)),
        Wire::Double => Scalar::Double(f64::from_bits(bits)),
        Wire::Int32 | Wire::Int64 | Wire::Sint32 | Wire::Sint64 | Wire::Sfixed32 | Wire::Sfixed64 => {
            Scalar::Signed(match number.width {
                1 => (bits as i8).into(),
                2 => (bits as i16).into(),
                4 => (bits as i32).into(),
                _ => bits as i64,
            })
        }
        _ => Scalar::Unsigned(bits),
    })
}

/// Reads a string without its NUL. Some senders write an empty string without NUL.
fn read_text<'a>(field: &Field, source: &mut Source<'a>) -> Result<&'a [u8], CdrError> {
    let length = source.length("the length of a string")?;
    if length == 0 {
        return Ok(&[]);
    }
    match field.ros_element() {
        // The length in CDR includes the NUL, the bound in ROS does not.
        RosElement::BoundedString(allowed) if length - 1 > allowed => {
            return Err(source.fault_before(4, CdrFault::Length { found: length - 1, allowed }));
        }
        _ => (),
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let Some((last, text)) = source.take(length, "a string")?.split_last() else { return Ok(&[]) };
    if *last != 0 {
        return Err(source.fault_before(1, CdrFault::NotTerminated { found: *last }));
    }
    if std::str::from_utf8(text).is_err() {
        return Err(source.fault_before(length, CdrFault::NotUtf8));
    }
    Ok(text)
}

//! Protobuf wire to CDR: one pass over the payload in declared order.
//!
//! As with JSON, a payload that fails in this pass is put in order and tried once more; the second result counts.

use super::{CdrPlan, Cell, Number, PlannedStruct};
use crate::canonical;
use crate::error::{PayloadError, PayloadFault};
use crate::limits::{check_length, check_range, check_string};
use crate::message_type::{Arity, Field, Struct, Wire};
use crate::wire::{Reader, Scalar, WireFault, WireType};

pub(super) fn encode(plan: &CdrPlan, payload: &[u8], cdr: &mut Vec<u8>) -> Result<(), PayloadError> {
    let start = cdr.len();
    if pass(plan, payload, cdr).is_ok() {
        return Ok(());
    }
    // The first pass may also end early because the rest of a fixed array comes later in the payload.
    cdr.truncate(start);
    let mut ordered = Vec::with_capacity(payload.len());
    let result = canonical::reorder(&plan.message, plan.message.root(), payload, &mut ordered)
        .and_then(|()| pass(plan, &ordered, cdr));
    if result.is_err() {
        cdr.truncate(start);
    }
    result
}

fn pass(plan: &CdrPlan, payload: &[u8], cdr: &mut Vec<u8>) -> Result<(), PayloadError> {
    let mut out = Writer { start: cdr.len(), bytes: cdr };
    // Bulk data dominates long payloads and keeps its length, so this is nearly always enough.
    out.bytes.reserve(payload.len() + 64);
    write_struct(plan, (plan.message.root(), &plan.root), payload, &mut out)?;
    out.align(4);
    Ok(())
}

/// The body at the end of a buffer.
struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
    /// Beginning of the body.
    start: usize,
}

impl Writer<'_> {
    #[inline]
    fn align(&mut self, width: usize) {
        let gap = self.start.wrapping_sub(self.bytes.len()) & (width - 1);
        if gap > 0 {
            self.zeros(gap);
        }
    }

    fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    #[inline]
    fn number(&mut self, width: usize, bits: u64) {
        self.align(width);
        let [a, b, c, d, ..] = bits.to_le_bytes();
        // Constant lengths, so that the compiler can unroll the loop.
        match width {
            1 => self.bytes.push(a),
            2 => self.bytes.extend_from_slice(&[a, b]),
            4 => self.bytes.extend_from_slice(&[a, b, c, d]),
            _ => self.bytes.extend_from_slice(&bits.to_le_bytes()),
        }
    }

    /// Writes the length of a sequence or a string.
    fn length(&mut self, length: usize) -> Result<(), PayloadFault> {
        self.number(4, checked_length(length)?.into());
        Ok(())
    }

    /// Reserves a length that is known only after the following data has been written; returns its position.
    fn length_to_come(&mut self) -> usize {
        self.number(4, 0);
        self.bytes.len() - 4
    }

    fn fill_in_length(&mut self, at: usize, length: usize) -> Result<(), PayloadFault> {
        let length = checked_length(length)?.to_le_bytes();
        if let Some(room) = self.bytes.get_mut(at..at + 4) {
            room.copy_from_slice(&length);
        }
        Ok(())
    }
}

fn checked_length(length: usize) -> Result<u32, PayloadFault> {
    u32::try_from(length)
        .map_err(|_| PayloadFault::Length { found: length, allowed: format!("at most {}", u32::MAX) })
}

fn write_struct(
    plan: &CdrPlan,
    (of, planned): (&Struct, &PlannedStruct),
    payload: &[u8],
    out: &mut Writer<'_>,
) -> Result<(), PayloadError> {
    if planned.row.as_ref().is_some_and(|keys| write_row(keys, payload, out)) {
        return Ok(());
    }
    let mut reader = Reader::new(payload);
    let mut next = 0;
    while let Some((number, wire_type)) = reader.key()? {
        let Some(index) = of.index_of(number, next) else {
            reader.skip(wire_type)?;
            continue;
        };
        if index < next {
            return Err(PayloadFault::Malformed("its fields are not in declared order").into());
        }
        write_absent(plan, (of, planned), next, index, out);
        let (Some(field), Some(cell)) = (of.fields().get(index), planned.fields.get(index)) else {
            continue;
        };
        write_field(plan, field, *cell, wire_type, &mut reader, out)
            .map_err(|error| error.below(field.name()))?;
        next = index + 1;
    }
    write_absent(plan, (of, planned), next, of.fields().len(), out);
    if of.fields().is_empty() {
        out.zeros(1);
    }
    Ok(())
}

/// Writes a message of doubles if its payload has the usual form; otherwise writes nothing.
fn write_row(keys: &[u8], payload: &[u8], out: &mut Writer<'_>) -> bool {
    let start = out.bytes.len();
    out.align(8);
    let mut rest = payload;
    for key in keys {
        let value = rest.split_first().filter(|(first, _)| *first == key);
        match value.and_then(|(_, value)| value.split_first_chunk::<8>()) {
            Some((value, after)) => {
                out.bytes.extend_from_slice(value);
                rest = after;
            }
            None => out.bytes.extend_from_slice(&[0; 8]),
        }
    }
    if !rest.is_empty() {
        out.bytes.truncate(start);
    }
    rest.is_empty()
}

/// Writes the fields from `from` to before `to` as zeros.
#[inline]
fn write_absent(
    plan: &CdrPlan,
    (of, planned): (&Struct, &PlannedStruct),
    from: usize,
    to: usize,
    out: &mut Writer<'_>,
) {
    let fields = of.fields().get(from..to).unwrap_or_default();
    for (field, cell) in fields.iter().zip(planned.fields.get(from..to).unwrap_or_default()) {
        write_absent_field(plan, field, *cell, out);
    }
}

fn write_absent_field(plan: &CdrPlan, field: &Field, cell: Cell, out: &mut Writer<'_>) {
    match field.arity() {
        Arity::One => write_zero(plan, cell, out),
        Arity::Sequence | Arity::Bounded(_) => out.number(4, 0),
        Arity::Fixed(length) => (0..length).for_each(|_| write_zero(plan, cell, out)),
    }
}

fn write_zero(plan: &CdrPlan, cell: Cell, out: &mut Writer<'_>) {
    match cell {
        Cell::Number(Number { width, .. }) => out.number(width, 0),
        Cell::Text => {
            out.number(4, 1);
            out.zeros(1);
        }
        Cell::Struct(id) => {
            let Some((of, planned)) = plan.contained(id) else { return };
            write_absent(plan, (of, planned), 0, of.fields().len(), out);
            if of.fields().is_empty() {
                out.zeros(1);
            }
        }
    }
}

fn write_field(
    plan: &CdrPlan,
    field: &Field,
    cell: Cell,
    wire_type: WireType,
    reader: &mut Reader<'_>,
    out: &mut Writer<'_>,
) -> Result<(), PayloadError> {
    let arity = field.arity();
    if arity == Arity::One {
        return write_element(plan, field, cell, wire_type, reader, out);
    }
    let length_at = match arity {
        Arity::Fixed(_) => None,
        Arity::One | Arity::Sequence | Arity::Bounded(_) => Some(out.length_to_come()),
    };
    let count = if field.wire() == Wire::Bytes {
        check_wire_type(field, wire_type)?;
        let bytes = reader.bytes()?;
        out.bytes.extend_from_slice(bytes);
        bytes.len()
    } else {
        write_array(plan, field, cell, wire_type, reader, out)?
    };
    check_length(arity, count)?;
    match length_at {
        Some(at) => out.fill_in_length(at, count)?,
        None if count == 0 => write_absent_field(plan, field, cell, out),
        None => (),
    }
    Ok(())
}

/// Writes the current elements and all that follow directly, packed or not, and counts them.
fn write_array(
    plan: &CdrPlan,
    field: &Field,
    cell: Cell,
    mut wire_type: WireType,
    reader: &mut Reader<'_>,
    out: &mut Writer<'_>,
) -> Result<usize, PayloadError> {
    let mut count = 0;
    loop {
        match cell {
            Cell::Number(number) if wire_type == WireType::Length => {
                write_packed(field, number, reader.bytes()?, &mut count, out)?;
            }
            _ => {
                write_element(plan, field, cell, wire_type, reader, out).map_err(|error| error.at(count))?;
                count += 1;
            }
        }
        let mut ahead = *reader;
        match ahead.key()? {
            Some((number, next_type)) if number == field.number() => wire_type = next_type,
            _ => return Ok(count),
        }
        *reader = ahead;
    }
}

/// Writes packed elements after the `count` existing ones.
fn write_packed(
    field: &Field,
    number: Number,
    bytes: &[u8],
    count: &mut usize,
    out: &mut Writer<'_>,
) -> Result<(), PayloadError> {
    if number.is_bulk {
        if !bytes.len().is_multiple_of(number.width) {
            return Err(WireFault::Truncated.into());
        }
        if !bytes.is_empty() {
            out.align(number.width);
            out.bytes.extend_from_slice(bytes);
        }
        *count += bytes.len() / number.width;
        return Ok(());
    }
    let mut packed = Reader::new(bytes);
    while !packed.is_empty() {
        write_number(field, number, packed.scalar(field.wire())?, out)
            .map_err(|fault| PayloadError::from(fault).at(*count))?;
        *count += 1;
    }
    Ok(())
}

fn check_wire_type(field: &Field, found: WireType) -> Result<(), PayloadFault> {
    if found == field.wire().wire_type() {
        return Ok(());
    }
    Err(PayloadFault::WireType { found: found.number(), expected: field.wire().name() })
}

fn write_element(
    plan: &CdrPlan,
    field: &Field,
    cell: Cell,
    wire_type: WireType,
    reader: &mut Reader<'_>,
    out: &mut Writer<'_>,
) -> Result<(), PayloadError> {
    check_wire_type(field, wire_type)?;
    match cell {
        Cell::Number(number) => Ok(write_number(field, number, reader.scalar(field.wire())?, out)?),
        Cell::Text => {
            let text = reader.bytes()?;
            Ok(write_text(field, text, out)?)
        }
        Cell::Struct(id) => match plan.contained(id) {
            Some(contained) => write_struct(plan, contained, reader.bytes()?, out),
            None => Err(PayloadFault::Malformed("a message of no type").into()),
        },
    }
}

#[inline]
fn write_number(
    field: &Field,
    number: Number,
    value: Scalar,
    out: &mut Writer<'_>,
) -> Result<(), PayloadFault> {
    if number.is_narrow {
        match value {
            Scalar::Signed(value) => check_range(field, value.into())?,
            Scalar::Unsigned(value) => check_range(field, value.into())?,
            Scalar::Bool(_) | Scalar::Float(_) | Scalar::Double(_) => (),
        }
    }
    out.number(number.width, value.bits());
    Ok(())
}

fn write_text(field: &Field, text: &[u8], out: &mut Writer<'_>) -> Result<(), PayloadFault> {
    std::str::from_utf8(text).map_err(|_| PayloadFault::NotUtf8)?;
    check_string(field, text.len())?;
    out.length(text.len() + 1)?;
    out.bytes.extend_from_slice(text);
    out.zeros(1);
    Ok(())
}

//! Protobuf wire to JSON: one pass over the payload in declared order.
//!
//! Encoders write fields in the order of their numbers, and fields are usually numbered in order, so one pass is the
//! rule. A payload that fails in this pass is put in order and tried once more; the second result counts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{JsonPlan, PlannedStruct};
use crate::canonical;
use crate::error::{PayloadError, PayloadFault};
use crate::limits::{check_length, check_range, check_string};
use crate::message_type::{Arity, Field, Struct, Wire};
use crate::wire::{Reader, Scalar, WireFault, WireType};

/// A key of one byte and a double.
const DOUBLE_BYTES: usize = 1 + size_of::<f64>();

pub(super) fn encode(plan: &JsonPlan, payload: &[u8], json: &mut Vec<u8>) -> Result<(), PayloadError> {
    let start = json.len();
    if pass(plan, payload, json).is_ok() {
        return Ok(());
    }
    // The first pass may also end early because the rest of a fixed array comes later in the payload.
    json.truncate(start);
    let mut ordered = Vec::with_capacity(payload.len());
    let result = canonical::reorder(&plan.message, plan.message.root(), payload, &mut ordered)
        .and_then(|()| pass(plan, &ordered, json));
    if result.is_err() {
        json.truncate(start);
    }
    result
}

fn pass(plan: &JsonPlan, payload: &[u8], json: &mut Vec<u8>) -> Result<(), PayloadError> {
    write_struct(plan, (plan.message.root(), &plan.root), payload, json)
}

fn write_struct(
    plan: &JsonPlan,
    (of, planned): (&Struct, &PlannedStruct),
    payload: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    if payload.is_empty() {
        out.extend_from_slice(&planned.empty);
        return Ok(());
    }
    if write_doubles(planned, payload, out) {
        return Ok(());
    }
    out.push(b'{');
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
        write_defaults(planned, next, index, out);
        let (Some(field), Some(texts)) = (of.fields().get(index), planned.fields.get(index)) else {
            continue;
        };
        out.extend_from_slice(&texts.key);
        next = index + 1;
        // The most common case: a float cannot be out of range.
        if let (Wire::Double, WireType::Fixed64, Arity::One) = (field.wire(), wire_type, field.arity()) {
            write_float(reader.double()?, out);
            continue;
        }
        write_field(plan, field, &texts.default, wire_type, &mut reader, out)
            .map_err(|error| error.below(field.name()))?;
    }
    write_defaults(planned, next, planned.fields.len(), out);
    out.push(b'}');
    Ok(())
}

/// Writes a message of only doubles if all of them are present and in order; returns true if it did. Poses, velocities
/// and transforms consist of such messages, so they need no look-ups.
fn write_doubles(planned: &PlannedStruct, payload: &[u8], out: &mut Vec<u8>) -> bool {
    let Some(keys) = &planned.doubles else { return false };
    let (values, rest) = payload.as_chunks::<DOUBLE_BYTES>();
    if !rest.is_empty() || !values.iter().map(|[key, ..]| key).eq(keys) {
        return false;
    }
    out.push(b'{');
    for ([_, value @ ..], texts) in values.iter().zip(&planned.fields) {
        out.extend_from_slice(&texts.key);
        write_float(f64::from_le_bytes(*value), out);
    }
    out.push(b'}');
    true
}

fn write_defaults(planned: &PlannedStruct, from: usize, to: usize, out: &mut Vec<u8>) {
    for absent in planned.fields.get(from..to).unwrap_or_default() {
        out.extend_from_slice(&absent.key);
        out.extend_from_slice(&absent.default);
    }
}

fn write_field(
    plan: &JsonPlan,
    field: &Field,
    default: &[u8],
    wire_type: WireType,
    reader: &mut Reader<'_>,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    match (field.arity(), field.wire()) {
        (Arity::One, _) => write_element(plan, field, wire_type, reader, out),
        (arity, Wire::Bytes) => {
            check_wire_type(field, wire_type)?;
            let bytes = reader.bytes()?;
            check_length(arity, bytes.len())?;
            if bytes.is_empty() {
                out.extend_from_slice(default)
            } else {
                write_base64(bytes, out)
            }
            Ok(())
        }
        (arity, _) => {
            let start = out.len();
            let count = write_array(plan, field, wire_type, reader, out)?;
            check_length(arity, count)?;
            if count == 0 {
                out.truncate(start);
                out.extend_from_slice(default);
            }
            Ok(())
        }
    }
}

/// Writes the current elements and all that follow directly, packed or not, and counts them.
fn write_array(
    plan: &JsonPlan,
    field: &Field,
    mut wire_type: WireType,
    reader: &mut Reader<'_>,
    out: &mut Vec<u8>,
) -> Result<usize, PayloadError> {
    out.push(b'[');
    let mut count = 0;
    loop {
        if wire_type == WireType::Length && field.wire().wire_type() != WireType::Length {
            write_packed(field, reader.bytes()?, &mut count, out)?;
        } else {
            write_comma(count, out);
            write_element(plan, field, wire_type, reader, out).map_err(|error| error.at(count))?;
            count += 1;
        }
        let mut ahead = *reader;
        match ahead.key()? {
            Some((number, next_type)) if number == field.number() => wire_type = next_type,
            _ => break,
        }
        *reader = ahead;
    }
    out.push(b']');
    Ok(count)
}

/// Writes packed elements after the `count` existing ones.
fn write_packed(
    field: &Field,
    bytes: &[u8],
    count: &mut usize,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    match field.wire() {
        // The bulk of all data: a float cannot be out of range, so the loop has no checks.
        Wire::Float => write_floats(bytes, f32::from_le_bytes, count, out)?,
        Wire::Double => write_floats(bytes, f64::from_le_bytes, count, out)?,
        wire => {
            let mut packed = Reader::new(bytes);
            while !packed.is_empty() {
                write_comma(*count, out);
                write_scalar(field, packed.scalar(wire)?, out)
                    .map_err(|fault| PayloadError::from(fault).at(*count))?;
                *count += 1;
            }
        }
    }
    Ok(())
}

fn write_floats<F: Number, const N: usize>(
    bytes: &[u8],
    from_le_bytes: impl Fn([u8; N]) -> F,
    count: &mut usize,
    out: &mut Vec<u8>,
) -> Result<(), WireFault> {
    let (values, rest) = bytes.as_chunks::<N>();
    if !rest.is_empty() {
        return Err(WireFault::Truncated);
    }
    for value in values {
        write_comma(*count, out);
        write_float(from_le_bytes(*value), out);
        *count += 1;
    }
    Ok(())
}

fn write_comma(count: usize, out: &mut Vec<u8>) {
    if count > 0 {
        out.push(b',');
    }
}

fn check_wire_type(field: &Field, found: WireType) -> Result<(), PayloadFault> {
    if found == field.wire().wire_type() {
        return Ok(());
    }
    Err(PayloadFault::WireType { found: found.number(), expected: field.wire().name() })
}

fn write_element(
    plan: &JsonPlan,
    field: &Field,
    wire_type: WireType,
    reader: &mut Reader<'_>,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    check_wire_type(field, wire_type)?;
    if let Some(contained) = plan.contained(field.wire()) {
        return write_struct(plan, contained, reader.bytes()?, out);
    }
    if field.wire() == Wire::String {
        let text = std::str::from_utf8(reader.bytes()?).map_err(|_| PayloadFault::NotUtf8)?;
        check_string(field, text.len())?;
        write_string(text, out);
        return Ok(());
    }
    write_scalar(field, reader.scalar(field.wire())?, out)?;
    Ok(())
}

#[inline]
fn write_scalar(field: &Field, value: Scalar, out: &mut Vec<u8>) -> Result<(), PayloadFault> {
    match value {
        Scalar::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
        Scalar::Float(value) => write_float(value, out),
        Scalar::Double(value) => write_float(value, out),
        Scalar::Signed(value) => {
            check_range(field, value.into())?;
            out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        }
        Scalar::Unsigned(value) => {
            check_range(field, value.into())?;
            out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        }
    }
    Ok(())
}

/// Writes a float of either width.
trait Number: zmij::Float + Copy + Into<f64> {}
impl Number for f32 {}
impl Number for f64 {}

/// Writes the shortest decimal text that reads back to the same float.
#[inline]
fn write_float<F: Number>(value: F, out: &mut Vec<u8>) {
    let wide: f64 = value.into();
    if wide.is_finite() {
        out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    } else {
        let text: &[u8] = match (wide.is_nan(), wide > 0.0) {
            (true, _) => b"\"NaN\"",
            (false, true) => b"\"Infinity\"",
            (false, false) => b"\"-Infinity\"",
        };
        out.extend_from_slice(text);
    }
}

fn write_base64(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    // The slice has exactly the encoded length.
    let written = out.get_mut(start..).and_then(|room| STANDARD.encode_slice(bytes, room).ok());
    out.truncate(start + written.unwrap_or_default());
    out.push(b'"');
}

/// Copies runs of plain characters and escapes the others.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\')) {
        let (plain, tail) = rest.split_at(at);
        out.extend_from_slice(plain);
        let Some((special, after)) = tail.split_first() else { break };
        write_escape(*special, out);
        rest = after;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        other => out.extend_from_slice(format!("\\u{other:04x}").as_bytes()),
    }
}

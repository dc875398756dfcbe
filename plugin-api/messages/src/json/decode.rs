//! JSON to protobuf wire, straight from the text.
//!
//! Strict, because people and other programs write its input: an unknown member or a value of the
//! wrong kind is an error with the path of the field, never a silent default.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::JsonPlan;
use super::text::Text;
use crate::error::{PayloadError, PayloadFault};
use crate::limits::{check_length, check_range, check_string};
use crate::message_type::{Arity, Field, Struct, Wire};
use crate::wire::{Scalar, WireType, put_bytes, put_delimited, put_key, put_scalar, put_unless_zero};

pub(super) fn decode(plan: &JsonPlan, json: &str, payload: &mut Vec<u8>) -> Result<(), PayloadError> {
    let start = payload.len();
    let mut text = Text::new(json);
    let result = read_struct(plan, plan.message.root(), &mut text, payload).and_then(|()| Ok(text.end()?));
    if result.is_err() {
        payload.truncate(start);
    }
    result
}

fn read_struct(
    plan: &JsonPlan,
    of: &Struct,
    text: &mut Text<'_>,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    if !text.take(b'{') {
        return Err(text.wrong("an object").into());
    }
    let mut seen = vec![false; of.fields().len()];
    let mut next = 0;
    if text.take(b'}') {
        return fill_absent(of, &seen, out);
    }
    loop {
        let Some(name) = text.string()? else { return Err(text.wrong("the name of a field").into()) };
        let (index, field) = find(of, &name, next)?;
        if seen.get_mut(index).is_some_and(|seen| std::mem::replace(seen, true)) {
            return Err(PayloadError::from(PayloadFault::DuplicateField).below(&name));
        }
        text.expect(b':', "expected `:`")?;
        read_field(plan, field, text, out).map_err(|error| error.below(&name))?;
        next = index + 1;
        if !text.take(b',') {
            text.expect(b'}', "expected `,` or `}`")?;
            return fill_absent(of, &seen, out);
        }
    }
}

/// Writes the non-zero defaults of absent fields.
fn fill_absent(of: &Struct, seen: &[bool], out: &mut Vec<u8>) -> Result<(), PayloadError> {
    let is_older = !of.fields().iter().zip(seen).any(|(field, seen)| *seen && field.ros_added().is_some());
    for (field, _) in of.fields().iter().zip(seen).filter(|(_, seen)| !**seen) {
        fill(field, is_older, out).map_err(|error| error.below(field.name()))?;
    }
    Ok(())
}

/// Writes the non-zero default of one absent field: its ROS default, or the value for senders of an older version of
/// the interface.
pub(crate) fn fill(field: &Field, is_older: bool, out: &mut Vec<u8>) -> Result<(), PayloadError> {
    let added = field.ros_added().filter(|_| is_older);
    let Some(value) = field.ros_default().or(added).filter(|_| field.arity() == Arity::One) else {
        return Ok(());
    };
    if !matches!(field.wire(), Wire::String | Wire::Bytes | Wire::Message(_)) {
        put_unless_zero(out, field, read_scalar(field, &mut Text::new(value))?);
    }
    Ok(())
}

/// Returns the field of this name; `likely` is tried first, because members usually come in order.
fn find<'a>(of: &'a Struct, name: &str, likely: usize) -> Result<(usize, &'a Field), PayloadError> {
    if let Some(field) = of.fields().get(likely).filter(|field| field.name() == name) {
        return Ok((likely, field));
    }
    let found = of.fields().iter().enumerate().find(|(_, field)| field.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = of.fields().iter().map(Field::name).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        PayloadError::from(PayloadFault::UnknownField { message: of.full_name().to_owned(), known })
            .below(name)
    })
}

fn read_field(
    plan: &JsonPlan,
    field: &Field,
    text: &mut Text<'_>,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    match (field.arity(), field.wire()) {
        (Arity::One, Wire::String) => {
            let value = read_string(field, text)?;
            if !value.is_empty() {
                put_bytes(out, field, value.as_bytes());
            }
            Ok(())
        }
        (Arity::One, Wire::Message(_)) => read_message(plan, field, text, out),
        (Arity::One, _) => {
            put_unless_zero(out, field, read_scalar(field, text)?);
            Ok(())
        }
        (arity, Wire::Bytes) => {
            let bytes = read_bytes(field, text)?;
            check_length(arity, bytes.len())?;
            if !bytes.is_empty() {
                put_bytes(out, field, &bytes);
            }
            Ok(())
        }
        (arity, _) => read_array(plan, field, arity, text, out),
    }
}

/// Converts an array: each string and message with its key, scalars packed.
fn read_array(
    plan: &JsonPlan,
    field: &Field,
    arity: Arity,
    text: &mut Text<'_>,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    let count = match field.wire() {
        Wire::Message(_) => each(text, |text| read_message(plan, field, text, out))?,
        Wire::String => each(text, |text| {
            let value = read_string(field, text)?;
            put_bytes(out, field, value.as_bytes());
            Ok(())
        })?,
        _ => read_packed(field, text, out)?,
    };
    Ok(check_length(arity, count)?)
}

fn read_packed(field: &Field, text: &mut Text<'_>, out: &mut Vec<u8>) -> Result<usize, PayloadError> {
    let start = out.len();
    let mut count = 0;
    put_key(out, field.number(), WireType::Length);
    put_delimited(out, |out| {
        count = each(text, |text| {
            put_scalar(out, field.wire(), read_scalar(field, text)?);
            Ok(())
        })?;
        Ok::<(), PayloadError>(())
    })?;
    if count == 0 {
        out.truncate(start);
    }
    Ok(count)
}

/// Calls `read` for each element of an array and counts them.
fn each<'a>(
    text: &mut Text<'a>,
    mut read: impl FnMut(&mut Text<'a>) -> Result<(), PayloadError>,
) -> Result<usize, PayloadError> {
    if !text.take(b'[') {
        return Err(text.wrong("an array").into());
    }
    if text.take(b']') {
        return Ok(0);
    }
    let mut count = 0;
    loop {
        read(text).map_err(|error| error.at(count))?;
        count += 1;
        if !text.take(b',') {
            text.expect(b']', "expected `,` or `]`")?;
            return Ok(count);
        }
    }
}

fn read_message(
    plan: &JsonPlan,
    field: &Field,
    text: &mut Text<'_>,
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    let Some((contained, _)) = plan.contained(field.wire()) else {
        return Err(PayloadFault::Malformed("a message of no type").into());
    };
    put_key(out, field.number(), WireType::Length);
    put_delimited(out, |out| read_struct(plan, contained, text, out))
}

fn read_string<'a>(field: &Field, text: &mut Text<'a>) -> Result<std::borrow::Cow<'a, str>, PayloadError> {
    let Some(value) = text.string()? else { return Err(text.wrong("a string").into()) };
    check_string(field, value.len())?;
    Ok(value)
}

/// Converts bytes as base64, or as a list of numbers.
fn read_bytes(field: &Field, text: &mut Text<'_>) -> Result<Vec<u8>, PayloadError> {
    if let Some(encoded) = text.string()? {
        return Ok(STANDARD.decode(encoded.as_bytes()).map_err(|_| PayloadFault::NotBase64)?);
    }
    if text.peek() != b'[' {
        return Err(text.wrong("base64 or an array of numbers").into());
    }
    let mut bytes = Vec::new();
    each(text, |text| {
        let value = read_integer(field, text)?;
        bytes.extend(u8::try_from(value));
        Ok(())
    })?;
    Ok(bytes)
}

fn read_scalar(field: &Field, text: &mut Text<'_>) -> Result<Scalar, PayloadError> {
    Ok(match field.wire() {
        Wire::Bool if text.word("true") => Scalar::Bool(true),
        Wire::Bool if text.word("false") => Scalar::Bool(false),
        Wire::Bool => return Err(text.wrong("true or false").into()),
        Wire::Float => {
            Scalar::Float(read_float(text, f32::NAN, f32::INFINITY, "float32", |value| value.is_finite())?)
        }
        Wire::Double => {
            Scalar::Double(read_float(text, f64::NAN, f64::INFINITY, "float64", |value| value.is_finite())?)
        }
        Wire::Uint32 | Wire::Uint64 | Wire::Fixed32 | Wire::Fixed64 => {
            Scalar::Unsigned(u64::try_from(read_integer(field, text)?).unwrap_or_default())
        }
        Wire::Int32 | Wire::Int64 | Wire::Sint32 | Wire::Sint64 | Wire::Sfixed32 | Wire::Sfixed64 => {
            Scalar::Signed(i64::try_from(read_integer(field, text)?).unwrap_or_default())
        }
        Wire::String | Wire::Bytes | Wire::Message(_) => return Err(text.wrong("a scalar").into()),
    })
}

/// Reads an integer within the range of its ROS type.
fn read_integer(field: &Field, text: &mut Text<'_>) -> Result<i128, PayloadError> {
    let wrong = text.wrong("an integer");
    let Some(number) = text.number()? else { return Err(wrong.into()) };
    if number.contains(['.', 'e', 'E']) {
        return Err(wrong.into());
    }
    // A number with more than 128 bits is out of every range.
    let value = number.parse().unwrap_or(i128::MAX);
    check_range(field, value).map_err(|fault| match fault {
        PayloadFault::OutOfRange { ros_type, .. } => {
            PayloadFault::OutOfRange { found: number.to_owned(), ros_type }
        }
        other => other,
    })?;
    Ok(value)
}

fn read_float<F: std::str::FromStr + std::ops::Neg<Output = F> + Copy>(
    text: &mut Text<'_>,
    nan: F,
    infinity: F,
    ros_type: &'static str,
    is_finite: impl Fn(F) -> bool,
) -> Result<F, PayloadError> {
    if let Some(number) = text.number()? {
        let value = number.parse::<F>().ok().filter(|value| is_finite(*value));
        return value.ok_or_else(|| PayloadFault::OutOfRange { found: number.to_owned(), ros_type }.into());
    }
    if text.word("null") || text.word("\"NaN\"") {
        return Ok(nan);
    }
    if text.word("\"Infinity\"") {
        return Ok(infinity);
    }
    if text.word("\"-Infinity\"") {
        return Ok(-infinity);
    }
    Err(text.wrong("a number, \"NaN\", \"Infinity\" or \"-Infinity\"").into())
}

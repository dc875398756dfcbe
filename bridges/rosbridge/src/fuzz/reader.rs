//! Reads the CBOR that this bridge writes, and compares it with JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value};

/// Reads CBOR to its end; `None` if it is malformed. Arrays of bytes become base64, typed arrays lists, and numbers that are
/// not finite `null`, as in the JSON of rosbridge.
pub(super) fn read(mut cbor: &[u8]) -> Option<Value> {
    let value = item(&mut cbor)?;
    cbor.is_empty().then_some(value)
}

fn item(input: &mut &[u8]) -> Option<Value> {
    match input.first()? {
        0xf4 | 0xf5 => Some(Value::Bool(take(input, 1)?[0] == 0xf5)),
        0xfb => Some(float(f64::from_be_bytes(take(input, 9)?[1..].try_into().ok()?))),
        _ => headed(input),
    }
}

fn headed(input: &mut &[u8]) -> Option<Value> {
    let (major, argument) = head(input)?;
    let length = usize::try_from(argument).ok()?;
    Some(match major {
        0 => argument.into(),
        1 => Value::Number(Number::from_i128(-1 - i128::from(argument))?),
        2 => Value::String(STANDARD.encode(take(input, length)?)),
        3 => Value::String(String::from_utf8(take(input, length)?.to_vec()).ok()?),
        4 => Value::Array((0..length).map(|_| item(input)).collect::<Option<_>>()?),
        5 => {
            let mut members = Map::new();
            for _ in 0..length {
                let Value::String(name) = item(input)? else { return None };
                members.insert(name, item(input)?);
            }
            Value::Object(members)
        }
        6 => typed(argument, input)?,
        _ => return None,
    })
}

/// Reads the major type and the argument, which must be as short as possible.
fn head(input: &mut &[u8]) -> Option<(u8, u64)> {
    let first = take(input, 1)?[0];
    let (major, short) = (first >> 5, first & 0x1f);
    let width = match short {
        0..24 => return Some((major, short.into())),
        24..28 => 1 << (short - 24),
        _ => return None,
    };
    let argument = take(input, width)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
    let least = [24, 1 << 8, 1 << 16, 1 << 32][usize::from(short - 24)];
    (argument >= least).then_some((major, argument))
}

/// Reads an array of numbers in little endian (RFC 8746).
fn typed(tag: u64, input: &mut &[u8]) -> Option<Value> {
    let (2, length) = head(input)? else { return None };
    let bytes = take(input, usize::try_from(length).ok()?)?;
    if tag == 64 {
        return Some(Value::String(STANDARD.encode(bytes)));
    }
    let width = match tag {
        72 => 1,
        69 | 77 => 2,
        70 | 78 | 85 => 4,
        71 | 79 | 86 => 8,
        _ => return None,
    };
    let numbers = bytes.chunks(width).map(|bytes| (bytes.len() == width).then(|| number(tag, bytes)));
    Some(Value::Array(numbers.collect::<Option<_>>()?))
}

fn number(tag: u64, bytes: &[u8]) -> Value {
    let bits = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    let unused = 64 - 8 * u32::try_from(bytes.len()).unwrap_or(8);
    let signed = (bits << unused).cast_signed() >> unused;
    match tag {
        72 | 77 | 78 | 79 => signed.into(),
        85 => float(f32::from_bits(u32::try_from(bits).unwrap_or(0)).into()),
        86 => float(f64::from_bits(bits)),
        _ => bits.into(),
    }
}

fn float(number: f64) -> Value {
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

fn take<'a>(input: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = input.split_at_checked(count)?;
    *input = rest;
    Some(taken)
}

/// Returns true if both have the same members and values. Numbers of single precision have other decimals in JSON.
pub(super) fn is_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => is_near(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| is_equal(a, b)))
        }
        (a, b) => a == b,
    }
}

fn is_near(a: &Number, b: &Number) -> bool {
    let (Some(x), Some(y)) = (a.as_f64(), b.as_f64()) else { return false };
    a == b || (x - y).abs() <= 1e-6 * x.abs().max(y.abs())
}

//! Encodes messages of which some fields are given by their paths: the reverse of [`FieldPath`](super::FieldPath).
//!
//! The paths are compiled once for a type. The bytes are those that [`JsonPlan`](crate::JsonPlan) makes of a JSON text with
//! the same fields, so that it makes no difference which way a message came.

use std::collections::BTreeMap;

use super::{FieldPathError, FieldPathFault, ends_at_message, no_field, split_index};
use crate::error::{PayloadError, PayloadFault};
use crate::json::fill;
use crate::limits::{check_range, check_string};
use crate::message_type::{Arity, Field, MessageType, Struct, Wire};
use crate::wire::{Scalar, WireType, put_bytes, put_delimited, put_key, put_scalar, put_unless_zero};

/// Elements of an array that may be given.
const MAX_ELEMENTS: u32 = 1 << 16;

/// No integer is so large: 2^64.
const TOO_LARGE: f64 = 18_446_744_073_709_551_616.0;

/// Writes messages of one type from numbers.
#[derive(Debug, Clone)]
pub struct FieldsWriter {
    fields: Vec<Planned>,
    inputs: usize,
}

/// Where a value comes from.
#[derive(Debug, Clone)]
enum Source {
    /// The number of this index that is given for each message.
    Input(usize),
    /// The same text in each message.
    Text(String),
}

/// The fields that were given so far, by their place in the message, then by element.
#[derive(Default)]
struct Given(BTreeMap<usize, BTreeMap<usize, Node>>);

enum Node {
    Value(Source),
    Message(Given),
}

/// How a field is written.
#[derive(Debug, Clone)]
enum Planned {
    /// Bytes that are the same in each message.
    Bytes(Vec<u8>),
    Value(Field, Source),
    Message(Field, Vec<Planned>),
    /// An array of numbers, as the wire format packs it.
    Packed(Field, Vec<Option<Source>>),
    Texts(Field, Vec<Option<Source>>),
    Messages(Field, Vec<Vec<Planned>>),
}

impl FieldsWriter {
    /// Compiles the paths of the fields, which are written as for [`FieldPath::compile`](super::FieldPath::compile). A field
    /// without a text gets a number for each message, in the order of these fields. Other fields have their defaults, and
    /// so have elements of an array before a given one.
    ///
    /// # Errors
    /// Returns an error if the type has no such field, if it is given twice, or if its value cannot be a number or the text.
    pub fn compile(message: &MessageType, fields: &[(&str, Option<&str>)]) -> Result<Self, FieldPathError> {
        let mut given = Given::default();
        let mut inputs = 0;
        for (path, text) in fields {
            let source = match text {
                Some(text) => Source::Text((*text).to_owned()),
                None => Source::Input(inputs),
            };
            inputs += usize::from(text.is_none());
            let refuse = |cause| FieldPathError { path: (*path).to_owned(), cause };
            insert(message, path, source, &mut given).map_err(refuse)?;
        }
        let fields = plan(message, message.root(), given);
        let writer = Self { fields, inputs };
        // Texts that do not fit their fields are found now.
        let zeros = vec![0.0; inputs];
        writer.write(&zeros, &mut Vec::new()).map_err(|error| FieldPathError {
            path: String::new(),
            cause: FieldPathFault::Constant(error.detail()),
        })?;
        Ok(writer)
    }

    /// Returns how many numbers a message is made of.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Appends a message with these numbers. A `bool` is true unless its number is 0.
    ///
    /// # Errors
    /// Returns an error if a number does not fit its field; `payload` has the bytes before it then.
    pub fn write(&self, values: &[f64], payload: &mut Vec<u8>) -> Result<(), PayloadError> {
        write_all(&self.fields, values, payload)
    }
}

/// Adds the field of a path.
fn insert(
    message: &MessageType,
    path: &str,
    source: Source,
    mut given: &mut Given,
) -> Result<(), FieldPathFault> {
    let mut of = message.root();
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let (name, index) = split_index(part)?;
        let place = of.fields().iter().position(|field| field.name() == name);
        let found = place.and_then(|place| Some((place, of.fields().get(place)?)));
        let Some((place, field)) = found else { return Err(no_field(of, name)) };
        let element = element(field, index)?;
        let elements = given.0.entry(place).or_default();
        let Wire::Message(id) = field.wire() else {
            if let Some(below) = parts.next() {
                return Err(FieldPathFault::BelowValue(below.to_owned()));
            }
            let is_new = elements.insert(element, Node::Value(source)).is_none();
            return if is_new { Ok(()) } else { Err(FieldPathFault::Twice(part.to_owned())) };
        };
        let Some(inner) = message.dependency(id) else { return Err(no_field(of, name)) };
        if parts.peek().is_none() {
            return Err(ends_at_message(inner));
        }
        of = inner;
        let node = elements.entry(element).or_insert_with(|| Node::Message(Given::default()));
        let Node::Message(below) = node else { return Err(FieldPathFault::Twice(part.to_owned())) };
        given = below;
    }
    Ok(())
}

/// Returns which element of a field is meant; 0 of a field that is no array.
fn element(field: &Field, index: Option<usize>) -> Result<usize, FieldPathFault> {
    let name = field.name().to_owned();
    let length = match (field.arity(), field.wire(), index) {
        (Arity::One, Wire::Bytes, _) => return Err(FieldPathFault::Bytes(name)),
        (Arity::One, _, None) => return Ok(0),
        (Arity::One, _, Some(_)) => return Err(FieldPathFault::NotArray(name)),
        (_, _, None) => return Err(FieldPathFault::WholeArray(name)),
        (Arity::Fixed(length) | Arity::Bounded(length), _, Some(_)) => length.min(MAX_ELEMENTS),
        (Arity::Sequence, _, Some(_)) => MAX_ELEMENTS,
    };
    let index = index.unwrap_or_default();
    let is_inside = u32::try_from(index).is_ok_and(|index| index < length);
    if is_inside { Ok(index) } else { Err(FieldPathFault::BeyondEnd { name, length }) }
}

/// Returns how the fields of a message are written, in their order.
fn plan(message: &MessageType, of: &Struct, mut given: Given) -> Vec<Planned> {
    let is_added = |place: &usize| of.fields().get(*place).is_some_and(|field| field.ros_added().is_some());
    let is_older = !given.0.keys().any(is_added);
    let planned = of.fields().iter().enumerate().filter_map(|(place, field)| {
        let Some(elements) = given.0.remove(&place) else {
            let mut bytes = Vec::new();
            // Defaults of declared types were checked when the type was resolved.
            fill(field, is_older, &mut bytes).unwrap_or_default();
            return (!bytes.is_empty()).then_some(Planned::Bytes(bytes));
        };
        Some(plan_field(message, field, elements))
    });
    planned.collect()
}

fn plan_field(message: &MessageType, field: &Field, elements: BTreeMap<usize, Node>) -> Planned {
    let length = match field.arity() {
        Arity::One => 1,
        Arity::Fixed(length) => usize::try_from(length).unwrap_or_default(),
        Arity::Sequence | Arity::Bounded(_) => elements.keys().next_back().map_or(0, |last| last + 1),
    };
    let field = field.clone();
    if let Wire::Message(id) = field.wire() {
        let mut inner: Vec<Given> = (0..length).map(|_| Given::default()).collect();
        for (index, node) in elements {
            if let (Some(place), Node::Message(given)) = (inner.get_mut(index), node) {
                *place = given;
            }
        }
        let of = message.dependency(id);
        let mut planned: Vec<Vec<Planned>> = inner
            .into_iter()
            .map(|given| of.map(|of| plan(message, of, given)).unwrap_or_default())
            .collect();
        return match field.arity() {
            Arity::One => Planned::Message(field, planned.pop().unwrap_or_default()),
            _ => Planned::Messages(field, planned),
        };
    }
    let mut sources: Vec<Option<Source>> = vec![None; length];
    for (index, node) in elements {
        if let (Some(place), Node::Value(source)) = (sources.get_mut(index), node) {
            *place = Some(source);
        }
    }
    match (field.arity(), field.wire()) {
        (Arity::One, _) => match sources.pop().flatten() {
            Some(source) => Planned::Value(field, source),
            None => Planned::Bytes(Vec::new()),
        },
        (_, Wire::String) => Planned::Texts(field, sources),
        _ => Planned::Packed(field, sources),
    }
}

fn write_all(planned: &[Planned], values: &[f64], out: &mut Vec<u8>) -> Result<(), PayloadError> {
    planned.iter().try_for_each(|planned| write_field(planned, values, out))
}

fn write_field(planned: &Planned, values: &[f64], out: &mut Vec<u8>) -> Result<(), PayloadError> {
    match planned {
        Planned::Bytes(bytes) => out.extend_from_slice(bytes),
        Planned::Value(field, source) if field.wire() == Wire::String => {
            let text = text_of(field, Some(source))?;
            if !text.is_empty() {
                put_bytes(out, field, text.as_bytes());
            }
        }
        Planned::Value(field, source) => {
            put_unless_zero(out, field, scalar_of(field, Some(source), values)?);
        }
        Planned::Message(field, inner) => write_message(field, inner, values, out)?,
        Planned::Messages(field, all) => {
            all.iter().try_for_each(|inner| write_message(field, inner, values, out))?;
        }
        Planned::Texts(field, sources) => {
            for source in sources {
                put_bytes(out, field, text_of(field, source.as_ref())?.as_bytes());
            }
        }
        Planned::Packed(field, sources) => {
            put_key(out, field.number(), WireType::Length);
            put_delimited(out, |out| {
                sources.iter().try_for_each(|source| write_element(field, source.as_ref(), values, out))
            })?;
        }
    }
    Ok(())
}

fn write_message(
    field: &Field,
    inner: &[Planned],
    values: &[f64],
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    put_key(out, field.number(), WireType::Length);
    put_delimited(out, |out| write_all(inner, values, out)).map_err(|error| error.below(field.name()))
}

fn write_element(
    field: &Field,
    source: Option<&Source>,
    values: &[f64],
    out: &mut Vec<u8>,
) -> Result<(), PayloadError> {
    let scalar = scalar_of(field, source, values)?;
    match (field.wire(), scalar) {
        // Its elements are bytes, not numbers of the wire format.
        (Wire::Bytes, Scalar::Unsigned(value)) => out.push(u8::try_from(value).unwrap_or_default()),
        (wire, scalar) => put_scalar(out, wire, scalar),
    }
    Ok(())
}

/// Returns the text of a field of texts; a number is written as such.
fn text_of<'a>(field: &Field, source: Option<&'a Source>) -> Result<&'a str, PayloadError> {
    match source {
        None => Ok(""),
        Some(Source::Text(text)) => {
            check_string(field, text.len())?;
            Ok(text)
        }
        Some(Source::Input(_)) => {
            let (expected, found) = ("a text, which must be given with its path", "a number");
            let fault = PayloadFault::WrongValue { expected, found, offset: 0 };
            Err(PayloadError::from(fault).below(field.name()))
        }
    }
}

fn scalar_of(field: &Field, source: Option<&Source>, values: &[f64]) -> Result<Scalar, PayloadError> {
    let value = match source {
        None => 0.0,
        Some(Source::Input(index)) => values.get(*index).copied().unwrap_or_default(),
        Some(Source::Text(text)) => constant(text).ok_or_else(|| refused(field, text.clone()))?,
    };
    scalar(field, value).map_err(|fault| PayloadError::from(fault).below(field.name()))
}

fn constant(text: &str) -> Option<f64> {
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        text => text.parse().ok(),
    }
}

fn refused(field: &Field, found: String) -> PayloadError {
    let ros_type = field.ros_element().name();
    PayloadError::from(PayloadFault::OutOfRange { found, ros_type }).below(field.name())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked, and a float32 is what the type has"
)]
fn scalar(field: &Field, value: f64) -> Result<Scalar, PayloadFault> {
    let integer = || {
        let out_of_range =
            || PayloadFault::OutOfRange { found: value.to_string(), ros_type: field.ros_element().name() };
        if value.fract() != 0.0 || value.abs() > TOO_LARGE {
            return Err(out_of_range());
        }
        let whole = value as i128;
        check_range(field, whole)?;
        Ok(whole)
    };
    Ok(match field.wire() {
        Wire::Bool => Scalar::Bool(value != 0.0),
        Wire::Float => Scalar::Float(value as f32),
        Wire::Double => Scalar::Double(value),
        Wire::Uint32 | Wire::Uint64 | Wire::Fixed32 | Wire::Fixed64 | Wire::Bytes => {
            Scalar::Unsigned(u64::try_from(integer()?).unwrap_or_default())
        }
        Wire::Int32 | Wire::Int64 | Wire::Sint32 | Wire::Sint64 | Wire::Sfixed32 | Wire::Sfixed64 => {
            Scalar::Signed(i64::try_from(integer()?).unwrap_or_default())
        }
        Wire::String | Wire::Message(_) => return Err(PayloadFault::Malformed("a value of no number")),
    })
}

#[cfg(test)]
mod tests;

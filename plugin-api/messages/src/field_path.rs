//! One value out of a payload, by the path of its field: `pose.pose.position.x`, `ranges[3]`, `markers.length`.
//!
//! The path is compiled once for a type; reading one then walks the wire along it and skips the rest, without building
//! the message or its JSON.

use std::fmt;

use crate::error::{PayloadError, PayloadFault};
use crate::message_type::{Arity, Field, MessageType, Struct, Wire};
use crate::wire::{Reader, Scalar, WireType};

#[cfg(test)]
mod tests;

/// The last part of a path that asks for the number of elements of an array.
const LENGTH: &str = "length";

/// A path that leads to one value of a message type.
#[derive(Debug, Clone)]
pub struct FieldPath {
    text: String,
    steps: Vec<Step>,
}

/// One part of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    number: u32,
    wire: Wire,
    pick: Pick,
}

/// What is taken of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pick {
    /// Its one value.
    Value,
    /// An element of the array; `is_fixed` where a missing one counts as zero.
    Element { index: usize, is_fixed: bool },
    /// How many elements the array has.
    Length,
}

/// What kind of value a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// `true` or `false`.
    Bool,
    /// A number of any width.
    Number,
    /// A text.
    Text,
}

impl fmt::Display for FieldKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "true or false",
            Self::Number => "a number",
            Self::Text => "a text",
        })
    }
}

/// A value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FieldValue<'a> {
    /// `true` or `false`.
    Bool(bool),
    /// A number; integers beyond 2^53 are rounded.
    Number(f64),
    /// A text.
    Text(&'a str),
}

/// Why a path leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}`: {cause}")]
pub struct FieldPathError {
    /// The path as it was given.
    pub path: String,
    /// What is wrong, and what there is instead.
    pub cause: String,
}

impl FieldPath {
    /// Compiles a path. Parts are separated by `.`; an element of an array is chosen by `[n]`, from 0, and `length`
    /// behind an array is the number of its elements.
    ///
    /// # Errors
    /// When the type has no such field, or the path ends at a message or an array.
    pub fn compile(message: &MessageType, path: &str) -> Result<Self, FieldPathError> {
        let refuse = |cause: String| FieldPathError { path: path.to_owned(), cause };
        let mut at = Some(message.root());
        let mut steps = Vec::new();
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let Some(of) = at else {
                return Err(refuse(format!("nothing is below a single value, so `{part}` leads nowhere")));
            };
            let (name, index) = split_index(part).map_err(&refuse)?;
            let field = of.fields().iter().find(|field| field.name() == name);
            let field = field.ok_or_else(|| refuse(no_field(of, name)))?;
            let is_length = index.is_none() && field.arity() != Arity::One && parts.peek() == Some(&LENGTH);
            let pick = if is_length { Pick::Length } else { pick(field, index).map_err(&refuse)? };
            steps.push(Step { number: field.number(), wire: field.wire(), pick });
            at = match field.wire() {
                Wire::Message(id) if !is_length => message.dependency(id),
                _ => None,
            };
            if is_length {
                parts.next();
            }
        }
        match at {
            Some(of) => Err(refuse(ends_at_message(of))),
            None => Ok(Self { text: path.to_owned(), steps }),
        }
    }

    /// The path as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What kind of value it leads to.
    pub fn kind(&self) -> FieldKind {
        match self.steps.last().map(|step| (step.pick, step.wire)) {
            Some((Pick::Value | Pick::Element { .. }, Wire::Bool)) => FieldKind::Bool,
            Some((Pick::Value | Pick::Element { .. }, Wire::String)) => FieldKind::Text,
            _ => FieldKind::Number,
        }
    }

    /// The value in a payload; `None` if an array is too short for it.
    ///
    /// # Errors
    /// When the payload is cut short, or is no protobuf of the path's type.
    pub fn read<'a>(&self, payload: &'a [u8]) -> Result<Option<FieldValue<'a>>, PayloadError> {
        Ok(walk(&self.steps, payload)?)
    }
}

/// `ranges[3]` as name and index.
fn split_index(part: &str) -> Result<(&str, Option<usize>), String> {
    let Some((name, rest)) = part.split_once('[') else { return Ok((part, None)) };
    let index = rest.strip_suffix(']').and_then(|digits| digits.parse().ok());
    index
        .map(|index| (name, Some(index)))
        .ok_or_else(|| format!("`{part}` is not a name with an index, such as `ranges[3]`"))
}

fn pick(field: &Field, index: Option<usize>) -> Result<Pick, String> {
    let name = field.name();
    match (field.arity(), field.wire(), index) {
        (Arity::One, Wire::Bytes, _) => Err(format!("`{name}` is bytes, which cannot be compared")),
        (Arity::One, _, None) => Ok(Pick::Value),
        (Arity::One, _, Some(_)) => Err(format!("`{name}` is no array")),
        (Arity::Fixed(length), _, Some(index)) if index >= usize::try_from(length).unwrap_or(usize::MAX) => {
            Err(format!("`{name}` has {length} elements, counted from 0"))
        }
        (arity, _, Some(index)) => Ok(Pick::Element { index, is_fixed: matches!(arity, Arity::Fixed(_)) }),
        (_, _, None) => {
            Err(format!("`{name}` is an array: write `{name}[0]` for an element or `{name}.length`"))
        }
    }
}

fn no_field(of: &Struct, name: &str) -> String {
    let known: Vec<String> = of.fields().iter().map(|field| format!("`{}`", field.name())).collect();
    let known = if known.is_empty() { "no fields".to_owned() } else { known.join(", ") };
    format!("{} has no field `{name}`; it has {known}", of.ros_type())
}

fn ends_at_message(of: &Struct) -> String {
    let known: Vec<String> = of.fields().iter().map(|field| format!("`{}`", field.name())).collect();
    format!("the path ends at a {}; go on with one of {}", of.ros_type(), known.join(", "))
}

/// Follows the steps. A value that comes twice counts as it comes last, as in every protobuf reader.
fn walk<'a>(steps: &[Step], payload: &'a [u8]) -> Result<Option<FieldValue<'a>>, PayloadFault> {
    let Some((step, below)) = steps.split_first() else { return Ok(None) };
    let mut seen = Seen { count: 0, found: None };
    let mut reader = Reader::new(payload);
    while let Some((number, wire_type)) = reader.key()? {
        if number == step.number {
            seen.take(step, below, wire_type, &mut reader)?;
        } else {
            reader.skip(wire_type)?;
        }
    }
    Ok(match step.pick {
        #[expect(clippy::cast_precision_loss, reason = "no payload has 2^53 elements")]
        Pick::Length => Some(FieldValue::Number(seen.count as f64)),
        Pick::Element { index, is_fixed } if !is_fixed && index >= seen.count => None,
        Pick::Value | Pick::Element { .. } => match seen.found {
            Some(value) => value,
            None => absent(step, below)?,
        },
    })
}

/// An absent field has its default; one inside of an absent message too.
fn absent<'a>(step: &Step, below: &[Step]) -> Result<Option<FieldValue<'a>>, PayloadFault> {
    match step.wire {
        Wire::Bool => Ok(Some(FieldValue::Bool(false))),
        Wire::String => Ok(Some(FieldValue::Text(""))),
        Wire::Message(_) => walk(below, &[]),
        _ => Ok(Some(FieldValue::Number(0.0))),
    }
}

/// What was met of a field so far.
struct Seen<'a> {
    count: usize,
    found: Option<Option<FieldValue<'a>>>,
}

impl<'a> Seen<'a> {
    fn take(
        &mut self,
        step: &Step,
        below: &[Step],
        wire_type: WireType,
        reader: &mut Reader<'a>,
    ) -> Result<(), PayloadFault> {
        let is_array = step.pick != Pick::Value;
        if step.wire == Wire::Bytes {
            self.take_bytes(step, text_of(wire_type, reader)?);
        } else if is_array && wire_type == WireType::Length && step.wire.wire_type() != WireType::Length {
            let mut packed = Reader::new(reader.bytes()?);
            while !packed.is_empty() {
                self.keep(step, Some(number_or_bool(packed.scalar(step.wire)?)));
            }
        } else if wire_type != step.wire.wire_type() {
            return Err(PayloadFault::WireType { found: wire_type.number(), expected: step.wire.name() });
        } else {
            let value = match step.wire {
                Wire::Message(_) => {
                    let inner = reader.bytes()?;
                    if step.pick == Pick::Length { None } else { walk(below, inner)? }
                }
                Wire::String => Some(FieldValue::Text(
                    std::str::from_utf8(reader.bytes()?).map_err(|_| PayloadFault::NotUtf8)?,
                )),
                wire => Some(number_or_bool(reader.scalar(wire)?)),
            };
            self.keep(step, value);
        }
        Ok(())
    }

    fn keep(&mut self, step: &Step, value: Option<FieldValue<'a>>) {
        let is_it = match step.pick {
            Pick::Value => true,
            Pick::Element { index, .. } => index == self.count,
            Pick::Length => false,
        };
        if is_it {
            self.found = Some(value);
        }
        self.count += 1;
    }

    /// An array of bytes comes as one value.
    fn take_bytes(&mut self, step: &Step, bytes: &[u8]) {
        self.count = bytes.len();
        if let Pick::Element { index, .. } = step.pick {
            self.found = bytes.get(index).map(|byte| Some(FieldValue::Number(f64::from(*byte))));
        }
    }
}

fn text_of<'a>(wire_type: WireType, reader: &mut Reader<'a>) -> Result<&'a [u8], PayloadFault> {
    if wire_type != WireType::Length {
        return Err(PayloadFault::WireType { found: wire_type.number(), expected: Wire::Bytes.name() });
    }
    Ok(reader.bytes()?)
}

#[expect(clippy::cast_precision_loss, reason = "said of `FieldValue::Number`")]
fn number_or_bool<'a>(scalar: Scalar) -> FieldValue<'a> {
    match scalar {
        Scalar::Bool(value) => FieldValue::Bool(value),
        Scalar::Signed(value) => FieldValue::Number(value as f64),
        Scalar::Unsigned(value) => FieldValue::Number(value as f64),
        Scalar::Float(value) => FieldValue::Number(f64::from(value)),
        Scalar::Double(value) => FieldValue::Number(value),
    }
}

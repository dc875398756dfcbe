//! One value of a payload by the path of its field: `pose.pose.position.x`, `ranges[3]`, `markers.length`.
//!
//! A path is compiled once for a type. Reading then follows it through the encoded payload and skips the rest, without
//! building the message or its JSON.

use std::fmt;

use crate::error::{PayloadError, PayloadFault};
use crate::message_type::{Arity, Field, MessageType, Struct, Wire};
use crate::wire::{Reader, Scalar, WireType};

mod numbers;
#[cfg(test)]
mod tests;
mod writer;

pub use numbers::NumbersPath;
pub use writer::FieldsWriter;

/// The last part of a path that means the number of elements of an array.
const LENGTH: &str = "length";

/// The path of one value of a message type.
#[derive(Debug, Clone)]
pub struct FieldPath {
    text: String,
    steps: Vec<Step>,
    /// Length of the array that its last field is; 0 if that is not an array of fixed length.
    fixed: usize,
}

/// One part of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    number: u32,
    wire: Wire,
    pick: Pick,
}

/// The part of a field that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pick {
    /// Its one value.
    Value,
    /// An element of the array; `is_fixed` if a missing one counts as zero.
    Element { index: usize, is_fixed: bool },
    /// The number of elements of the array.
    Length,
}

/// The kind of value of a path.
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

/// Why a path is not the path of a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}`: {cause}")]
pub struct FieldPathError {
    /// The path as it was given.
    pub path: String,
    /// What is wrong, and what the type has instead.
    pub cause: FieldPathFault,
}

/// What is wrong with a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldPathFault {
    /// A part follows a single value.
    #[error("a single value has no fields, found `{0}` after it")]
    BelowValue(String),
    /// A part is not a name with an index.
    #[error("`{0}` is not a name with an index, such as `ranges[3]`")]
    Index(String),
    /// The field does not exist.
    #[error("{message} has no field `{name}`; it has {known}")]
    UnknownField {
        /// The message.
        message: String,
        /// The name.
        name: String,
        /// Its fields.
        known: String,
    },
    /// The path ends at a message.
    #[error("the path ends at a {message}; go on with one of {known}")]
    EndsAtMessage {
        /// The message.
        message: String,
        /// Its fields.
        known: String,
    },
    /// A single field of bytes.
    #[error("`{0}` is bytes, which cannot be compared")]
    Bytes(String),
    /// An index of a field that is not an array.
    #[error("`{0}` is not an array")]
    NotArray(String),
    /// An index beyond the end of an array of fixed length.
    #[error("`{name}` has {length} elements, counted from 0")]
    BeyondEnd {
        /// The field.
        name: String,
        /// Its length.
        length: u32,
    },
    /// A field that was given before.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A constant that does not fit its field, or a text for each message.
    #[error("{0}")]
    Constant(String),
    /// A path of numbers that leads to texts.
    #[error("`{0}` is an array of texts, not of numbers")]
    NotNumbers(String),
    /// An array without an index.
    #[error("`{0}` is an array: write `{0}[0]` for an element or `{0}.length`")]
    WholeArray(String),
}

impl FieldPath {
    /// Compiles a path. Parts are separated by `.`; an element of an array is chosen by `[n]`, from 0, and `length`
    /// after an array is the number of its elements.
    ///
    /// # Errors
    /// Returns an error if the type has no such field, or the path ends at a message or an array.
    pub fn compile(message: &MessageType, path: &str) -> Result<Self, FieldPathError> {
        let refuse = |cause: FieldPathFault| FieldPathError { path: path.to_owned(), cause };
        let mut at = Some(message.root());
        let (mut steps, mut fixed) = (Vec::new(), 0);
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let Some(of) = at else {
                return Err(refuse(FieldPathFault::BelowValue(part.to_owned())));
            };
            let (name, index) = split_index(part).map_err(&refuse)?;
            let field = of.fields().iter().find(|field| field.name() == name);
            let field = field.ok_or_else(|| refuse(no_field(of, name)))?;
            let is_length = index.is_none() && field.arity() != Arity::One && parts.peek() == Some(&LENGTH);
            let pick = if is_length { Pick::Length } else { pick(field, index).map_err(&refuse)? };
            steps.push(Step { number: field.number(), wire: field.wire(), pick });
            fixed = match field.arity() {
                Arity::Fixed(length) => usize::try_from(length).unwrap_or(usize::MAX),
                _ => 0,
            };
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
            None => Ok(Self { text: path.to_owned(), steps, fixed }),
        }
    }

    /// Returns the path as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the kind of its value.
    pub fn kind(&self) -> FieldKind {
        match self.steps.last().map(|step| (step.pick, step.wire)) {
            Some((Pick::Value | Pick::Element { .. }, Wire::Bool)) => FieldKind::Bool,
            Some((Pick::Value | Pick::Element { .. }, Wire::String)) => FieldKind::Text,
            _ => FieldKind::Number,
        }
    }

    /// Returns the value in a payload; `None` if an array is too short for it.
    ///
    /// # Errors
    /// Returns an error if the payload is cut short, or is not protobuf of the path's type.
    pub fn read<'a>(&self, payload: &'a [u8]) -> Result<Option<FieldValue<'a>>, PayloadError> {
        Ok(walk(&self.steps, payload)?)
    }
}

/// Splits `ranges[3]` into name and index.
fn split_index(part: &str) -> Result<(&str, Option<usize>), FieldPathFault> {
    let Some((name, rest)) = part.split_once('[') else { return Ok((part, None)) };
    let index = rest.strip_suffix(']').and_then(|digits| digits.parse().ok());
    index.map(|index| (name, Some(index))).ok_or_else(|| FieldPathFault::Index(part.to_owned()))
}

fn pick(field: &Field, index: Option<usize>) -> Result<Pick, FieldPathFault> {
    let name = field.name().to_owned();
    match (field.arity(), field.wire(), index) {
        (Arity::One, Wire::Bytes, _) => Err(FieldPathFault::Bytes(name)),
        (Arity::One, _, None) => Ok(Pick::Value),
        (Arity::One, _, Some(_)) => Err(FieldPathFault::NotArray(name)),
        (Arity::Fixed(length), _, Some(index)) if index >= usize::try_from(length).unwrap_or(usize::MAX) => {
            Err(FieldPathFault::BeyondEnd { name, length })
        }
        (arity, _, Some(index)) => Ok(Pick::Element { index, is_fixed: matches!(arity, Arity::Fixed(_)) }),
        (_, _, None) => Err(FieldPathFault::WholeArray(name)),
    }
}

fn no_field(of: &Struct, name: &str) -> FieldPathFault {
    let known: Vec<String> = of.fields().iter().map(|field| format!("`{}`", field.name())).collect();
    let known = if known.is_empty() { "no fields".to_owned() } else { known.join(", ") };
    FieldPathFault::UnknownField { message: of.ros_type().to_string(), name: name.to_owned(), known }
}

fn ends_at_message(of: &Struct) -> FieldPathFault {
    let known: Vec<String> = of.fields().iter().map(|field| format!("`{}`", field.name())).collect();
    FieldPathFault::EndsAtMessage { message: of.ros_type().to_string(), known: known.join(", ") }
}

impl Step {
    /// Returns the message that this step leads to; `None` if it is absent.
    fn inner(self, payload: &[u8]) -> Result<Option<&[u8]>, PayloadFault> {
        let (mut count, mut found) = (0, None);
        let mut reader = Reader::new(payload);
        while let Some((number, wire_type)) = reader.key()? {
            if number != self.number || wire_type != WireType::Length {
                reader.skip(wire_type)?;
                continue;
            }
            let inner = reader.bytes()?;
            match self.pick {
                Pick::Element { index, .. } if index != count => {}
                _ => found = Some(inner),
            }
            count += 1;
        }
        Ok(found)
    }
}

/// Follows the steps. The last of several values counts, as in every protobuf reader.
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

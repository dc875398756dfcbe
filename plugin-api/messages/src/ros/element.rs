//! ROS element types: which protobuf type may carry each, and how `ros_field` annotations are read.

use std::fmt;

use super::AnnotationFault;
use crate::{Arity, Wire};

/// ROS type of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the ROS interface language")]
pub enum RosElement {
    Bool,
    Byte,
    Char,
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uint64,
    Float32,
    Float64,
    String,
    /// A string of at most so many bytes.
    BoundedString(u32),
    /// A contained message.
    Message,
}

const NAMES: [(RosElement, &str); 14] = [
    (RosElement::Bool, "bool"),
    (RosElement::Byte, "byte"),
    (RosElement::Char, "char"),
    (RosElement::Int8, "int8"),
    (RosElement::Uint8, "uint8"),
    (RosElement::Int16, "int16"),
    (RosElement::Uint16, "uint16"),
    (RosElement::Int32, "int32"),
    (RosElement::Uint32, "uint32"),
    (RosElement::Int64, "int64"),
    (RosElement::Uint64, "uint64"),
    (RosElement::Float32, "float32"),
    (RosElement::Float64, "float64"),
    (RosElement::String, "string"),
];

impl RosElement {
    /// Returns the name in a `.msg` file, without the bound of a string.
    pub fn name(self) -> &'static str {
        match self {
            Self::BoundedString(_) => "string",
            Self::Message => "message",
            plain => NAMES.iter().find(|(element, _)| *element == plain).map_or("", |(_, name)| name),
        }
    }

    /// Returns the smallest and largest value of an integer type; `None` for everything else.
    pub fn range(self) -> Option<(i64, u64)> {
        Some(match self {
            Self::Int8 => (i8::MIN.into(), 0x7f),
            Self::Byte | Self::Char | Self::Uint8 => (0, u8::MAX.into()),
            Self::Int16 => (i16::MIN.into(), 0x7fff),
            Self::Uint16 => (0, u16::MAX.into()),
            Self::Int32 => (i32::MIN.into(), 0x7fff_ffff),
            Self::Uint32 => (0, u32::MAX.into()),
            Self::Int64 => (i64::MIN, 0x7fff_ffff_ffff_ffff),
            Self::Uint64 => (0, u64::MAX),
            Self::Bool
            | Self::Float32
            | Self::Float64
            | Self::String
            | Self::BoundedString(_)
            | Self::Message => {
                return None;
            }
        })
    }

    /// Returns the ROS type of a field without annotation.
    fn natural(wire: Wire) -> Self {
        match wire {
            Wire::Bool => Self::Bool,
            Wire::Int32 | Wire::Sint32 | Wire::Sfixed32 => Self::Int32,
            Wire::Int64 | Wire::Sint64 | Wire::Sfixed64 => Self::Int64,
            Wire::Uint32 | Wire::Fixed32 => Self::Uint32,
            Wire::Uint64 | Wire::Fixed64 => Self::Uint64,
            Wire::Float => Self::Float32,
            Wire::Double => Self::Float64,
            Wire::String => Self::String,
            Wire::Bytes => Self::Uint8,
            Wire::Message(_) => Self::Message,
        }
    }

    /// Returns true if a protobuf element of this type may carry the ROS type.
    fn fits(self, wire: Wire) -> bool {
        match self {
            Self::Byte | Self::Char | Self::Uint8 => {
                matches!(wire, Wire::Uint32 | Wire::Fixed32 | Wire::Bytes)
            }
            Self::Uint16 => matches!(wire, Wire::Uint32 | Wire::Fixed32),
            Self::Int8 | Self::Int16 => matches!(wire, Wire::Int32 | Wire::Sint32 | Wire::Sfixed32),
            Self::BoundedString(_) => wire == Wire::String,
            plain => wire != Wire::Bytes && Self::natural(wire) == plain,
        }
    }
}

impl fmt::Display for RosElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::BoundedString(limit) => write!(f, "<={limit}"),
            _ => Ok(()),
        }
    }
}

/// Returns the element type and arity of a field, from its protobuf type and its `ros_field` annotation.
pub(crate) fn parse_field_type(
    wire: Wire,
    repeated: bool,
    annotation: Option<&str>,
) -> Result<(RosElement, Arity), AnnotationFault> {
    let natural = RosElement::natural(wire);
    let is_array = repeated || wire == Wire::Bytes;
    let Some(text) = annotation else {
        return Ok((natural, if is_array { Arity::Sequence } else { Arity::One }));
    };
    let (element, arity) = split_arity(text)?;
    let element = if element.is_empty() { natural } else { parse_scalar(element)? };
    if repeated && wire == Wire::Bytes {
        return Err(AnnotationFault::ArrayOfArrays);
    }
    if !element.fits(wire) {
        return Err(AnnotationFault::Carrier { wire: wire.name(), element });
    }
    match (is_array, arity) {
        (true, Arity::One) => Err(AnnotationFault::IsArray(element)),
        (false, Arity::Sequence | Arity::Bounded(_) | Arity::Fixed(_)) => Err(AnnotationFault::IsSingle),
        (true, Arity::Sequence | Arity::Bounded(_) | Arity::Fixed(_)) | (false, Arity::One) => {
            Ok((element, arity))
        }
    }
}

/// `float64[9]` → `float64`, `Fixed(9)`.
fn split_arity(text: &str) -> Result<(&str, Arity), AnnotationFault> {
    let Some((element, brackets)) = text.split_once('[') else { return Ok((text, Arity::One)) };
    let Some(inside) = brackets.strip_suffix(']') else { return Err(AnnotationFault::Bracket) };
    let arity = match inside.strip_prefix("<=") {
        None if inside.is_empty() => Arity::Sequence,
        None => Arity::Fixed(parse_length(inside)?),
        Some(limit) => Arity::Bounded(parse_length(limit)?),
    };
    Ok((element, arity))
}

/// Reads the name of an element type, with the bound of a string.
pub(super) fn parse_scalar(text: &str) -> Result<RosElement, AnnotationFault> {
    if let Some(limit) = text.strip_prefix("string<=") {
        return Ok(RosElement::BoundedString(parse_length(limit)?));
    }
    let known = NAMES.iter().find(|(_, name)| *name == text).map(|(element, _)| *element);
    known.ok_or_else(|| AnnotationFault::Element(text.to_owned()))
}

fn parse_length(text: &str) -> Result<u32, AnnotationFault> {
    text.parse().ok().filter(|length| *length > 0).ok_or_else(|| AnnotationFault::Length(text.to_owned()))
}

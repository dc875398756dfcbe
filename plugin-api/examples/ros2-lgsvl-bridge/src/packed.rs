//! The body of a message: its fields in declared order, in little endian and without padding.
//!
//! Strings have their length in front and no NUL; every array has its count in front, also one of a fixed length. The
//! same fields in the same order are in CDR, which the SDK converts from and to protobuf; only alignment, NULs and
//! counts differ.

use bridgehead_plugin_api::messages::ros::RosElement;
use bridgehead_plugin_api::messages::{Arity, CdrPlan, Field, MessageType, Schema, Struct, Wire};
use bridgehead_plugin_api::prelude::*;

/// How messages of a type become bodies and back. It is made once per topic.
pub(crate) struct Packed {
    cdr: CdrPlan,
}

impl Packed {
    /// Makes the conversion from the descriptor of the type.
    pub(crate) fn of(channel: &Channel<'_>) -> Result<Self> {
        let data_type = channel.data_type();
        let schema = Schema::new(data_type.descriptor_set.to_vec(), data_type.name.to_owned());
        Self::compile(&schema)
    }

    pub(crate) fn compile(schema: &Schema) -> Result<Self> {
        let message = schema.resolve().map_err(|error| Error::new(error.to_string()))?;
        let structs = message.dependencies().iter().chain([message.root()]);
        let mut fields = structs.flat_map(Struct::fields);
        match fields.find(|field| field.ros_element() == RosElement::Byte) {
            Some(field) => Err(Error::unsupported(format!(
                "ros2-lgsvl-bridge does not support `byte`, the type of the field `{}`",
                field.name()
            ))),
            None => Ok(Packed { cdr: CdrPlan::compile(&message) }),
        }
    }

    /// Appends the body of a protobuf payload.
    pub(crate) fn encode(&self, payload: &[u8], body: &mut Vec<u8>) -> Result {
        let mut cdr = Vec::new();
        self.cdr.encode_body(payload, &mut cdr).map_err(|error| Error::new(error.to_string()))?;
        let message = self.cdr.message_type();
        Pack { message, cdr: Source::new(&cdr), body }.fields(message.root())
    }

    /// Returns the protobuf payload of a body. It grows only with the bytes that are there.
    pub(crate) fn decode(&self, body: &[u8]) -> Result<Vec<u8>> {
        let (mut cdr, mut payload) = (Vec::with_capacity(body.len()), Vec::new());
        let message = self.cdr.message_type();
        Unpack { message, body: Source::new(body), cdr: &mut cdr }.fields(message.root())?;
        self.cdr.decode_body(&cdr, &mut payload).map_err(|error| Error::new(error.to_string()))?;
        Ok(payload)
    }
}

/// Returns the size of a number in bytes; `None` for strings and messages.
fn width(field: &Field) -> Option<usize> {
    match field.ros_element() {
        RosElement::Bool | RosElement::Byte | RosElement::Char | RosElement::Int8 | RosElement::Uint8 => {
            Some(1)
        }
        RosElement::Int16 | RosElement::Uint16 => Some(2),
        RosElement::Int32 | RosElement::Uint32 | RosElement::Float32 => Some(4),
        RosElement::Int64 | RosElement::Uint64 | RosElement::Float64 => Some(8),
        RosElement::String | RosElement::BoundedString(_) | RosElement::Message => None,
    }
}

/// Returns the contained message of a field.
fn contained<'a>(message: &'a MessageType, field: &Field) -> Option<&'a Struct> {
    match field.wire() {
        Wire::Message(id) => message.dependencies().get(id.index()),
        _ => None,
    }
}

/// Bytes that are read from the front.
struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Source<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Source { bytes, at: 0 }
    }

    fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn align(&mut self, width: usize) {
        self.at = self.at.next_multiple_of(width);
    }

    fn take(&mut self, count: usize, field: &str) -> Result<&'a [u8]> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count));
        let taken = taken.ok_or_else(|| {
            Error::new(format!("`{field}` needs {count} bytes at byte {}, {} are left", self.at, self.left()))
        })?;
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self, field: &str) -> Result<u32> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4, field)?);
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads a length and compares it with what is left, for elements of at least `size` bytes.
    fn count(&mut self, size: usize, field: &str) -> Result<u32> {
        let count = self.number(field)?;
        match usize::try_from(count) {
            Ok(elements) if elements.saturating_mul(size) <= self.left() => Ok(count),
            _ => {
                Err(Error::new(format!("`{field}` has {count} elements, but {} bytes are left", self.left())))
            }
        }
    }
}

/// From CDR to a body.
struct Pack<'a> {
    message: &'a MessageType,
    cdr: Source<'a>,
    body: &'a mut Vec<u8>,
}

impl Pack<'_> {
    fn fields(&mut self, of: &Struct) -> Result {
        if of.fields().is_empty() {
            // ROS adds a byte to a message without fields.
            self.body.extend_from_slice(self.cdr.take(1, of.full_name())?);
        }
        of.fields().iter().try_for_each(|field| self.field(field))
    }

    fn field(&mut self, field: &Field) -> Result {
        let count = match field.arity() {
            Arity::One => return self.values(field, 1),
            Arity::Fixed(count) => count,
            Arity::Sequence | Arity::Bounded(_) => {
                self.cdr.align(4);
                self.cdr.number(field.name())?
            }
        };
        self.body.extend_from_slice(&count.to_le_bytes());
        self.values(field, usize::try_from(count).unwrap_or(usize::MAX))
    }

    fn values(&mut self, field: &Field, count: usize) -> Result {
        match (width(field), contained(self.message, field)) {
            (Some(width), _) if count > 0 => {
                self.cdr.align(width);
                let values = self.cdr.take(count.saturating_mul(width), field.name())?;
                self.body.extend_from_slice(values);
                Ok(())
            }
            (Some(_), _) => Ok(()),
            (None, Some(of)) => (0..count).try_for_each(|_| self.fields(of)),
            (None, None) => (0..count).try_for_each(|_| self.text(field)),
        }
    }

    fn text(&mut self, field: &Field) -> Result {
        self.cdr.align(4);
        // The length in CDR includes the NUL.
        let length = self.cdr.number(field.name())?.saturating_sub(1);
        let text = self.cdr.take(usize::try_from(length).unwrap_or(usize::MAX), field.name())?;
        self.cdr.take(1, field.name())?;
        self.body.extend_from_slice(&length.to_le_bytes());
        self.body.extend_from_slice(text);
        Ok(())
    }
}

/// From a body to CDR.
struct Unpack<'a> {
    message: &'a MessageType,
    body: Source<'a>,
    cdr: &'a mut Vec<u8>,
}

impl Unpack<'_> {
    fn align(&mut self, width: usize) {
        self.cdr.resize(self.cdr.len().next_multiple_of(width), 0);
    }

    fn number(&mut self, number: u32) {
        self.align(4);
        self.cdr.extend_from_slice(&number.to_le_bytes());
    }

    fn fields(&mut self, of: &Struct) -> Result {
        if of.fields().is_empty() {
            self.cdr.extend_from_slice(self.body.take(1, of.full_name())?);
        }
        of.fields().iter().try_for_each(|field| self.field(field))
    }

    fn field(&mut self, field: &Field) -> Result {
        let size = width(field).unwrap_or(if field.ros_element() == RosElement::Message { 1 } else { 4 });
        match field.arity() {
            Arity::One => self.values(field, 1),
            Arity::Fixed(length) => match self.body.count(size, field.name())? {
                0 => self.zeros(field, length),
                found if found == length => self.values(field, found),
                found => {
                    Err(Error::new(format!("`{}` has {found} elements instead of {length}", field.name())))
                }
            },
            Arity::Sequence | Arity::Bounded(_) => {
                let count = self.body.count(size, field.name())?;
                self.number(count);
                self.values(field, count)
            }
        }
    }

    fn values(&mut self, field: &Field, count: u32) -> Result {
        match (width(field), contained(self.message, field)) {
            (Some(width), _) if count > 0 => {
                self.align(width);
                let size = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(width);
                self.cdr.extend_from_slice(self.body.take(size, field.name())?);
                Ok(())
            }
            (Some(_), _) => Ok(()),
            (None, Some(of)) => (0..count).try_for_each(|_| self.fields(of)),
            (None, None) => (0..count).try_for_each(|_| self.text(field)),
        }
    }

    fn text(&mut self, field: &Field) -> Result {
        let length = self.body.count(1, field.name())?;
        let text = self.body.take(usize::try_from(length).unwrap_or(usize::MAX), field.name())?;
        self.number(length.saturating_add(1));
        self.cdr.extend_from_slice(text);
        self.cdr.push(0);
        Ok(())
    }

    /// A fixed array may come without elements, which stands for zeros.
    fn zeros(&mut self, field: &Field, length: u32) -> Result {
        let Some(width) = width(field) else {
            return Err(Error::new(format!("`{}` has no elements instead of {length}", field.name())));
        };
        self.align(width);
        let size = usize::try_from(length).unwrap_or(usize::MAX).saturating_mul(width);
        self.cdr.resize(self.cdr.len().saturating_add(size), 0);
        Ok(())
    }
}

//! Protobuf wire to CDR of ROS 2, and back, by a plan that is compiled once per type.
//!
//! CDR is version 1 of DDS-XTypes, little endian, for final types: fields in declared order without names, each
//! number aligned to its size from the beginning of the body, strings with length and NUL, sequences with
//! length, and structs without separators. ROS adds a hidden byte to a message without fields.

use crate::error::PayloadError;
use crate::message_type::{Arity, Field, MessageType, Struct, StructId, Wire};
use crate::ros::RosElement;
use crate::wire::WireType;

mod decode;
mod encode;
mod error;
#[cfg(test)]
mod tests;

pub use error::{CdrError, CdrFault};

/// The four bytes before a body: CDR version 1, little endian, no options.
pub const CDR_ENCAPSULATION: [u8; 4] = [0, 1, 0, 0];

/// The encoding of a type to CDR, independent of the values.
#[derive(Debug, Clone)]
pub struct CdrPlan {
    message: MessageType,
    /// One for each of the type's dependencies, in their order.
    dependencies: Vec<PlannedStruct>,
    root: PlannedStruct,
}

#[derive(Debug, Clone)]
struct PlannedStruct {
    fields: Vec<Cell>,
    /// Smallest number of bytes, for any alignment.
    min_size: usize,
    /// The keys of its fields if all of them are single doubles: points, vectors, quaternions.
    row: Option<Vec<u8>>,
}

/// The layout of one element of a field in CDR.
#[derive(Debug, Clone, Copy)]
enum Cell {
    Number(Number),
    Text,
    Struct(StructId),
}

/// A number or a truth value.
#[derive(Debug, Clone, Copy)]
struct Number {
    /// Size and alignment in bytes: 1, 2, 4 or 8.
    width: usize,
    /// Whether packed protobuf has the same byte sequence.
    is_bulk: bool,
    /// Whether the protobuf type has a larger range.
    is_narrow: bool,
}

impl CdrPlan {
    /// Compiles the plan of a type.
    pub fn compile(message: &MessageType) -> Self {
        let mut dependencies = Vec::new();
        for contained in message.dependencies() {
            let planned = PlannedStruct::compile(contained, &dependencies);
            dependencies.push(planned);
        }
        let root = PlannedStruct::compile(message.root(), &dependencies);
        Self { message: message.clone(), dependencies, root }
    }

    /// Returns the type of this plan.
    pub fn message_type(&self) -> &MessageType {
        &self.message
    }

    /// Appends [`CDR_ENCAPSULATION`] and the body of a protobuf payload to `cdr`.
    ///
    /// # Errors
    /// Returns the errors of [`encode_body`](Self::encode_body).
    pub fn encode(&self, payload: &[u8], cdr: &mut Vec<u8>) -> Result<(), PayloadError> {
        let start = cdr.len();
        cdr.extend_from_slice(&CDR_ENCAPSULATION);
        self.encode_body(payload, cdr).inspect_err(|_| cdr.truncate(start))
    }

    /// Appends only the body, for transports with data between the encapsulation and the body. Alignment counts
    /// from the beginning of the body, so the length of the data before it must be a multiple of eight bytes for the peer.
    ///
    /// Fields may come in any order, packed or not. Unknown fields are skipped. Absent fields are zero, as in all of
    /// protobuf; a fixed array has that many zeros. Zeros are appended until the length is a multiple of four, because some
    /// readers drop other messages.
    ///
    /// # Errors
    /// Returns an error if the payload is cut short, is not protobuf of this type, or has a value outside its ROS type (a
    /// `uint8` of 300, eight numbers instead of nine). `cdr` is then unchanged.
    pub fn encode_body(&self, payload: &[u8], cdr: &mut Vec<u8>) -> Result<(), PayloadError> {
        encode::encode(self, payload, cdr)
    }

    /// Appends the protobuf payload of an encapsulated CDR message to `payload`.
    ///
    /// Zero values and empty arrays are omitted from the payload; contained messages are always
    /// present. Peers with other versions of an interface are supported: if the bytes end before a field that was
    /// added later, it has the value of senders that do not know it ([`Field::ros_added`]); bytes after
    /// the last field are skipped. The hidden byte of an empty message may be missing.
    ///
    /// # Errors
    /// Returns an error if the encapsulation differs, the bytes end too early, or a value is invalid; the error names the
    /// field and byte. `payload` is then unchanged. It never grows by more than a small multiple of `cdr`.
    pub fn decode(&self, cdr: &[u8], payload: &mut Vec<u8>) -> Result<(), CdrError> {
        let (body, skipped) = decode::unwrap(cdr)?;
        decode::decode(self, body, skipped, payload)
    }

    /// Appends the protobuf payload of a body without encapsulation; offsets in errors count from its beginning.
    ///
    /// # Errors
    /// Returns the errors of [`decode`](Self::decode).
    pub fn decode_body(&self, body: &[u8], payload: &mut Vec<u8>) -> Result<(), CdrError> {
        decode::decode(self, body, 0, payload)
    }

    /// Returns a contained message with its part of the plan.
    fn contained(&self, id: StructId) -> Option<(&Struct, &PlannedStruct)> {
        self.message.dependency(id).zip(self.dependencies.get(id.index()))
    }

    /// Returns the smallest number of bytes of one element of a field.
    fn min_size(&self, cell: Cell) -> usize {
        min_element(cell, &self.dependencies)
    }
}

impl PlannedStruct {
    fn compile(of: &Struct, dependencies: &[Self]) -> Self {
        let fields: Vec<Cell> = of.fields().iter().map(Cell::of).collect();
        let sizes = of.fields().iter().zip(&fields).map(|(field, cell)| match field.arity() {
            Arity::One => min_element(*cell, dependencies),
            Arity::Sequence | Arity::Bounded(_) => 4,
            Arity::Fixed(length) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                min_element(*cell, dependencies).saturating_mul(length)
            }
        });
        // An empty message has its hidden byte.
        let min_size = sizes.fold(0, usize::saturating_add).max(1);
        Self { fields, min_size, row: row(of) }
    }
}

/// Returns the keys of a message of doubles in ascending order, each of one byte.
fn row(of: &Struct) -> Option<Vec<u8>> {
    let is_plain = |field: &Field| field.arity() == Arity::One && field.wire() == Wire::Double;
    let keys = of.fields().iter().map(|field| match field.number() {
        number @ 1..16 if is_plain(field) => u8::try_from(number << 3 | 1).ok(),
        _ => None,
    });
    let keys: Vec<u8> = keys.collect::<Option<_>>()?;
    (!keys.is_empty() && keys.is_sorted()).then_some(keys)
}

fn min_element(cell: Cell, dependencies: &[PlannedStruct]) -> usize {
    match cell {
        Cell::Number(number) => number.width,
        Cell::Text => 4,
        Cell::Struct(id) => dependencies.get(id.index()).map_or(1, |contained| contained.min_size),
    }
}

impl Cell {
    fn of(field: &Field) -> Self {
        let width = match field.ros_element() {
            RosElement::Bool | RosElement::Byte | RosElement::Char | RosElement::Int8 | RosElement::Uint8 => {
                1
            }
            RosElement::Int16 | RosElement::Uint16 => 2,
            RosElement::Int32 | RosElement::Uint32 | RosElement::Float32 => 4,
            RosElement::Int64 | RosElement::Uint64 | RosElement::Float64 => 8,
            RosElement::String | RosElement::BoundedString(_) => return Self::Text,
            RosElement::Message => 0,
        };
        let wire = field.wire();
        if let Wire::Message(id) = wire {
            return Self::Struct(id);
        }
        let (is_bulk, is_narrow) = match wire.wire_type() {
            WireType::Fixed32 => (width == 4, width < 4),
            WireType::Fixed64 => (true, false),
            WireType::Length => (true, false),
            WireType::Varint => (false, width < 4 && wire != Wire::Bool),
        };
        Self::Number(Number { width, is_bulk, is_narrow })
    }
}

//! Protobuf wire to CDR as ROS 2 writes it, and back, by a plan that is compiled once per type.
//!
//! CDR here is version 1 of DDS-XTypes, little endian, for final types: fields in declared order without names, each
//! number aligned to its size from the beginning of the body, strings with their length and a NUL, sequences with
//! their length, and structs simply in a row. ROS gives a message without fields a hidden byte.

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

/// The four bytes before a body: CDR version 1, little endian, and no options.
pub const CDR_ENCAPSULATION: [u8; 4] = [0, 1, 0, 0];

/// Everything about a type that its CDR needs and that does not depend on the values.
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
    /// Bytes it has at least, wherever it lies.
    min_size: usize,
    /// The keys of its fields where they are single doubles and nothing else: points, vectors, quaternions.
    row: Option<Vec<u8>>,
}

/// How one element of a field lies in CDR.
#[derive(Debug, Clone, Copy)]
enum Cell {
    Number(Number),
    Text,
    Struct(StructId),
}

/// A number or a truth value.
#[derive(Debug, Clone, Copy)]
struct Number {
    /// Bytes, and what it is aligned to: 1, 2, 4 or 8.
    width: usize,
    /// Whether packed protobuf has the same bytes in a row.
    is_bulk: bool,
    /// Whether protobuf can hold more than it.
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

    /// The type this plan was compiled for.
    pub fn message_type(&self) -> &MessageType {
        &self.message
    }

    /// Appends [`CDR_ENCAPSULATION`] and the body of a protobuf payload to `cdr`.
    ///
    /// # Errors
    /// As [`encode_body`](Self::encode_body).
    pub fn encode(&self, payload: &[u8], cdr: &mut Vec<u8>) -> Result<(), PayloadError> {
        let start = cdr.len();
        cdr.extend_from_slice(&CDR_ENCAPSULATION);
        self.encode_body(payload, cdr).inspect_err(|_| cdr.truncate(start))
    }

    /// Appends the body alone, for transports that put something between it and the encapsulation. Alignment counts
    /// from where the body begins, so what comes before must be a multiple of eight bytes long in the peer's eyes.
    ///
    /// Fields may come in any order, packed or not; unknown ones are skipped; absent ones are zero, as everywhere in
    /// protobuf, a fixed array that many zeros. Zeros follow until the length is a multiple of four, since there are
    /// readers that drop everything else.
    ///
    /// # Errors
    /// When the payload is cut short, is no protobuf of this type, or holds a value its ROS type does not (a
    /// `uint8` of 300, nine numbers wanted and eight given). `cdr` is then as it was.
    pub fn encode_body(&self, payload: &[u8], cdr: &mut Vec<u8>) -> Result<(), PayloadError> {
        encode::encode(self, payload, cdr)
    }

    /// Appends the protobuf payload of an encapsulated CDR message to `payload`.
    ///
    /// Values that are zero and arrays that are empty are left out of the payload; contained messages are there
    /// always. Peers of other generations of an interface are understood: where the bytes end before a field that was
    /// added later, it has the value that a sender means who does not know it ([`Field::ros_added`]), and what
    /// follows the last field is passed over. The hidden byte of an empty message may be missing.
    ///
    /// # Errors
    /// When the encapsulation is another, the bytes end too early, or a value cannot be; the error says at which
    /// field and byte. `payload` is then as it was. It never grows by more than a small multiple of `cdr`.
    pub fn decode(&self, cdr: &[u8], payload: &mut Vec<u8>) -> Result<(), CdrError> {
        let (body, skipped) = decode::unwrap(cdr)?;
        decode::decode(self, body, skipped, payload)
    }

    /// Appends the protobuf payload of a body without encapsulation; offsets in errors count from its beginning.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_body(&self, body: &[u8], payload: &mut Vec<u8>) -> Result<(), CdrError> {
        decode::decode(self, body, 0, payload)
    }

    /// A contained message with its part of the plan.
    fn contained(&self, id: StructId) -> Option<(&Struct, &PlannedStruct)> {
        self.message.dependency(id).zip(self.dependencies.get(id.index()))
    }

    /// Bytes one element of a field has at least.
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

/// The keys of a message of doubles in ascending order, each of one byte.
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

//! Protobuf wire to JSON with ROS field names, and back, by a plan that is compiled once per type.
//!
//! No intermediate message is built. The JSON is that of rosbridge as far as rosbridge is lossless: every field is
//! present in declared order, arrays of bytes (`uint8[]`, `byte[]`, `char[]`) are base64. Numbers are the shortest
//! text that reads back to the same value; 64-bit integers are also numbers; non-finite values are the
//! strings `"NaN"`, `"Infinity"` and `"-Infinity"`, as in protobuf's own JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::error::PayloadError;
use crate::message_type::{Arity, Field, MessageType, Struct, Wire};
use crate::wire::WireType;

mod decode;
mod encode;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use decode::fill;
pub(crate) use encode::write_string;
pub(crate) use text::Text;

/// The encoding of a type to JSON, independent of the values.
#[derive(Debug, Clone)]
pub struct JsonPlan {
    message: MessageType,
    /// One for each of the type's dependencies, in their order.
    dependencies: Vec<PlannedStruct>,
    root: PlannedStruct,
}

#[derive(Debug, Clone)]
struct PlannedStruct {
    fields: Vec<PlannedField>,
    /// JSON of the message if all fields are absent.
    empty: Vec<u8>,
    /// The key of each field on the wire, if all of them are single doubles, as in vectors and quaternions.
    doubles: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
struct PlannedField {
    /// `"name":`, with the comma before it.
    key: Vec<u8>,
    /// JSON of the absent field.
    default: Vec<u8>,
}

impl JsonPlan {
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

    /// Appends the JSON of a protobuf payload to `json`.
    ///
    /// Fields may come in any order, packed or not. Unknown fields are skipped. Absent fields are written with their
    /// default; a fixed array has that many zeros.
    ///
    /// # Errors
    /// Returns an error if the payload is cut short, is not protobuf of this type, or has a value outside its ROS type (a
    /// `uint8` of 300, eight numbers instead of nine). `json` is then unchanged.
    pub fn encode(&self, payload: &[u8], json: &mut Vec<u8>) -> Result<(), PayloadError> {
        encode::encode(self, payload, json)
    }

    /// Appends the protobuf payload of a JSON text to `payload`.
    ///
    /// Members may come in any order; absent ones have their ROS default, or are zero. Besides the output of [`encode`](Self::encode), an
    /// array of bytes may be a list of numbers, and `null` means NaN, because rosbridge
    /// clients write it. Zero scalars and empty arrays are omitted from the payload.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, or has an unknown or repeated member, or a value of another kind or
    /// out of range; the error names the field. `payload` is then unchanged.
    pub fn decode(&self, json: &str, payload: &mut Vec<u8>) -> Result<(), PayloadError> {
        decode::decode(self, json, payload)
    }

    /// Returns a contained message with its part of the plan.
    fn contained(&self, wire: Wire) -> Option<(&Struct, &PlannedStruct)> {
        match wire {
            Wire::Message(id) => self.message.dependency(id).zip(self.dependencies.get(id.index())),
            _ => None,
        }
    }
}

impl PlannedStruct {
    fn compile(of: &Struct, dependencies: &[Self]) -> Self {
        let fields: Vec<PlannedField> = of
            .fields()
            .iter()
            .enumerate()
            .map(|(index, field)| PlannedField {
                key: format!("{}\"{}\":", if index == 0 { "" } else { "," }, field.name()).into_bytes(),
                default: default_text(field, dependencies),
            })
            .collect();
        let members = fields.iter().flat_map(|field| field.key.iter().chain(&field.default)).copied();
        let empty = std::iter::once(b'{').chain(members).chain([b'}']).collect();
        let doubles = of.fields().iter().map(double_key).collect();
        Self { fields, empty, doubles }
    }
}

/// Returns the key of a single double on the wire, if it has one byte.
fn double_key(field: &Field) -> Option<u8> {
    let is_double = field.wire() == Wire::Double && field.arity() == Arity::One;
    let key = (field.number() << 3) | u32::from(WireType::Fixed64.number());
    u8::try_from(key).ok().filter(|key| is_double && *key < 0x80)
}

/// Returns the JSON of an absent field.
fn default_text(field: &Field, dependencies: &[PlannedStruct]) -> Vec<u8> {
    let zero: &[u8] = match field.wire() {
        Wire::Bool => b"false",
        Wire::Float | Wire::Double => b"0.0",
        Wire::String => b"\"\"",
        Wire::Bytes => return zero_bytes(field.arity()),
        Wire::Message(id) => dependencies.get(id.index()).map_or(b"null", |contained| &contained.empty),
        Wire::Int32 | Wire::Int64 | Wire::Uint32 | Wire::Uint64 | Wire::Sint32 | Wire::Sint64 => b"0",
        Wire::Fixed32 | Wire::Fixed64 | Wire::Sfixed32 | Wire::Sfixed64 => b"0",
    };
    match field.arity() {
        Arity::One => zero.to_vec(),
        Arity::Sequence | Arity::Bounded(_) => b"[]".to_vec(),
        Arity::Fixed(length) => {
            let elements = (0..length).map(|_| zero).collect::<Vec<_>>().join(&b',');
            [b"[", elements.as_slice(), b"]"].concat()
        }
    }
}

fn zero_bytes(arity: Arity) -> Vec<u8> {
    let length = match arity {
        Arity::Fixed(length) => usize::try_from(length).unwrap_or_default(),
        Arity::One | Arity::Sequence | Arity::Bounded(_) => 0,
    };
    format!("\"{}\"", STANDARD.encode(vec![0; length])).into_bytes()
}

//! Random payloads from the description of a type, and types with every feature.
//!
//! The payloads are written field by field, in random order, packed or not, with unknown fields between: everything that
//! protobuf allows.

use std::sync::LazyLock;

use bridgehead_messages::{Arity, Field, MessageType, Schema, Struct, Wire, all_schemas};

/// Every message of the crate, and one with the remaining features.
pub(crate) fn all_types() -> &'static [MessageType] {
    static TYPES: LazyLock<Vec<MessageType>> = LazyLock::new(resolve_types);
    &TYPES
}

fn resolve_types() -> Vec<MessageType> {
    let mut compiler = protox::Compiler::new(["../build/proto", "tests/codecs"]).unwrap();
    compiler.include_imports(true).open_file("odd.proto").unwrap();
    let odd = ["Empty", "Corner", "Odd", "Odd2"].map(|name| format!("odd_msgs.v1.{name}"));
    let odd = odd.map(|name| Schema::new(compiler.encode_file_descriptor_set(), name));
    all_schemas().chain(odd).map(|schema| schema.resolve().unwrap()).collect()
}

/// SplitMix64: a seed from proptest makes the whole payload, so that a failure shrinks to a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// Returns a payload of the type.
pub(crate) fn random_payload(message: &MessageType, random: &mut Random) -> Vec<u8> {
    random_struct(message, message.root(), random)
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_delimited(out: &mut Vec<u8>, number: u32, body: &[u8]) {
    put_varint(out, u64::from(number) << 3 | 2);
    put_varint(out, body.len() as u64);
    out.extend_from_slice(body);
}

fn random_struct(message: &MessageType, of: &Struct, random: &mut Random) -> Vec<u8> {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    for field in of.fields() {
        if random.below(5) > 0 {
            random_field(message, field, random, &mut pieces);
        }
    }
    if random.below(4) == 0 {
        pieces.push([0xfa, 0x3f, 3, 1, 2, 3].to_vec());
    }
    if random.below(2) == 0 {
        for last in (1..pieces.len()).rev() {
            let other = usize::try_from(random.below(last as u64 + 1)).unwrap();
            pieces.swap(last, other);
        }
    }
    pieces.concat()
}

fn random_field(message: &MessageType, field: &Field, random: &mut Random, pieces: &mut Vec<Vec<u8>>) {
    let count = match field.arity() {
        _ if field.wire() == Wire::Bytes => 1,
        Arity::One => 1,
        Arity::Sequence => random.below(4),
        Arity::Bounded(limit) => random.below(u64::from(limit) + 1),
        Arity::Fixed(length) => u64::from(length),
    };
    let elements: Vec<Vec<u8>> = (0..count).map(|_| random_element(message, field, random)).collect();
    if is_scalar(field) && field.arity() != Arity::One && random.below(2) == 0 {
        let mut piece = Vec::new();
        put_delimited(&mut piece, field.number(), &elements.concat());
        pieces.push(piece);
        return;
    }
    for element in elements {
        let mut piece = Vec::new();
        if is_scalar(field) {
            put_varint(&mut piece, u64::from(field.number()) << 3 | scalar_wire_type(field));
            piece.extend(element);
        } else {
            put_delimited(&mut piece, field.number(), &element);
        }
        pieces.push(piece);
    }
}

fn is_scalar(field: &Field) -> bool {
    !matches!(field.wire(), Wire::String | Wire::Bytes | Wire::Message(_))
}

fn scalar_wire_type(field: &Field) -> u64 {
    match field.wire() {
        Wire::Double | Wire::Fixed64 | Wire::Sfixed64 => 1,
        Wire::Float | Wire::Fixed32 | Wire::Sfixed32 => 5,
        _ => 0,
    }
}

fn random_element(message: &MessageType, field: &Field, random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    match field.wire() {
        Wire::Message(id) => return random_struct(message, &message.dependencies()[id.index()], random),
        Wire::String => {
            return ["", "x", "Ü\"\\\n", "frame/🚗"][random.below(4) as usize].as_bytes().to_vec();
        }
        Wire::Bytes => {
            let length = match field.arity() {
                Arity::Fixed(length) => u64::from(length),
                Arity::Bounded(limit) => random.below(u64::from(limit) + 1),
                Arity::One | Arity::Sequence => random.below(9),
            };
            return (0..length).map(|_| random.next() as u8).collect();
        }
        Wire::Double => out.extend_from_slice(&special(random).to_le_bytes()),
        Wire::Float => out.extend_from_slice(&(special(random) as f32).to_le_bytes()),
        Wire::Bool => put_varint(&mut out, random.below(2)),
        Wire::Int32 | Wire::Int64 | Wire::Uint32 | Wire::Uint64 => {
            put_varint(&mut out, integer(field, random))
        }
        Wire::Sint32 | Wire::Sint64 => {
            let value = integer(field, random) as i64;
            put_varint(&mut out, ((value << 1) ^ (value >> 63)) as u64);
        }
        Wire::Fixed32 | Wire::Sfixed32 => {
            out.extend_from_slice(&(integer(field, random) as u32).to_le_bytes());
        }
        Wire::Fixed64 | Wire::Sfixed64 => out.extend_from_slice(&integer(field, random).to_le_bytes()),
    }
    out
}

/// Returns an integer in the range of the field's ROS type, often one of its limits.
fn integer(field: &Field, random: &mut Random) -> u64 {
    let (low, high) = field.ros_element().range().unwrap();
    match random.below(6) {
        0 => low as u64,
        1 => high,
        _ => {
            let width = u128::from(high) + u128::from(low.unsigned_abs()) + 1;
            (i128::from(low) + (u128::from(random.next()) % width) as i128) as u64
        }
    }
}

fn special(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => f64::NAN,
        1 => f64::NEG_INFINITY,
        2 => -0.0,
        3 => f64::from_bits(random.next()),
        _ => random.below(1_000_000) as f64 / 1000.0 - 500.0,
    }
}

/// Changes a few bytes, and cuts some off.
pub(crate) fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.below(4) {
        if !bytes.is_empty() {
            let at = usize::try_from(random.below(bytes.len() as u64)).unwrap();
            bytes[at] = random.next() as u8;
        }
    }
    if random.below(3) == 0 {
        let length = usize::try_from(random.below(bytes.len() as u64 + 1)).unwrap();
        bytes.truncate(length);
    }
}

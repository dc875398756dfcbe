//! Random payloads of every message through JSON and back, and damaged ones that must not panic.
//!
//! The payloads are written field by field from the type's own description, in random order, packed or not, with
//! unknown fields between: whatever protobuf allows.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "helpers of tests: a panic is the failure, and random bits may be cut"
)]

use bridgehead_messages::ros::RosElement;
use bridgehead_messages::{Arity, Field, JsonPlan, MessageType, Struct, Wire, all_schemas};
use proptest::prelude::*;

/// SplitMix64: a seed from proptest makes the whole payload, so that a failure shrinks to a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
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
        Wire::Double => 1,
        Wire::Float => 5,
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
                _ => random.below(9),
            };
            return (0..length).map(|_| random.next() as u8).collect();
        }
        Wire::Double => out.extend_from_slice(&special(random).to_le_bytes()),
        Wire::Float => out.extend_from_slice(&(special(random) as f32).to_le_bytes()),
        Wire::Bool => put_varint(&mut out, random.below(2)),
        Wire::Uint64 | Wire::Int64 => put_varint(&mut out, random.next()),
        Wire::Int32 => {
            let number = random.next();
            let narrowed = match field.ros_element() {
                RosElement::Int8 => i64::from(number as i8),
                RosElement::Int16 => i64::from(number as i16),
                _ => i64::from(number as i32),
            };
            put_varint(&mut out, narrowed as u64);
        }
        Wire::Uint32 => {
            let limit = match field.ros_element() {
                RosElement::Uint8 => 1 << 8,
                RosElement::Uint16 => 1 << 16,
                _ => 1 << 32,
            };
            put_varint(&mut out, random.below(limit));
        }
        other => panic!("no message here uses {}", other.name()),
    }
    out
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

fn plans() -> Vec<JsonPlan> {
    all_schemas().map(|schema| JsonPlan::compile(&schema.resolve().unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_payload_goes_to_json_and_back(seed: u64) {
        for plan in plans() {
            let payload = random_struct(plan.message_type(), plan.message_type().root(), &mut Random(seed));
            let mut json = Vec::new();
            plan.encode(&payload, &mut json).unwrap();
            let text = std::str::from_utf8(&json).unwrap();
            serde_json::from_str::<serde_json::Value>(text).unwrap();

            let mut back = Vec::new();
            plan.decode(text, &mut back).unwrap();
            let mut again = Vec::new();
            plan.encode(&back, &mut again).unwrap();
            prop_assert_eq!(text, std::str::from_utf8(&again).unwrap());
        }
    }

    #[test]
    fn damage_never_panics_and_leaves_the_output_alone(seed: u64) {
        let mut random = Random(seed);
        for plan in plans() {
            let mut payload = random_struct(plan.message_type(), plan.message_type().root(), &mut random);
            let mut json = Vec::new();
            plan.encode(&payload, &mut json).unwrap();
            damage(&mut payload, &mut random);
            damage(&mut json, &mut random);

            let mut out = b"kept".to_vec();
            if plan.encode(&payload, &mut out).is_err() {
                prop_assert_eq!(&out, b"kept");
            } else {
                serde_json::from_slice::<serde_json::Value>(&out[4..]).unwrap();
            }
            let text = String::from_utf8_lossy(&json);
            let mut out = b"kept".to_vec();
            match plan.decode(&text, &mut out) {
                Err(_) => prop_assert_eq!(&out, b"kept"),
                Ok(()) => prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text),
            }
        }
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
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

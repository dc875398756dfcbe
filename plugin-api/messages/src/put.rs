//! Writes fields of a protobuf payload like prost: zero and empty values are omitted.

use crate::message_type::Field;
use crate::wire::{Scalar, WireType, put_key, put_scalar, put_varint};

/// Appends a scalar with its key unless it is zero.
pub(crate) fn put_unless_zero(out: &mut Vec<u8>, field: &Field, value: Scalar) {
    if !value.is_zero() {
        put_key(out, field.number(), field.wire().wire_type());
        put_scalar(out, field.wire(), value);
    }
}

/// Appends a string, an array of bytes or a packed array with its key and length, even if it is empty.
pub(crate) fn put_bytes(out: &mut Vec<u8>, field: &Field, value: &[u8]) {
    put_key(out, field.number(), WireType::Length);
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

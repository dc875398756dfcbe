//! The wire format against prost's encoder, and against bytes that are cut or wrong.

use super::{Reader, Scalar, WireFault, WireType, put_delimited, put_key, put_scalar, put_varint};
use crate::error::PayloadError;
use crate::message_type::Wire;

#[test]
fn scalars_come_back() {
    let cases = [
        (Wire::Bool, Scalar::Bool(true)),
        (Wire::Int32, Scalar::Signed(-5)),
        (Wire::Int64, Scalar::Signed(i64::MIN)),
        (Wire::Uint32, Scalar::Unsigned(u32::MAX.into())),
        (Wire::Uint64, Scalar::Unsigned(u64::MAX)),
        (Wire::Sint32, Scalar::Signed(i32::MIN.into())),
        (Wire::Sint64, Scalar::Signed(i64::MIN)),
        (Wire::Fixed32, Scalar::Unsigned(7)),
        (Wire::Fixed64, Scalar::Unsigned(u64::MAX)),
        (Wire::Sfixed32, Scalar::Signed(-7)),
        (Wire::Sfixed64, Scalar::Signed(i64::MIN)),
        (Wire::Float, Scalar::Float(0.1)),
        (Wire::Double, Scalar::Double(-0.1)),
    ];
    for (wire, value) in cases {
        let mut bytes = Vec::new();
        put_scalar(&mut bytes, wire, value);
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.scalar(wire), Ok(value), "{wire:?}");
        assert!(reader.is_empty(), "{wire:?}");
    }
}

#[test]
fn known_bytes_are_read() {
    // Examples of the protobuf encoding guide: field 1 = 150, and zigzag of -2.
    let mut reader = Reader::new(&[0x08, 0x96, 0x01]);
    assert_eq!(reader.key(), Ok(Some((1, WireType::Varint))));
    assert_eq!(reader.varint(), Ok(150));
    assert_eq!(Reader::new(&[0x03]).scalar(Wire::Sint32), Ok(Scalar::Signed(-2)));
}

#[test]
fn faults_are_told_apart() {
    assert_eq!(Reader::new(&[0x80]).varint(), Err(WireFault::Truncated));
    assert_eq!(Reader::new(&[0xff; 11]).varint(), Err(WireFault::LongVarint));
    assert_eq!(Reader::new(&[5, 1, 2]).bytes(), Err(WireFault::Truncated));
    assert_eq!(Reader::new(&[1, 2, 3]).scalar(Wire::Float), Err(WireFault::Truncated));
    assert_eq!(Reader::new(&[0x00]).key(), Err(WireFault::FieldNumber));
    assert_eq!(Reader::new(&[0x0b]).key(), Err(WireFault::Group));
    assert_eq!(Reader::new(&[0x0e]).key(), Err(WireFault::NoSuchWireType));
}

#[test]
fn long_values_get_a_long_length() {
    for length in [0, 1, 127, 128, 300, 20_000] {
        let mut bytes = Vec::new();
        put_key(&mut bytes, 3, WireType::Length);
        put_delimited(&mut bytes, |out| {
            out.resize(out.len() + length, 7);
            Ok::<(), PayloadError>(())
        })
        .unwrap();
        put_varint(&mut bytes, 1);
        let mut reader = Reader::new(&bytes);
        reader.key().unwrap();
        assert_eq!(reader.bytes().unwrap(), vec![7; length]);
        assert_eq!(reader.remaining(), 1);
    }
}

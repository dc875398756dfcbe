//! Checks that bytes are a message of a type, without decoding them: for payloads of peers.

use crate::error::{PayloadError, PayloadFault};
use crate::message_type::{Arity, Field, MessageType, Struct, Wire};
use crate::wire::{Reader, WireType};

impl MessageType {
    /// Checks a payload: wire types, UTF-8, lengths of fixed and bounded arrays. Fields with unknown numbers
    /// are skipped, as protobuf requires. Allocates only for types with fixed or bounded arrays.
    ///
    /// # Errors
    /// Returns an error that names the field and the fault.
    pub fn check(&self, payload: &[u8]) -> Result<(), PayloadError> {
        check_struct(self, self.root(), payload)
    }
}

fn check_struct(message: &MessageType, layout: &Struct, payload: &[u8]) -> Result<(), PayloadError> {
    let mut reader = Reader::new(payload);
    let mut counts = Vec::new();
    let mut likely = 0;
    while let Some((number, wire_type)) = reader.key()? {
        let Some(index) = layout.index_of(number, likely) else {
            reader.skip(wire_type)?;
            continue;
        };
        likely = index + 1;
        let Some(field) = layout.fields().get(index) else { continue };
        let elements =
            check_field(message, field, wire_type, &mut reader).map_err(|error| error.below(field.name()))?;
        if matches!(field.arity(), Arity::Fixed(_) | Arity::Bounded(_)) {
            counts.resize(layout.fields().len(), 0);
            counts[index] += elements;
        }
    }
    for (field, count) in layout.fields().iter().zip(counts) {
        crate::limits::check_length(field.arity(), count)
            .map_err(|fault| PayloadError::from(fault).below(field.name()))?;
    }
    Ok(())
}

/// Checks one value, or one packed run of values; returns their number.
fn check_field(
    message: &MessageType,
    field: &Field,
    wire_type: WireType,
    reader: &mut Reader<'_>,
) -> Result<usize, PayloadError> {
    let wire = field.wire();
    if wire_type == WireType::Length && wire.wire_type() != WireType::Length && field.arity() != Arity::One {
        let mut packed = Reader::new(reader.bytes()?);
        let mut count = 0;
        while !packed.is_empty() {
            packed.scalar(wire)?;
            count += 1;
        }
        return Ok(count);
    }
    if wire_type != wire.wire_type() {
        let (found, expected) = (wire_type.number(), wire.name());
        return Err(PayloadFault::WireType { found, expected }.into());
    }
    match wire {
        Wire::Bytes => return Ok(reader.bytes()?.len()),
        Wire::String => drop(std::str::from_utf8(reader.bytes()?).map_err(|_| PayloadFault::NotUtf8)?),
        Wire::Message(id) => {
            let bytes = reader.bytes()?;
            if let Some(layout) = message.dependency(id) {
                check_struct(message, layout, bytes)?;
            }
        }
        _ => drop(reader.scalar(wire)?),
    }
    Ok(1)
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use crate::{Message, geometry_msgs, sensor_msgs, std_msgs};

    #[test]
    fn every_cut_of_a_message_is_judged_and_the_whole_passes() {
        let imu = sensor_msgs::Imu {
            header: Some(std_msgs::Header::new(5, "frame")),
            orientation_covariance: vec![0.5; 9],
            ..sensor_msgs::Imu::default()
        };
        let kind = sensor_msgs::Imu::schema().resolve().expect("resolves");
        let bytes = imu.encode_to_vec();
        kind.check(&bytes).expect("whole");
        for end in 1..bytes.len() {
            if kind.check(&bytes[..end]).is_ok() {
                sensor_msgs::Imu::decode(&bytes[..end]).expect("what passes can be decoded");
            }
        }
    }

    #[test]
    fn a_wrong_type_and_a_wrong_length_are_named() {
        let twist = geometry_msgs::Twist::schema().resolve().expect("resolves");
        let error = twist.check(&[0x08, 0x01]).expect_err("a varint where a message belongs");
        assert!(error.to_string().contains("linear"), "{error}");
        let short = sensor_msgs::Imu { orientation_covariance: vec![0.5; 8], ..sensor_msgs::Imu::default() };
        let imu = sensor_msgs::Imu::schema().resolve().expect("resolves");
        let error = imu.check(&short.encode_to_vec()).expect_err("eight of nine");
        assert!(error.to_string().contains("orientation_covariance"), "{error}");
        assert!(twist.check(b"not a message at all").is_err());
    }
}

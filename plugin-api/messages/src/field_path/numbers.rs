//! All numbers of one array of a payload, by the path of its field: `ranges`, `pose.covariance`.

use super::{FieldPath, FieldPathError, FieldPathFault, FieldValue, Step, number_or_bool};
use crate::error::{PayloadError, PayloadFault};
use crate::message_type::{MessageType, Wire};
use crate::wire::{Reader, WireType};

/// The path of an array of numbers of a message type.
#[derive(Debug, Clone)]
pub struct NumbersPath {
    /// The path of its first element.
    first: FieldPath,
    /// Number of elements of an array of fixed length, which may be absent from a payload; otherwise 0.
    fixed: usize,
}

impl NumbersPath {
    /// Compiles a path, which is written as for [`FieldPath::compile`] without an index at the end.
    ///
    /// # Errors
    /// Returns an error if the path does not lead to an array of numbers.
    pub fn compile(message: &MessageType, path: &str) -> Result<Self, FieldPathError> {
        let refuse = |cause| FieldPathError { path: path.to_owned(), cause };
        let first = FieldPath::compile(message, &format!("{path}[0]"))
            .map_err(|FieldPathError { cause, .. }| refuse(cause))?;
        if first.steps.last().is_none_or(|step| matches!(step.wire, Wire::String)) {
            return Err(refuse(FieldPathFault::NotNumbers(path.to_owned())));
        }
        let fixed = first.fixed;
        Ok(Self { first, fixed })
    }

    /// Returns the number of elements if it is the same in each message.
    pub fn fixed_length(&self) -> Option<usize> {
        (self.fixed > 0).then_some(self.fixed)
    }

    /// Calls `take` with index and value of each element, and returns how many there are. A `bool` is 0 or 1.
    ///
    /// # Errors
    /// Returns an error if the payload is cut short, or is not protobuf of the path's type.
    pub fn read(&self, payload: &[u8], mut take: impl FnMut(usize, f64)) -> Result<usize, PayloadError> {
        let mut found = 0;
        let mut next = |value: f64| {
            take(found, value);
            found += 1;
        };
        each(&self.first.steps, payload, &mut next)?;
        (found..self.fixed).for_each(|index| take(index, 0.0));
        Ok(found.max(self.fixed))
    }
}

/// Follows the steps, and passes on the elements of the last one.
fn each(steps: &[Step], payload: &[u8], next: &mut impl FnMut(f64)) -> Result<(), PayloadFault> {
    let Some((step, below)) = steps.split_first() else { return Ok(()) };
    if !below.is_empty() {
        return match step.inner(payload)? {
            Some(inner) => each(below, inner, next),
            None => Ok(()),
        };
    }
    let mut reader = Reader::new(payload);
    while let Some((number, wire_type)) = reader.key()? {
        if number == step.number {
            elements(step, wire_type, &mut reader, next)?;
        } else {
            reader.skip(wire_type)?;
        }
    }
    Ok(())
}

fn elements(
    step: &Step,
    wire_type: WireType,
    reader: &mut Reader<'_>,
    next: &mut impl FnMut(f64),
) -> Result<(), PayloadFault> {
    if step.wire == Wire::Bytes {
        super::text_of(wire_type, reader)?.iter().for_each(|byte| next(f64::from(*byte)));
        return Ok(());
    }
    let mut pass = |value: FieldValue<'_>| match value {
        FieldValue::Number(number) => next(number),
        FieldValue::Bool(is) => next(f64::from(u8::from(is))),
        FieldValue::Text(_) => {}
    };
    if wire_type == WireType::Length {
        let mut packed = Reader::new(reader.bytes()?);
        while !packed.is_empty() {
            pass(number_or_bool(packed.scalar(step.wire)?));
        }
    } else if wire_type == step.wire.wire_type() {
        pass(number_or_bool(reader.scalar(step.wire)?));
    } else {
        return Err(PayloadFault::WireType { found: wire_type.number(), expected: step.wire.name() });
    }
    Ok(())
}

//! Visits the fields of a message in the order of their ROS definition, absent ones with their defaults.

use bridgehead_plugin_api::messages::ros::{RosElement, RosTypeName};
use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Struct, Wire};

use super::payload::{Slot, unpack};
use crate::connection::Generation;

/// One number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
}

/// Writes what is visited.
pub(crate) trait Writer {
    /// Begins an object with this number of members.
    fn object(&mut self, members: usize);
    /// Writes the name of a member; its value follows.
    fn key(&mut self, name: &str);
    fn end_object(&mut self);
    /// Begins an array with this number of elements.
    fn array(&mut self, length: usize);
    /// Called before each element of an array.
    fn element(&mut self);
    fn end_array(&mut self);
    fn number(&mut self, number: Number);
    fn text(&mut self, text: &[u8]);
    fn bytes(&mut self, bytes: &[u8]);
    /// Writes an array of numbers. `packed` has their bytes in little endian if they lie there.
    fn numbers(
        &mut self,
        element: RosElement,
        numbers: impl ExactSizeIterator<Item = Number>,
        packed: Option<&[u8]>,
    );
}

/// The form of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) generation: Generation,
    /// Written into the headers of ROS 1.
    pub(crate) sequence: u64,
}

/// Visits a message.
pub(crate) fn walk<W: Writer>(message: &MessageType, slots: &[Slot<'_>], form: Form, writer: &mut W) {
    Walk { message, form }.visit(message.root(), slots, writer);
}

/// Returns true for `builtin_interfaces/msg/Time` and `Duration`.
pub(crate) fn is_time(ros_type: &RosTypeName) -> bool {
    ros_type.package() == "builtin_interfaces" && matches!(ros_type.name(), "Time" | "Duration")
}

/// Returns true for `std_msgs/msg/Header`.
pub(crate) fn is_header(ros_type: &RosTypeName) -> bool {
    ros_type.package() == "std_msgs" && ros_type.name() == "Header"
}

struct Walk<'m> {
    message: &'m MessageType,
    form: Form,
}

impl Walk<'_> {
    fn visit<W: Writer>(&self, of: &Struct, slots: &[Slot<'_>], writer: &mut W) {
        let is_one = self.form.generation == Generation::One;
        let has_sequence = is_one && is_header(of.ros_type());
        let is_time = is_one && is_time(of.ros_type());
        writer.object(of.fields().len() + usize::from(has_sequence));
        if has_sequence {
            writer.key("seq");
            writer.number(Number::Unsigned(self.form.sequence & 0xffff_ffff));
        }
        for (index, field) in of.fields().iter().enumerate() {
            writer.key(match field.name() {
                "sec" if is_time => "secs",
                "nanosec" if is_time => "nsecs",
                name => name,
            });
            self.value(field, slots.get(index).unwrap_or(&Slot::Absent), writer);
        }
        writer.end_object();
    }

    fn value<W: Writer>(&self, field: &Field, slot: &Slot<'_>, writer: &mut W) {
        match field.wire() {
            Wire::Message(id) => {
                if let Some(contained) = self.message.dependencies().get(id.index()) {
                    self.messages(contained, field, slot, writer);
                }
            }
            Wire::Bytes => bytes(field, slot, writer),
            Wire::String => texts(field, slot, writer),
            wire => numbers(field, wire, slot, writer),
        }
    }

    fn messages<W: Writer>(&self, of: &Struct, field: &Field, slot: &Slot<'_>, writer: &mut W) {
        match (slot, field.arity()) {
            (Slot::Message(slots), _) => self.visit(of, slots, writer),
            (_, Arity::One) => self.visit(of, &[], writer),
            (Slot::Messages(messages), _) => {
                array(writer, messages.iter(), messages.len(), |slots, writer| self.visit(of, slots, writer));
            }
            (_, arity) => {
                array(writer, 0..fixed(arity), fixed(arity), |_, writer| self.visit(of, &[], writer))
            }
        }
    }
}

/// Writes an array element by element.
fn array<W: Writer, T>(
    writer: &mut W,
    elements: impl Iterator<Item = T>,
    length: usize,
    mut write: impl FnMut(T, &mut W),
) {
    writer.array(length);
    for element in elements {
        writer.element();
        write(element, writer);
    }
    writer.end_array();
}

/// Returns the number of elements of an absent array.
fn fixed(arity: Arity) -> usize {
    match arity {
        Arity::Fixed(length) => usize::try_from(length).unwrap_or_default(),
        Arity::One | Arity::Sequence | Arity::Bounded(_) => 0,
    }
}

fn bytes<W: Writer>(field: &Field, slot: &Slot<'_>, writer: &mut W) {
    match slot {
        Slot::Bytes(bytes) => writer.bytes(bytes),
        _ => writer.bytes(&vec![0; fixed(field.arity())]),
    }
}

fn texts<W: Writer>(field: &Field, slot: &Slot<'_>, writer: &mut W) {
    match (slot, field.arity()) {
        (Slot::Bytes(text), _) => writer.text(text),
        (_, Arity::One) => writer.text(b""),
        (Slot::Texts(texts), _) => array(writer, texts.iter(), texts.len(), |text, writer| writer.text(text)),
        (_, arity) => array(writer, 0..fixed(arity), fixed(arity), |_, writer| writer.text(b"")),
    }
}

fn numbers<W: Writer>(field: &Field, wire: Wire, slot: &Slot<'_>, writer: &mut W) {
    let element = field.ros_element();
    match (slot, field.arity()) {
        (Slot::Number(bits), _) => writer.number(interpret(wire, *bits)),
        (_, Arity::One) => writer.number(interpret(wire, 0)),
        (Slot::Packed(packed), _) => {
            writer.numbers(element, unpack(wire, packed).map(|bits| interpret(wire, bits)), Some(packed));
        }
        (Slot::Numbers(numbers), _) => {
            writer.numbers(element, numbers.iter().map(|bits| interpret(wire, *bits)), None);
        }
        (_, arity) => {
            let zeros = vec![interpret(wire, 0); fixed(arity)];
            writer.numbers(element, zeros.into_iter(), None);
        }
    }
}

/// Returns the number with these bits.
fn interpret(wire: Wire, bits: u64) -> Number {
    let low = u32::try_from(bits & 0xffff_ffff).unwrap_or_default();
    match wire {
        Wire::Bool => Number::Bool(bits != 0),
        Wire::Float => Number::Single(f32::from_bits(low)),
        Wire::Double => Number::Double(f64::from_bits(bits)),
        Wire::Uint32 | Wire::Uint64 | Wire::Fixed32 | Wire::Fixed64 => Number::Unsigned(bits),
        _ => Number::Signed(bits.cast_signed()),
    }
}

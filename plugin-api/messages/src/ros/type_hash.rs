//! RIHS01, the hash by which ROS 2 distinguishes types of the same name: SHA-256 over names and types of all fields.
//!
//! The hashed text is JSON with significant whitespace, for a type and all contained types; defaults,
//! constants and comments are not included. DDS shows hashes without comparing them; Zenoh compares them.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest as _, Sha256};

use super::RosElement;
use crate::{Arity, Field, MessageType, Struct, Wire};

/// Hash of a ROS type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeHash([u8; 32]);

impl TypeHash {
    /// Returns the hash without its version.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// `RIHS01_` and 64 hexadecimal digits, as ROS 2 writes it.
impl fmt::Display for TypeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RIHS01_")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Returns the hash of a message, or of a part of a service or action.
pub fn type_hash(message: &MessageType) -> TypeHash {
    let mut known = Descriptions::default();
    let root = known.add_message(message);
    known.hash(&root)
}

/// Types by their full name, the order in which they are hashed.
#[derive(Default)]
pub(super) struct Descriptions(BTreeMap<String, Vec<DescribedField>>);

pub(super) struct DescribedField {
    name: String,
    type_id: u8,
    capacity: u32,
    string_capacity: u32,
    nested: String,
}

/// Added to the number of an element type.
const ARRAY: u8 = 48;
const BOUNDED_SEQUENCE: u8 = 96;
const SEQUENCE: u8 = 144;

impl DescribedField {
    /// Returns a field of a message.
    pub(super) fn nested(name: &str, type_name: &str) -> Self {
        let (name, nested) = (name.to_owned(), type_name.to_owned());
        Self { name, type_id: element_id(RosElement::Message), capacity: 0, string_capacity: 0, nested }
    }

    /// Returns a field of one number.
    fn number(name: &str, element: RosElement) -> Self {
        let (name, type_id) = (name.to_owned(), element_id(element));
        Self { name, type_id, capacity: 0, string_capacity: 0, nested: String::new() }
    }

    /// Returns the same field as an array of fixed length.
    fn array(mut self, length: u32) -> Self {
        self.type_id += ARRAY;
        self.capacity = length;
        self
    }

    /// Returns the same field with at most one element.
    pub(super) fn at_most_one(mut self) -> Self {
        self.type_id += BOUNDED_SEQUENCE;
        self.capacity = 1;
        self
    }

    fn of(message: &MessageType, field: &Field) -> Self {
        let (added, capacity) = match field.arity() {
            Arity::One => (0, 0),
            Arity::Fixed(length) => (ARRAY, length),
            Arity::Bounded(limit) => (BOUNDED_SEQUENCE, limit),
            Arity::Sequence => (SEQUENCE, 0),
        };
        let string_capacity = match field.ros_element() {
            RosElement::BoundedString(limit) => limit,
            _ => 0,
        };
        let contained = match field.wire() {
            Wire::Message(id) => message.dependency(id).map(|contained| contained.ros_type().to_string()),
            _ => None,
        };
        Self {
            name: field.name().to_owned(),
            type_id: element_id(field.ros_element()) + added,
            capacity,
            string_capacity,
            nested: contained.unwrap_or_default(),
        }
    }
}

/// Number of an element type in `type_description_interfaces/msg/FieldType`.
fn element_id(element: RosElement) -> u8 {
    match element {
        RosElement::Message => 1,
        RosElement::Int8 => 2,
        // A `char` of ROS is an unsigned byte; the format's own `char` is never used.
        RosElement::Uint8 | RosElement::Char => 3,
        RosElement::Int16 => 4,
        RosElement::Uint16 => 5,
        RosElement::Int32 => 6,
        RosElement::Uint32 => 7,
        RosElement::Int64 => 8,
        RosElement::Uint64 => 9,
        RosElement::Float32 => 10,
        RosElement::Float64 => 11,
        RosElement::Bool => 15,
        RosElement::Byte => 16,
        RosElement::String => 17,
        RosElement::BoundedString(_) => 21,
    }
}

impl Descriptions {
    /// Adds a message and all contained messages; returns its full name.
    pub(super) fn add_message(&mut self, message: &MessageType) -> String {
        for contained in message.dependencies() {
            self.add_struct(message, contained);
        }
        self.add_struct(message, message.root());
        message.ros_type().to_string()
    }

    fn add_struct(&mut self, message: &MessageType, of: &Struct) {
        let mut fields: Vec<_> = of.fields().iter().map(|field| DescribedField::of(message, field)).collect();
        if fields.is_empty() {
            fields.push(DescribedField::number("structure_needs_at_least_one_member", RosElement::Uint8));
        }
        self.add(of.ros_type().to_string(), fields);
    }

    pub(super) fn add(&mut self, name: String, fields: Vec<DescribedField>) {
        self.0.insert(name, fields);
    }

    /// Adds `service_msgs/msg/ServiceEventInfo`, the ROS record of a call; returns its full name.
    pub(super) fn add_event_info(&mut self) -> String {
        let time = "builtin_interfaces/msg/Time";
        let seconds = DescribedField::number("sec", RosElement::Int32);
        self.add(time.to_owned(), vec![seconds, DescribedField::number("nanosec", RosElement::Uint32)]);
        let info = "service_msgs/msg/ServiceEventInfo";
        let fields = vec![
            DescribedField::number("event_type", RosElement::Uint8),
            DescribedField::nested("stamp", time),
            DescribedField::number("client_gid", RosElement::Char).array(16),
            DescribedField::number("sequence_number", RosElement::Int64),
        ];
        self.add(info.to_owned(), fields);
        info.to_owned()
    }

    /// Returns the hash of one of the types, which contains all the others.
    pub(super) fn hash(&self, root: &str) -> TypeHash {
        let described = self.0.get(root).map(|fields| described(root, fields)).unwrap_or_default();
        let others = self.0.iter().filter(|(name, _)| *name != root);
        let others: Vec<String> = others.map(|(name, fields)| self::described(name, fields)).collect();
        let text = format!(
            "{{\"type_description\": {described}, \"referenced_type_descriptions\": [{}]}}",
            others.join(", ")
        );
        TypeHash(Sha256::digest(text).into())
    }
}

/// Returns the text of one type. Names consist of letters, digits, underscores and slashes, so nothing needs an escape.
fn described(name: &str, fields: &[DescribedField]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|DescribedField { name, type_id, capacity, string_capacity, nested }| {
            format!(
                "{{\"name\": \"{name}\", \"type\": {{\"type_id\": {type_id}, \"capacity\": {capacity}, \
                 \"string_capacity\": {string_capacity}, \"nested_type_name\": \"{nested}\"}}}}"
            )
        })
        .collect();
    format!("{{\"type_name\": \"{name}\", \"fields\": [{}]}}", fields.join(", "))
}

//! A validated message: its structs, fields and ROS types. Every plan is compiled from it.
//!
//! Only [`Schema::resolve`] creates it, so no further checks are needed: names are ROS names, nothing is
//! recursive, sizes are bounded. Cloning increments a reference count.

use std::fmt;
use std::sync::Arc;

use crate::ros::{RosElement, RosTypeName};
use crate::{Schema, wire::WireType};

/// A message and every message it contains.
#[derive(Clone)]
pub struct MessageType {
    inner: Arc<Inner>,
}

struct Inner {
    schema: Schema,
    structs: Vec<Struct>,
    root: Struct,
    fingerprint: Fingerprint,
}

impl MessageType {
    pub(crate) fn new(schema: Schema, structs: Vec<Struct>, root: Struct) -> Self {
        let fingerprint = Fingerprint::of(structs.iter().chain([&root]), &structs);
        Self { inner: Arc::new(Inner { schema, structs, root, fingerprint }) }
    }

    /// Protobuf full name, for example `bridgehead.sensor_msgs.v1.LaserScan`.
    pub fn full_name(&self) -> &str {
        self.root().full_name()
    }

    /// ROS type name, for example `sensor_msgs/msg/LaserScan`.
    pub fn ros_type(&self) -> &RosTypeName {
        self.root().ros_type()
    }

    /// Returns the fields of the message itself, in declared order.
    pub fn fields(&self) -> &[Field] {
        self.root().fields()
    }

    /// Returns the message itself.
    pub fn root(&self) -> &Struct {
        &self.inner.root
    }

    /// Returns the contained messages, each once and after the messages that it contains.
    pub fn dependencies(&self) -> &[Struct] {
        &self.inner.structs
    }

    /// Returns the contained message of a [`Wire::Message`].
    pub(crate) fn dependency(&self, id: StructId) -> Option<&Struct> {
        self.inner.structs.get(id.0)
    }

    /// Returns the fingerprint that distinguishes this type from others with the same name.
    pub fn fingerprint(&self) -> Fingerprint {
        self.inner.fingerprint
    }

    /// Returns whether payloads of one type can be read as the other, as those of an older and a newer version can: of
    /// each message that both contain, one has the fields of the other, and perhaps more behind them.
    pub fn is_compatible_with(&self, other: &MessageType) -> bool {
        if self.full_name() != other.full_name() {
            return false;
        }
        self.fingerprint() == other.fingerprint()
            || self.structs().all(|own| {
                let same = other.structs().find(|message| message.full_name == own.full_name);
                same.is_none_or(|message| self.agrees(own, other, message))
            })
    }

    /// Returns whether the fields that two versions of a message have in common are equal.
    fn agrees(&self, own: &Struct, other: &MessageType, theirs: &Struct) -> bool {
        let mut fields = own.fields.iter().zip(&theirs.fields);
        own.ros_type == theirs.ros_type
            && fields.all(|(own, theirs)| {
                described(own, &self.inner.structs) == described(theirs, &other.inner.structs)
            })
    }

    /// Returns the contained messages and the message itself.
    fn structs(&self) -> impl Iterator<Item = &Struct> {
        self.inner.structs.iter().chain([&self.inner.root])
    }

    /// Returns the schema that it was resolved from.
    pub fn schema(&self) -> &Schema {
        &self.inner.schema
    }
}

impl fmt::Debug for MessageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageType")
            .field("full_name", &self.full_name())
            .field("ros_type", &self.ros_type().to_string())
            .field("fingerprint", &self.fingerprint().to_string())
            .finish()
    }
}

/// One message of a [`MessageType`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Struct {
    pub(crate) full_name: String,
    pub(crate) ros_type: RosTypeName,
    pub(crate) fields: Vec<Field>,
    pub(crate) constants: Vec<String>,
}

impl Struct {
    /// Protobuf full name.
    pub fn full_name(&self) -> &str {
        &self.full_name
    }

    /// ROS type name.
    pub fn ros_type(&self) -> &RosTypeName {
        &self.ros_type
    }

    /// Fields in declared order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// ROS constants as `.msg` lines, for example `uint8 INT8=1`.
    pub fn constants(&self) -> &[String] {
        &self.constants
    }

    /// Returns the index of the field with this number; `likely` is tried first, because fields come in order.
    pub(crate) fn index_of(&self, number: u32, likely: usize) -> Option<usize> {
        if self.fields.get(likely).is_some_and(|field| field.number == number) {
            return Some(likely);
        }
        self.fields.iter().position(|field| field.number == number)
    }
}

/// One field of a [`Struct`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub(crate) name: String,
    pub(crate) number: u32,
    pub(crate) wire: Wire,
    pub(crate) arity: Arity,
    pub(crate) element: RosElement,
    pub(crate) default: Option<String>,
    pub(crate) added: Option<String>,
}

impl Field {
    /// Name, the same in protobuf, ROS and JSON.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Protobuf field number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the protobuf type of one element.
    pub fn wire(&self) -> Wire {
        self.wire
    }

    /// Returns whether it is one value or an array, and its length.
    pub fn arity(&self) -> Arity {
        self.arity
    }

    /// ROS type of one element.
    pub fn ros_element(&self) -> RosElement {
        self.element
    }

    /// Default value in the `.msg` text.
    pub fn ros_default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// Returns the value for senders that know neither this field nor any other that was added later.
    pub fn ros_added(&self) -> Option<&str> {
        self.added.as_deref()
    }
}

/// The number of elements of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// One value.
    One,
    /// Any number (`T[]`).
    Sequence,
    /// A largest number (`T[<=n]`).
    Bounded(u32),
    /// A fixed number (`T[n]`); none on the wire means that many zeros.
    Fixed(u32),
}

impl fmt::Display for Arity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One => Ok(()),
            Self::Sequence => f.write_str("[]"),
            Self::Bounded(limit) => write!(f, "[<={limit}]"),
            Self::Fixed(length) => write!(f, "[{length}]"),
        }
    }
}

/// Protobuf type of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the protobuf language")]
pub enum Wire {
    Bool,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Float,
    Double,
    String,
    Bytes,
    /// A contained message, one of [`MessageType::dependencies`].
    Message(StructId),
}

/// The contained message of a field, one of [`MessageType::dependencies`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructId(pub(crate) usize);

impl StructId {
    /// Index into [`MessageType::dependencies`].
    pub fn index(self) -> usize {
        self.0
    }
}

impl Wire {
    /// Returns the scalar type with this number in `FieldDescriptorProto.Type`; `None` for messages, groups and enums.
    pub(crate) fn from_descriptor(kind: i32) -> Option<Self> {
        Some(match kind {
            1 => Self::Double,
            2 => Self::Float,
            3 => Self::Int64,
            4 => Self::Uint64,
            5 => Self::Int32,
            6 => Self::Fixed64,
            7 => Self::Fixed32,
            8 => Self::Bool,
            9 => Self::String,
            12 => Self::Bytes,
            13 => Self::Uint32,
            15 => Self::Sfixed32,
            16 => Self::Sfixed64,
            17 => Self::Sint32,
            18 => Self::Sint64,
            _ => return None,
        })
    }

    /// Returns the name in the protobuf language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Sint32 => "sint32",
            Self::Sint64 => "sint64",
            Self::Fixed32 => "fixed32",
            Self::Fixed64 => "fixed64",
            Self::Sfixed32 => "sfixed32",
            Self::Sfixed64 => "sfixed64",
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Message(_) => "message",
        }
    }

    /// Returns the wire type of one unpacked element.
    pub(crate) fn wire_type(self) -> WireType {
        match self {
            Self::Bool
            | Self::Int32
            | Self::Int64
            | Self::Uint32
            | Self::Uint64
            | Self::Sint32
            | Self::Sint64 => WireType::Varint,
            Self::Fixed32 | Self::Sfixed32 | Self::Float => WireType::Fixed32,
            Self::Fixed64 | Self::Sfixed64 | Self::Double => WireType::Fixed64,
            Self::String | Self::Bytes | Self::Message(_) => WireType::Length,
        }
    }
}

/// 64-bit FNV-1a over the normalised descriptor: for each message its names, constants and fields (number,
/// name, protobuf type, ROS type, default), in declared order. Comments, file names and the order of files do not
/// count. Equal in every process and release. It detects mistakes, it does not protect against forgery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Fingerprint {
    fn of<'a>(structs: impl Iterator<Item = &'a Struct>, dependencies: &[Struct]) -> Self {
        let text: String = structs.map(|message| normalised(message, dependencies)).collect();
        // Offset basis and prime of FNV-1a, RFC 9923 section 5.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(hash)
    }
}

/// Returns the hashed text: one line per message, constant and field.
fn normalised(message: &Struct, dependencies: &[Struct]) -> String {
    let mut text = format!("message {} {}\n", message.full_name, message.ros_type);
    for constant in &message.constants {
        text += &format!("constant {constant}\n");
    }
    for field in &message.fields {
        text += &described(field, dependencies);
    }
    text
}

/// Returns a line with everything of a field that determines its bytes.
fn described(field: &Field, dependencies: &[Struct]) -> String {
    let contained = match field.wire {
        Wire::Message(id) => dependencies.get(id.0).map_or("", Struct::full_name),
        _ => "",
    };
    // The default for older senders does not change the bytes of senders that know the field.
    let Field { name, number, wire, arity, element, default, added: _ } = field;
    let default = default.as_deref().unwrap_or_default();
    format!("{number} {name} {} {contained} {element}{arity} {default}\n", wire.name())
}

//! Everything that can be wrong with a schema or a payload, each with a stable code.
//!
//! The texts say which message and field, what was found and what to do. Codes 001 to 019 belong to schemas,
//! 020 to 029 to protobuf payloads, 030 to 039 to JSON.

use std::fmt;

use crate::wire::WireFault;

/// Why a schema was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The bytes are no descriptor set.
    #[error(
        "the descriptor set of `{root}` cannot be read: {cause}; \
         expected an encoded google.protobuf.FileDescriptorSet [BH-MSG-001]"
    )]
    Corrupt {
        /// Message asked for.
        root: String,
        /// What the reader said.
        cause: String,
    },
    /// The set does not hold the message it was given for.
    #[error(
        "message `{root}` is not in its descriptor set, which holds {found}; check the name and its package [BH-MSG-002]"
    )]
    UnknownRoot {
        /// Message asked for.
        root: String,
        /// Messages of the set.
        found: String,
    },
    /// A field refers to a message that is not in the set.
    #[error(
        "field `{field}` of `{message}` has type `{wanted}`, which is not in the descriptor set; \
         build the set with its imports (protoc --include_imports) [BH-MSG-003]"
    )]
    MissingType {
        /// Message of the field.
        message: String,
        /// The field.
        field: String,
        /// The type it refers to.
        wanted: String,
    },
    /// The file is not proto3.
    #[error(
        "message `{message}` is declared in `{file}` with syntax `{syntax}`; declare it with syntax \"proto3\" [BH-MSG-004]"
    )]
    NotProto3 {
        /// The message.
        message: String,
        /// Its file.
        file: String,
        /// What the file says.
        syntax: String,
    },
    /// A field or construct that ROS cannot express.
    #[error("field `{field}` of `{message}` is {construct}, which ROS cannot express; {remedy} [{}]", construct.code())]
    NotInRos {
        /// The message.
        message: String,
        /// The field, or the oneof.
        field: String,
        /// What it is.
        construct: NotInRos,
        /// What to write instead.
        remedy: &'static str,
    },
    /// A message contains itself.
    #[error(
        "message `{message}` contains itself ({cycle}), which ROS cannot express; break the cycle [BH-MSG-010]"
    )]
    Recursion {
        /// The message.
        message: String,
        /// The way round, with arrows.
        cycle: String,
    },
    /// A message has no ROS name.
    #[error(
        "message `{message}` has no ROS type; add \
         `option (bridgehead.annotations.v1.ros_message) = \"package/msg/Name\"` [BH-MSG-011]"
    )]
    NoRosType {
        /// The message.
        message: String,
    },
    /// An annotation is malformed or does not fit its field.
    #[error("annotation {annotation} = \"{found}\" in `{place}` is wrong: {cause} [BH-MSG-012]")]
    BadAnnotation {
        /// Message, or message and field.
        place: String,
        /// `ros_message`, `ros_constant`, `ros_field`, `ros_default` or `ros_added`.
        annotation: &'static str,
        /// Its value.
        found: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A field's name or number cannot be used.
    #[error("field `{field}` (number {number}) of `{message}` cannot be used: {cause} [BH-MSG-013]")]
    BadField {
        /// The message.
        message: String,
        /// The field.
        field: String,
        /// Its number.
        number: i32,
        /// What is wrong with it.
        cause: &'static str,
    },
    /// One name is declared twice in the set.
    #[error("message `{message}` is declared twice in one descriptor set [BH-MSG-014]")]
    Duplicate {
        /// The message.
        message: String,
    },
    /// The schema is beyond the limits that keep a hostile one harmless.
    #[error("schema of `{root}` is too large: {what} is {found}, the limit is {limit} [BH-MSG-015]")]
    TooLarge {
        /// Message asked for.
        root: String,
        /// What was counted.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much is allowed.
        limit: usize,
    },
}

/// Constructs of protobuf that have no counterpart in ROS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotInRos {
    /// A oneof.
    Oneof,
    /// `optional` with presence.
    Optional,
    /// A map.
    Map,
    /// A proto2 group.
    Group,
    /// An enum.
    Enum,
}

impl NotInRos {
    fn code(self) -> &'static str {
        match self {
            Self::Oneof => "BH-MSG-005",
            Self::Optional => "BH-MSG-006",
            Self::Map => "BH-MSG-007",
            Self::Group => "BH-MSG-008",
            Self::Enum => "BH-MSG-009",
        }
    }

    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::Oneof => "use one message per case, or plain fields with a field that tells which holds",
            Self::Optional => "drop `optional`: a ROS field always has a value",
            Self::Map => "use a repeated message with a key and a value",
            Self::Group => "use a message",
            Self::Enum => "use an integer field, and ros_constant for the names of its values",
        }
    }
}

impl fmt::Display for NotInRos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Oneof => "a oneof",
            Self::Optional => "`optional`",
            Self::Map => "a map",
            Self::Group => "a group",
            Self::Enum => "an enum",
        })
    }
}

impl SchemaError {
    /// The stable code, as it stands at the end of the text.
    pub fn code(&self) -> String {
        code_of(&self.to_string())
    }
}

/// Why a payload or a JSON text could not be converted, and at which field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", place(&.0.path), .0.fault)]
pub struct PayloadError(Box<Placed>);

/// Boxed, so that the way without an error stays narrow.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Placed {
    path: String,
    fault: PayloadFault,
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("at `{path}`: ") }
}

/// What is wrong with a payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadFault {
    /// The bytes end inside a value.
    #[error("the protobuf payload is cut short [BH-MSG-020]")]
    Truncated,
    /// The bytes are no protobuf.
    #[error("the payload is not protobuf: {0} [BH-MSG-021]")]
    Malformed(&'static str),
    /// The bytes are protobuf of another type.
    #[error(
        "the payload holds wire type {found}, which does not fit {expected}; is it of another message type? [BH-MSG-022]"
    )]
    WireType {
        /// Wire type on the wire.
        found: u8,
        /// What the schema says.
        expected: &'static str,
    },
    /// A string is not UTF-8.
    #[error("the string is not UTF-8 [BH-MSG-023]")]
    NotUtf8,
    /// An integer does not fit its ROS type.
    #[error("{found} does not fit {ros_type} [BH-MSG-024]")]
    OutOfRange {
        /// The value.
        found: String,
        /// Its ROS type.
        ros_type: &'static str,
    },
    /// An array or a string is longer or shorter than its ROS type allows.
    #[error("the length is {found}, the ROS type allows {allowed} [BH-MSG-025]")]
    Length {
        /// Elements or bytes found.
        found: usize,
        /// What is allowed, for example `exactly 9 (or none, for zeros)`.
        allowed: String,
    },
    /// The text is not JSON.
    #[error("the text is not JSON at byte {offset}: {cause} [BH-MSG-030]")]
    NotJson {
        /// Byte offset in the text.
        offset: usize,
        /// What was expected.
        cause: &'static str,
    },
    /// A member that the message does not have.
    #[error("`{message}` has no field of this name; it has {known} [BH-MSG-031]")]
    UnknownField {
        /// The message.
        message: String,
        /// Its fields.
        known: String,
    },
    /// A member given twice.
    #[error("the field is given twice [BH-MSG-032]")]
    DuplicateField,
    /// A value of another kind than the field.
    #[error("expected {expected}, found {found} at byte {offset} [BH-MSG-033]")]
    WrongValue {
        /// What the field holds.
        expected: &'static str,
        /// The JSON value found.
        found: &'static str,
        /// Byte offset in the text.
        offset: usize,
    },
    /// Text that is not base64.
    #[error("the string is not base64 (standard alphabet, padded) [BH-MSG-034]")]
    NotBase64,
}

impl PayloadError {
    /// Path of the field from the root, for example `transforms[2].header.stamp`; empty for the message itself.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// What is wrong there.
    pub fn fault(&self) -> &PayloadFault {
        &self.0.fault
    }

    /// The stable code, as it stands at the end of the text.
    pub fn code(&self) -> String {
        code_of(&self.0.fault.to_string())
    }

    /// The same error, seen from the message that holds `field`.
    pub(crate) fn below(mut self, field: &str) -> Self {
        let path = &self.0.path;
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        self.0.path = format!("{field}{joint}{path}");
        self
    }

    /// The same error, seen from the array that holds element `index`.
    pub(crate) fn at(self, index: usize) -> Self {
        self.below(&format!("[{index}]"))
    }
}

impl From<PayloadFault> for PayloadError {
    fn from(fault: PayloadFault) -> Self {
        Self(Box::new(Placed { path: String::new(), fault }))
    }
}

impl From<WireFault> for PayloadError {
    fn from(fault: WireFault) -> Self {
        PayloadFault::from(fault).into()
    }
}

/// Every text ends in ` [CODE]`; one place to write a code keeps the two from differing.
fn code_of(text: &str) -> String {
    text.rsplit_once('[').map_or(text, |(_, code)| code).trim_end_matches(']').to_owned()
}

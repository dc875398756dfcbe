//! Everything that can be wrong with a schema or a payload, each with a stable code.
//!
//! A text is `[BH-MSG-nnn] …` and says which message and field, what was found and what to do. An error that contains
//! another one shows its own code only: the text of the inner one comes from `detail`. Codes 001 to 019 belong to
//! schemas, 020 to 029 to protobuf payloads, 030 to 039 to JSON.

use std::fmt;

use crate::ros::AnnotationFault;
use crate::wire::WireFault;

/// Why a schema was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The bytes are not a descriptor set.
    #[error(
        "[BH-MSG-001] the descriptor set of `{root}` cannot be read: {cause}; \
         expected an encoded google.protobuf.FileDescriptorSet"
    )]
    Corrupt {
        /// Requested message.
        root: String,
        /// Cause reported by the reader.
        cause: String,
    },
    /// The set does not contain the requested message.
    #[error(
        "[BH-MSG-002] message `{root}` is not in its descriptor set, which holds {found}; check the name and its package"
    )]
    UnknownRoot {
        /// Requested message.
        root: String,
        /// Messages of the set.
        found: String,
    },
    /// A field refers to a message that is not in the set.
    #[error(
        "[BH-MSG-003] field `{field}` of `{message}` has type `{wanted}`, which is not in the descriptor set; \
         build the set with its imports (protoc --include_imports)"
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
        "[BH-MSG-004] message `{message}` is declared in `{file}` with syntax `{syntax}`; declare it with syntax \"proto3\""
    )]
    NotProto3 {
        /// The message.
        message: String,
        /// Its file.
        file: String,
        /// Syntax that the file declares.
        syntax: String,
    },
    /// A field or construct that ROS cannot express.
    #[error("[{}] field `{field}` of `{message}` is {construct}, which ROS cannot express; {remedy}", construct.code())]
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
        "[BH-MSG-010] message `{message}` contains itself ({cycle}), which ROS cannot express; break the cycle"
    )]
    Recursion {
        /// The message.
        message: String,
        /// The cycle, with arrows.
        cycle: String,
    },
    /// A message has no ROS name.
    #[error(
        "[BH-MSG-011] message `{message}` has no ROS type; add \
         `option (bridgehead.annotations.v1.ros_message) = \"package/msg/Name\"`"
    )]
    NoRosType {
        /// The message.
        message: String,
    },
    /// An annotation is malformed or does not fit its field.
    #[error("[BH-MSG-012] annotation {annotation} = \"{found}\" in `{place}` is wrong: {cause}")]
    BadAnnotation {
        /// Message, or message and field.
        place: String,
        /// `ros_message`, `ros_constant`, `ros_field`, `ros_default` or `ros_added`.
        annotation: &'static str,
        /// Its value.
        found: String,
        /// What is wrong with it.
        cause: AnnotationFault,
    },
    /// A field's name or number cannot be used.
    #[error("[BH-MSG-013] field `{field}` (number {number}) of `{message}` cannot be used: {cause}")]
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
    #[error("[BH-MSG-014] message `{message}` is declared twice in one descriptor set")]
    Duplicate {
        /// The message.
        message: String,
    },
    /// The schema exceeds the limits that protect against hostile input.
    #[error("[BH-MSG-015] schema of `{root}` is too large: {what} is {found}, the limit is {limit}")]
    TooLarge {
        /// Requested message.
        root: String,
        /// What was counted.
        what: &'static str,
        /// Amount found.
        found: usize,
        /// Amount allowed.
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
            Self::Oneof => "use one message per case, or plain fields with a field that selects one of them",
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
    /// Returns the stable code, with which the text begins.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Corrupt { .. } => "BH-MSG-001",
            Self::UnknownRoot { .. } => "BH-MSG-002",
            Self::MissingType { .. } => "BH-MSG-003",
            Self::NotProto3 { .. } => "BH-MSG-004",
            Self::NotInRos { construct, .. } => construct.code(),
            Self::Recursion { .. } => "BH-MSG-010",
            Self::NoRosType { .. } => "BH-MSG-011",
            Self::BadAnnotation { .. } => "BH-MSG-012",
            Self::BadField { .. } => "BH-MSG-013",
            Self::Duplicate { .. } => "BH-MSG-014",
            Self::TooLarge { .. } => "BH-MSG-015",
        }
    }

    /// Returns the text without the code, for an error that has a code of its own.
    pub fn detail(&self) -> String {
        detail_of(self)
    }
}

/// Why a payload or a JSON text could not be converted, and at which field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("[{}] {}", self.code(), self.detail())]
pub struct PayloadError(Box<Placed>);

/// Boxed, so that results without an error stay small.
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
    #[error("the protobuf payload is cut short")]
    Truncated,
    /// The bytes are not protobuf.
    #[error("the payload is not protobuf: {0}")]
    Malformed(&'static str),
    /// The bytes are protobuf of another type.
    #[error(
        "the payload holds wire type {found}, which does not fit {expected}; is it of another message type?"
    )]
    WireType {
        /// Wire type on the wire.
        found: u8,
        /// Wire type of the schema.
        expected: &'static str,
    },
    /// A string is not UTF-8.
    #[error("the string is not UTF-8")]
    NotUtf8,
    /// An integer does not fit its ROS type.
    #[error("{found} does not fit {ros_type}")]
    OutOfRange {
        /// The value.
        found: String,
        /// Its ROS type.
        ros_type: &'static str,
    },
    /// An array or a string is longer or shorter than its ROS type allows.
    #[error("the length is {found}, the ROS type allows {allowed}")]
    Length {
        /// Elements or bytes found.
        found: usize,
        /// What is allowed, for example `exactly 9 (or none, for zeros)`.
        allowed: String,
    },
    /// The text is not JSON.
    #[error("the text is not JSON at byte {offset}: {cause}")]
    NotJson {
        /// Byte offset in the text.
        offset: usize,
        /// What was expected.
        cause: &'static str,
    },
    /// A member that the message does not have.
    #[error("`{message}` has no field of this name; it has {known}")]
    UnknownField {
        /// The message.
        message: String,
        /// Its fields.
        known: String,
    },
    /// A member that is given twice.
    #[error("the field is given twice")]
    DuplicateField,
    /// A value of another kind than the field.
    #[error("expected {expected}, found {found} at byte {offset}")]
    WrongValue {
        /// What the field holds.
        expected: &'static str,
        /// The JSON value found.
        found: &'static str,
        /// Byte offset in the text.
        offset: usize,
    },
    /// Text that is not base64.
    #[error("the string is not base64 (standard alphabet, padded)")]
    NotBase64,
}

impl PayloadFault {
    /// Returns the stable code. The text of a fault does not contain it: the error around the fault shows one code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Truncated => "BH-MSG-020",
            Self::Malformed(_) => "BH-MSG-021",
            Self::WireType { .. } => "BH-MSG-022",
            Self::NotUtf8 => "BH-MSG-023",
            Self::OutOfRange { .. } => "BH-MSG-024",
            Self::Length { .. } => "BH-MSG-025",
            Self::NotJson { .. } => "BH-MSG-030",
            Self::UnknownField { .. } => "BH-MSG-031",
            Self::DuplicateField => "BH-MSG-032",
            Self::WrongValue { .. } => "BH-MSG-033",
            Self::NotBase64 => "BH-MSG-034",
        }
    }
}

impl PayloadError {
    /// Returns the path of the field from the root, for example `transforms[2].header.stamp`; empty for the message itself.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Returns what is wrong there.
    pub fn fault(&self) -> &PayloadFault {
        &self.0.fault
    }

    /// Returns the stable code, with which the text begins.
    pub fn code(&self) -> &'static str {
        self.0.fault.code()
    }

    /// Returns the text without the code, for an error that has a code of its own.
    pub fn detail(&self) -> String {
        format!("{}{}", place(&self.0.path), self.0.fault)
    }

    /// Returns the same error as seen from the message that holds `field`.
    pub(crate) fn below(mut self, field: &str) -> Self {
        let path = &self.0.path;
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        self.0.path = format!("{field}{joint}{path}");
        self
    }

    /// Returns the same error as seen from the array that holds element `index`.
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

/// Length of the code in brackets at the front of every text, with the space after it.
const PREFIX: usize = "[BH-MSG-nnn] ".len();

/// Returns the text of an error without the code at its front.
pub(crate) fn detail_of(error: &dyn fmt::Display) -> String {
    error.to_string().split_off(PREFIX)
}

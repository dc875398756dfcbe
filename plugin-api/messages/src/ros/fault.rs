//! What can be wrong with an annotation of a message or a field.

use super::RosElement;

/// What is wrong with an annotation; a schema error says where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationFault {
    /// A type name without its three parts.
    #[error("expected `package/msg/Name`")]
    NotTypeName,
    /// The middle part of a type name is unknown.
    #[error("expected `msg`, `srv` or `action` in the middle, found `{0}`")]
    Interface(String),
    /// A package name that ROS does not allow.
    #[error("package `{0}` must be lowercase letters, digits and single underscores")]
    Package(String),
    /// A part of a service or action without its suffix.
    #[error("`{name}` must end in one of {expected}")]
    Suffix {
        /// The name.
        name: String,
        /// The suffixes.
        expected: String,
    },
    /// A type name that ROS does not allow.
    #[error("`{0}` must be an uppercase letter followed by letters and digits")]
    Name(String),
    /// `repeated bytes`.
    #[error("`repeated bytes` is an array of arrays; use a repeated message")]
    ArrayOfArrays,
    /// A ROS type that the protobuf type cannot carry.
    #[error("a protobuf `{wire}` cannot carry `{element}`")]
    Carrier {
        /// The protobuf type.
        wire: &'static str,
        /// The ROS type.
        element: RosElement,
    },
    /// An array is annotated as a single value.
    #[error("the field is an array: write `{0}[]` or a length")]
    IsArray(RosElement),
    /// A single value is annotated as an array.
    #[error("the field is one value: make it `repeated`, or drop the brackets")]
    IsSingle,
    /// Brackets are not closed.
    #[error("missing `]` at the end")]
    Bracket,
    /// The name of an element type is unknown.
    #[error("`{0}` is not a ROS element type")]
    Element(String),
    /// A length is not a positive number.
    #[error("`{0}` is not a length of at least 1")]
    Length(String),
    /// A constant does not have the form of a constant.
    #[error("expected `type NAME=value`")]
    Constant,
    /// The name of a constant is not allowed in ROS.
    #[error("`{0}` must be uppercase letters, digits and single underscores")]
    ConstantName(String),
    /// A constant spans several lines.
    #[error("a constant is one line")]
    Lines,
    /// A value does not fit its type.
    #[error("`{value}` is not a value of {element}")]
    Value {
        /// The value.
        value: String,
        /// Its type.
        element: RosElement,
    },
}

//! The parts of `google/protobuf/descriptor.proto` that a schema needs, with the ROS annotations as plain fields.
//!
//! On the wire, an extension is an ordinary field. Declaring it here reads it without a reflection
//! library in every plugin. All other fields are skipped.

/// `FileDescriptorSet`.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct FileSet {
    #[prost(message, repeated, tag = "1")]
    pub(crate) file: Vec<File>,
}

/// `FileDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct File {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) package: String,
    #[prost(string, repeated, tag = "3")]
    pub(crate) dependency: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    pub(crate) message: Vec<Descriptor>,
    #[prost(string, tag = "12")]
    pub(crate) syntax: String,
}

/// `DescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Descriptor {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) field: Vec<FieldDescriptor>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) nested: Vec<Descriptor>,
    #[prost(message, optional, tag = "7")]
    pub(crate) options: Option<MessageOptions>,
    #[prost(message, repeated, tag = "8")]
    pub(crate) oneof: Vec<Oneof>,
}

/// `OneofDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Oneof {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

/// `FieldDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct FieldDescriptor {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(int32, tag = "3")]
    pub(crate) number: i32,
    #[prost(int32, tag = "4")]
    pub(crate) label: i32,
    #[prost(int32, tag = "5")]
    pub(crate) kind: i32,
    #[prost(string, tag = "6")]
    pub(crate) type_name: String,
    #[prost(message, optional, tag = "8")]
    pub(crate) options: Option<FieldOptions>,
    #[prost(int32, optional, tag = "9")]
    pub(crate) oneof_index: Option<i32>,
    #[prost(bool, tag = "17")]
    pub(crate) proto3_optional: bool,
}

/// `MessageOptions` with our extensions.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MessageOptions {
    #[prost(bool, tag = "7")]
    pub(crate) map_entry: bool,
    #[prost(string, optional, tag = "52800")]
    pub(crate) ros_message: Option<String>,
    #[prost(string, repeated, tag = "52801")]
    pub(crate) ros_constant: Vec<String>,
}

/// `FieldOptions` with our extensions.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct FieldOptions {
    #[prost(string, optional, tag = "52800")]
    pub(crate) ros_field: Option<String>,
    #[prost(string, optional, tag = "52801")]
    pub(crate) ros_default: Option<String>,
    #[prost(string, optional, tag = "52802")]
    pub(crate) ros_added: Option<String>,
}

/// `FieldDescriptorProto.Label.LABEL_REPEATED`.
pub(crate) const LABEL_REPEATED: i32 = 3;
/// `FieldDescriptorProto.Type.TYPE_GROUP`.
pub(crate) const TYPE_GROUP: i32 = 10;
/// `FieldDescriptorProto.Type.TYPE_MESSAGE`.
pub(crate) const TYPE_MESSAGE: i32 = 11;
/// `FieldDescriptorProto.Type.TYPE_ENUM`.
pub(crate) const TYPE_ENUM: i32 = 14;

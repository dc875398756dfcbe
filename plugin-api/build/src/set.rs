//! Descriptor sets whose messages stay as they were encoded, so that they keep the annotations for ROS, which the
//! decoded form of prost-build has lost.

use std::collections::BTreeMap;

use prost::Message as _;

use crate::ANNOTATIONS;

/// The parts of a `FileDescriptorProto` that are read here, with unchanged message bodies.
#[derive(Clone, prost::Message)]
pub struct File {
    /// Its path below an import folder.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its package.
    #[prost(string, tag = "2")]
    pub package: String,
    /// Paths of the files that it imports.
    #[prost(string, repeated, tag = "3")]
    pub dependency: Vec<String>,
    /// Encoded `DescriptorProto`s.
    #[prost(bytes = "vec", repeated, tag = "4")]
    pub messages: Vec<Vec<u8>>,
    /// Encoded `EnumDescriptorProto`s.
    #[prost(bytes = "vec", repeated, tag = "5")]
    pub enums: Vec<Vec<u8>>,
    /// Encoded `ServiceDescriptorProto`s.
    #[prost(bytes = "vec", repeated, tag = "6")]
    pub services: Vec<Vec<u8>>,
    /// The encoded `SourceCodeInfo`.
    #[prost(bytes = "vec", optional, tag = "9")]
    pub comments: Option<Vec<u8>>,
    /// `proto3`.
    #[prost(string, tag = "12")]
    pub syntax: String,
}

/// A `FileDescriptorSet`.
#[derive(Clone, prost::Message)]
pub struct FileSet {
    /// Each file after those that it imports.
    #[prost(message, repeated, tag = "1")]
    pub file: Vec<File>,
}

/// Names and annotations of a `DescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Descriptor {
    /// The name without its package.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The fields in their order.
    #[prost(message, repeated, tag = "2")]
    pub fields: Vec<FieldName>,
    /// The annotations.
    #[prost(message, optional, tag = "7")]
    pub options: Option<Options>,
}

/// The name of a `FieldDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FieldName {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// `MessageOptions` with the annotations of messages.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Options {
    /// The name in ROS, for example `std_msgs/msg/Header`.
    #[prost(string, tag = "52800")]
    pub ros_message: String,
    /// Lines such as `uint8 OK=0`.
    #[prost(string, repeated, tag = "52801")]
    pub ros_constant: Vec<String>,
}

/// Files by name, as a schema contains them.
///
/// Comments and services are left out, and so is the import of the annotations with its own dependencies. The annotations
/// themselves stay in the options as fields with known numbers: readers of Bridgehead find them and every other reader skips
/// them, so that a schema in a log is small and free of proto2 files.
pub struct Files(BTreeMap<String, File>);

impl Files {
    /// Takes the files of an encoded set.
    pub fn of(set: FileSet) -> Self {
        let is_message = |file: &File| file.name != ANNOTATIONS && !file.name.starts_with("google/");
        let files = set.file.into_iter().filter(is_message).map(|mut file| {
            file.dependency.retain(|name| name != ANNOTATIONS);
            file.services.clear();
            file.comments = None;
            (file.name.clone(), file)
        });
        Files(files.collect())
    }

    /// Returns the files in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &File> {
        self.0.values()
    }

    /// Returns the encoded descriptor set of a file: itself, after everything that it imports.
    pub fn set(&self, file: &File) -> Vec<u8> {
        let mut set = FileSet::default();
        self.collect(file, &mut set.file);
        set.encode_to_vec()
    }

    fn collect(&self, file: &File, into: &mut Vec<File>) {
        for import in file.dependency.iter().filter_map(|name| self.0.get(name)) {
            self.collect(import, into);
        }
        if !into.iter().any(|known| known.name == file.name) {
            into.push(file.clone());
        }
    }
}

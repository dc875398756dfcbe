//! Descriptors of message types, in the form that the peer registers: files, each after those that it imports.
//!
//! Only numbers and names that this needs are declared; everything else of a file is sent as it is.

use std::collections::{HashMap, HashSet};

use bridgehead_plugin_api::messages::prost::{self, Message as _};
use bridgehead_plugin_api::prelude::*;

/// `google.protobuf.FileDescriptorSet`.
#[derive(Clone, PartialEq, prost::Message)]
#[prost(prost_path = "::bridgehead_plugin_api::messages::prost")]
struct FileSet {
    #[prost(bytes = "vec", repeated, tag = "1")]
    files: Vec<Vec<u8>>,
}

/// `google.protobuf.FileDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
#[prost(prost_path = "::bridgehead_plugin_api::messages::prost")]
struct File {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    package: String,
    #[prost(string, repeated, tag = "3")]
    dependencies: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    messages: Vec<Descriptor>,
}

/// `google.protobuf.DescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
#[prost(prost_path = "::bridgehead_plugin_api::messages::prost")]
struct Descriptor {
    #[prost(string, tag = "1")]
    name: String,
}

/// Returns the file that declares a type, after all files that it needs.
pub(crate) fn closure(set: &[u8], full_name: &str) -> Result<Vec<Vec<u8>>> {
    let wrong = |error: prost::DecodeError| Error::new(format!("the descriptor of `{full_name}`: {error}"));
    let set = FileSet::decode(set).map_err(wrong)?;
    let mut files = HashMap::new();
    let mut root = None;
    for bytes in set.files {
        let file = File::decode(bytes.as_slice()).map_err(wrong)?;
        let declares = |message: &Descriptor| format!("{}.{}", file.package, message.name) == full_name;
        if file.messages.iter().any(declares) {
            root = Some(file.name.clone());
        }
        files.insert(file.name, (file.dependencies, bytes));
    }
    let root = root.ok_or_else(|| Error::new(format!("no file declares `{full_name}`")))?;
    let (mut seen, mut ordered) = (HashSet::new(), Vec::new());
    add(&root, &files, &mut seen, &mut ordered)?;
    Ok(ordered)
}

/// Adds a file after its imports. Imports are no circles: the host has resolved them, or the compiler has.
fn add(
    name: &str,
    files: &HashMap<String, (Vec<String>, Vec<u8>)>,
    seen: &mut HashSet<String>,
    ordered: &mut Vec<Vec<u8>>,
) -> Result {
    if !seen.insert(name.to_owned()) {
        return Ok(());
    }
    let missing = || Error::new(format!("the descriptor lacks the file `{name}`"));
    let (dependencies, bytes) = files.get(name).ok_or_else(missing)?;
    dependencies.iter().try_for_each(|name| add(name, files, seen, ordered))?;
    ordered.push(bytes.clone());
    Ok(())
}

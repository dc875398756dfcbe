//! Generates prost types from the annotated `.proto` files, each with its own small descriptor set.
//!
//! The compiler is protox, so `protoc` is not needed. The descriptor sets are taken from the encoded form, which
//! still has the ROS annotations; the decoded form for prost-build has lost them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message as _;

const ANNOTATIONS: &str = "bridgehead/annotations/v1/ros.proto";

/// The parts of a `FileDescriptorProto` that the files of this crate use, with unchanged message bodies.
#[derive(Clone, prost::Message)]
struct File {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    package: String,
    #[prost(string, repeated, tag = "3")]
    dependency: Vec<String>,
    #[prost(bytes = "vec", repeated, tag = "4")]
    messages: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = "6")]
    services: Vec<ServiceBlock>,
    #[prost(message, optional, tag = "9")]
    comments: Option<Comments>,
    #[prost(string, tag = "12")]
    syntax: String,
}

/// A `ServiceDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct ServiceBlock {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    methods: Vec<Method>,
}

/// A `MethodDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct Method {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    input: String,
    #[prost(string, tag = "3")]
    output: String,
    #[prost(message, optional, tag = "4")]
    options: Option<MethodOptions>,
}

/// `MethodOptions` with our extensions.
#[derive(Clone, PartialEq, prost::Message)]
struct MethodOptions {
    /// 1 for `NO_SIDE_EFFECTS`.
    #[prost(int32, tag = "34")]
    idempotency_level: i32,
    #[prost(string, tag = "52800")]
    ros_service: String,
    #[prost(string, tag = "52801")]
    ros_action: String,
    #[prost(string, repeated, tag = "52802")]
    feature: Vec<String>,
}

/// `SourceCodeInfo`.
#[derive(Clone, PartialEq, prost::Message)]
struct Comments {
    #[prost(message, repeated, tag = "1")]
    location: Vec<Location>,
}

/// `SourceCodeInfo.Location`.
#[derive(Clone, PartialEq, prost::Message)]
struct Location {
    #[prost(int32, repeated, tag = "1")]
    path: Vec<i32>,
    #[prost(string, tag = "3")]
    leading: String,
}

/// Names and ROS constants of a `DescriptorProto`; the rest is not read here.
#[derive(Clone, PartialEq, prost::Message)]
struct Descriptor {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, repeated, tag = "2")]
    fields: Vec<FieldName>,
    #[prost(message, optional, tag = "7")]
    options: Option<Options>,
}

/// The name of a `FieldDescriptorProto`.
#[derive(Clone, PartialEq, prost::Message)]
struct FieldName {
    #[prost(string, tag = "1")]
    name: String,
}

/// `MessageOptions` with our extension for constants.
#[derive(Clone, PartialEq, prost::Message)]
struct Options {
    #[prost(string, repeated, tag = "52801")]
    ros_constant: Vec<String>,
}

/// A `FileDescriptorSet` of such files.
#[derive(Clone, prost::Message)]
struct FileSet {
    #[prost(message, repeated, tag = "1")]
    file: Vec<File>,
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).include_source_info(true).open_files(proto_files(Path::new("proto"))?)?;

    let mut types = compiler.file_descriptor_set();
    types.file.retain(|file| file.package().starts_with("bridgehead.") && file.name() != ANNOTATIONS);
    prost_build::Config::new().bytes(["."]).include_file("types.rs").out_dir(&out).compile_fds(types)?;

    let set = FileSet::decode(compiler.encode_file_descriptor_set().as_slice())?;
    fs::write(out.join("services.rs"), write_services(&set)?)?;
    fs::write(out.join("comments.rs"), write_comments(&set)?)?;
    let files = strip(set);
    fs::write(out.join("impls.rs"), write_impls(&files, &out)?)?;
    Ok(())
}

/// Every `.proto` below `folder`, in a stable order.
fn proto_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(proto_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Removes comments, and the import of the annotations with its own dependencies.
///
/// The annotations themselves stay in the options as fields with known numbers: our reader finds them and
/// every other reader skips them, so a schema in a log is small and free of proto2 files.
fn strip(set: FileSet) -> BTreeMap<String, File> {
    let own = set
        .file
        .into_iter()
        .filter(|file| file.package.starts_with("bridgehead.") && file.name != ANNOTATIONS);
    own.map(|mut file| {
        file.dependency.retain(|name| name != ANNOTATIONS);
        // The schema of a message does not include the services that use it.
        file.services.clear();
        file.comments = None;
        (file.name.clone(), file)
    })
    .collect()
}

/// One `impl Message` per message, and the list of them all.
fn write_impls(files: &BTreeMap<String, File>, out: &Path) -> Result<String, Box<dyn Error>> {
    let mut code = String::new();
    let mut list = Vec::new();
    for file in files.values() {
        let set = write_set(file, files, out)?;
        let module = file.package.replace('.', "::");
        for body in &file.messages {
            let Descriptor { name, options, .. } = Descriptor::decode(body.as_slice())?;
            let rust = format!("types::{module}::{}", rust_name(&name));
            writeln!(
                code,
                "impl crate::Message for {rust} {{\n    const FULL_NAME: &'static str = \"{}.{name}\";\n    \
                 const DESCRIPTOR_SET: &'static [u8] = include_bytes!(\"{set}\");\n}}",
                file.package,
            )?;
            code += &write_constants(&rust, &options.unwrap_or_default().ros_constant)?;
            list.push(format!("    crate::Schema::of::<{rust}>,\n"));
        }
    }
    writeln!(code, "pub(crate) const ALL: [fn() -> crate::Schema; {}] = [\n{}];", list.len(), list.concat())?;
    Ok(code)
}

/// The integer constants of a message as constants of its Rust type, in the type of the fields that hold them.
fn write_constants(rust: &str, lines: &[String]) -> Result<String, Box<dyn Error>> {
    let mut code = String::new();
    for line in lines {
        let (left, value) = line.split_once('=').ok_or("a ros_constant without `=`")?;
        let (ros, name) = left.split_once(' ').ok_or("a ros_constant without a type")?;
        let field = if ros.starts_with("int") { "i32" } else { "u32" };
        writeln!(code, "    /// ROS constant `{line}`.\n    pub const {name}: {field} = {value};")?;
    }
    Ok(if code.is_empty() { code } else { format!("impl {rust} {{\n{code}}}\n") })
}

/// Writes the descriptor set of one file; returns its path relative to the output folder.
fn write_set(file: &File, files: &BTreeMap<String, File>, out: &Path) -> Result<String, Box<dyn Error>> {
    let mut set = FileSet::default();
    collect(file, files, &mut set.file);
    let name = format!("{}.bin", file.name.replace('/', "."));
    fs::write(out.join(&name), set.encode_to_vec())?;
    Ok(name)
}

/// Returns the name that prost gives a message: only the first of several capitals stays (`TFMessage` is `TfMessage`).
fn rust_name(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let upper = |i: usize| chars.get(i).is_some_and(char::is_ascii_uppercase);
    let lower = |i: usize| chars.get(i).is_some_and(char::is_ascii_lowercase);
    let inside_run = |i: usize| i > 0 && upper(i - 1) && !lower(i + 1);
    chars.iter().enumerate().map(|(i, c)| if inside_run(i) { c.to_ascii_lowercase() } else { *c }).collect()
}

/// Adds `file` after the files it imports.
fn collect(file: &File, files: &BTreeMap<String, File>, into: &mut Vec<File>) {
    for import in file.dependency.iter().filter_map(|name| files.get(name)) {
        collect(import, files, into);
    }
    if !into.iter().any(|known| known.name == file.name) {
        into.push(file.clone());
    }
}

/// The declarations of all services, with their comments.
fn write_services(set: &FileSet) -> Result<String, Box<dyn Error>> {
    let mut list = Vec::new();
    for file in &set.file {
        for (block, service) in file.services.iter().enumerate() {
            for (index, method) in service.methods.iter().enumerate() {
                let comment = comment_at(file, &[6, place(block)?, 2, place(index)?]);
                list.push(write_service(file, service, method, &comment)?);
            }
        }
    }
    Ok(format!(
        "pub(crate) static SERVICES: [crate::ServiceDeclaration; {}] = [\n{}];\n",
        list.len(),
        list.concat()
    ))
}

fn write_service(
    file: &File,
    service: &ServiceBlock,
    method: &Method,
    comment: &str,
) -> Result<String, Box<dyn Error>> {
    let options = method.options.clone().unwrap_or_default();
    let (kind, ros_type) = match (options.ros_service.as_str(), options.ros_action.as_str()) {
        (service, "") if !service.is_empty() => ("Service", service),
        ("", action) if !action.is_empty() => ("Action", action),
        _ => return Err(format!("{}: give ros_service or ros_action", method.name).into()),
    };
    let rust = |name: &str| {
        let (package, name) = name.trim_start_matches('.').rsplit_once('.').unwrap_or_default();
        format!("crate::Schema::of::<types::{}::{}>", package.replace('.', "::"), rust_name(name))
    };
    Ok(format!(
        "    crate::ServiceDeclaration {{ package: {:?}, block: {:?}, method: {:?}, name: {:?}, kind: \
         crate::ServiceKind::{kind}, ros_type: {ros_type:?}, is_reader: {}, features: &{:?}, request: {}, response: \
         {}, comment: {comment:?} }},\n",
        file.package,
        service.name,
        method.name,
        snake_case(&method.name),
        options.idempotency_level == 1,
        options.feature,
        rust(&method.input),
        rust(&method.output),
    ))
}

/// The comments of messages and fields, by full name.
fn write_comments(set: &FileSet) -> Result<String, Box<dyn Error>> {
    let mut comments = BTreeMap::new();
    for file in set.file.iter().filter(|file| file.package.starts_with("bridgehead.")) {
        for (index, body) in file.messages.iter().enumerate() {
            let message = Descriptor::decode(body.as_slice())?;
            let name = format!("{}.{}", file.package, message.name);
            for (number, field) in message.fields.iter().enumerate() {
                let path = [4, place(index)?, 2, place(number)?];
                comments.insert(format!("{name}.{}", field.name), comment_at(file, &path));
            }
            comments.insert(name, comment_at(file, &[4, place(index)?]));
        }
    }
    let lines: Vec<String> =
        comments.iter().map(|(name, comment)| format!("    ({name:?}, {comment:?}),\n")).collect();
    Ok(format!("pub(crate) static COMMENTS: [(&str, &str); {}] = [\n{}];\n", lines.len(), lines.concat()))
}

fn place(index: usize) -> Result<i32, Box<dyn Error>> {
    Ok(i32::try_from(index)?)
}

/// Returns the comment before the element at a path, on one line.
fn comment_at(file: &File, path: &[i32]) -> String {
    let locations = file.comments.iter().flat_map(|comments| &comments.location);
    let mut found = locations.filter(|location| location.path == path);
    let text = found.next().map(|location| location.leading.as_str()).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `GetEntities` as `get_entities`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

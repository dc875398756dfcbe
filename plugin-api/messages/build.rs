//! Generates prost types from the annotated `.proto` files, each with its own small descriptor set, and the tables of
//! services and comments.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use bridgehead_build::set::{Descriptor, File, FileSet, Files};
use bridgehead_build::{ANNOTATIONS, proto_files, proto_folder, rust_name, write_impls};
use prost::Message as _;

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
    #[prost(bool, tag = "52803")]
    transition: bool,
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

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let (protos, out) = (proto_folder(), PathBuf::from(env::var("OUT_DIR")?));
    println!("cargo::rerun-if-changed={}", protos.display());
    let mut compiler = protox::Compiler::new([&protos])?;
    compiler.include_imports(true).include_source_info(true).open_files(proto_files(&protos)?)?;

    let mut types = compiler.file_descriptor_set();
    types.file.retain(|file| file.package().starts_with("bridgehead.") && file.name() != ANNOTATIONS);
    prost_build::Config::new().bytes(["."]).include_file("types.rs").out_dir(&out).compile_fds(types)?;

    let set = FileSet::decode(compiler.encode_file_descriptor_set().as_slice())?;
    fs::write(out.join("services.rs"), write_services(&set)?)?;
    fs::write(out.join("comments.rs"), write_comments(&set)?)?;
    let files = Files::of(set);
    let (mut impls, found) = write_impls(files.iter(), &files, &out, ["crate", "types"])?;
    let list: String = found.iter().map(|rust| format!("    crate::Schema::of::<{rust}>,\n")).collect();
    writeln!(impls, "pub(crate) const ALL: [fn() -> crate::Schema; {}] = [\n{list}];", found.len())?;
    fs::write(out.join("impls.rs"), impls)?;
    Ok(())
}

/// The declarations of all services, with their comments.
fn write_services(set: &FileSet) -> Result<String, Box<dyn Error>> {
    let mut list = Vec::new();
    for file in &set.file {
        let comments = comments_of(file)?;
        for (block, service) in file.services.iter().enumerate() {
            let service = ServiceBlock::decode(service.as_slice())?;
            for (index, method) in service.methods.iter().enumerate() {
                let comment = comment_at(&comments, &[6, place(block)?, 2, place(index)?]);
                list.push(write_service(file, &service, method, &comment)?);
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
         crate::ServiceKind::{kind}, ros_type: {ros_type:?}, is_reader: {}, is_transition: {}, features: &{:?}, request: {}, \
         response: {}, comment: {comment:?} }},\n",
        file.package,
        service.name,
        method.name,
        snake_case(&method.name),
        options.idempotency_level == 1,
        options.transition,
        options.feature,
        rust(&method.input),
        rust(&method.output),
    ))
}

/// The comments of messages and fields, by full name.
fn write_comments(set: &FileSet) -> Result<String, Box<dyn Error>> {
    let mut comments = BTreeMap::new();
    for file in set.file.iter().filter(|file| file.package.starts_with("bridgehead.")) {
        let texts = comments_of(file)?;
        for (index, body) in file.messages.iter().enumerate() {
            let message = Descriptor::decode(body.as_slice())?;
            let name = format!("{}.{}", file.package, message.name);
            for (number, field) in message.fields.iter().enumerate() {
                let path = [4, place(index)?, 2, place(number)?];
                comments.insert(format!("{name}.{}", field.name), comment_at(&texts, &path));
            }
            comments.insert(name, comment_at(&texts, &[4, place(index)?]));
        }
    }
    let lines: Vec<String> =
        comments.iter().map(|(name, comment)| format!("    ({name:?}, {comment:?}),\n")).collect();
    Ok(format!("pub(crate) static COMMENTS: [(&str, &str); {}] = [\n{}];\n", lines.len(), lines.concat()))
}

fn place(index: usize) -> Result<i32, Box<dyn Error>> {
    Ok(i32::try_from(index)?)
}

fn comments_of(file: &File) -> Result<Comments, Box<dyn Error>> {
    Ok(Comments::decode(file.comments.as_deref().unwrap_or_default())?)
}

/// Returns the comment before the element at a path, on one line.
fn comment_at(comments: &Comments, path: &[i32]) -> String {
    let mut found = comments.location.iter().filter(|location| location.path == path);
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

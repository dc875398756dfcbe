//! Turns the annotated `.proto` files into prost types, and gives each its own small descriptor set.
//!
//! The compiler is protox, so no `protoc` is needed. The descriptor sets are cut from the encoded form, which
//! still has the ROS annotations; the decoded form that prost-build reads has lost them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message as _;

const ANNOTATIONS: &str = "bridgehead/annotations/v1/ros.proto";

/// The parts of a `FileDescriptorProto` that this crate's files have, message bodies kept as they are.
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
    #[prost(string, tag = "12")]
    syntax: String,
}

/// The name and the ROS constants of a `DescriptorProto`; the rest is not read here.
#[derive(Clone, PartialEq, prost::Message)]
struct Descriptor {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "7")]
    options: Option<Options>,
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

    let files = strip(FileSet::decode(compiler.encode_file_descriptor_set().as_slice())?);
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

/// Leaves out comments, and the import of the annotations together with what only it needs.
///
/// The annotations themselves stay in the options as fields of known numbers: our reader finds them there and
/// every other reader skips them, so a schema in a log is small and free of proto2 files.
fn strip(set: FileSet) -> BTreeMap<String, File> {
    let own = set
        .file
        .into_iter()
        .filter(|file| file.package.starts_with("bridgehead.") && file.name != ANNOTATIONS);
    own.map(|mut file| {
        file.dependency.retain(|name| name != ANNOTATIONS);
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
            let Descriptor { name, options } = Descriptor::decode(body.as_slice())?;
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

/// Writes the descriptor set of one file and says where, relative to the output folder.
fn write_set(file: &File, files: &BTreeMap<String, File>, out: &Path) -> Result<String, Box<dyn Error>> {
    let mut set = FileSet::default();
    collect(file, files, &mut set.file);
    let name = format!("{}.bin", file.name.replace('/', "."));
    fs::write(out.join(&name), set.encode_to_vec())?;
    Ok(name)
}

/// The name prost gives a message: of a run of capitals only the first stays (`TFMessage` is `TfMessage`).
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

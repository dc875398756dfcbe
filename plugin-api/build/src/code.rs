//! Writes the implementations of `Message` for types of prost.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prost::Message as _;

use crate::Error;
use crate::set::{Descriptor, File, Files};

/// Writes the descriptor sets of some files to `out`.
///
/// Returns `impl Message` for every message in them, as text, and the paths of their Rust types. `api` is the path of the
/// crate with the trait, and `types` that of the module with the types.
///
/// # Errors
///
/// A set cannot be written, or an annotation is malformed.
pub fn write_impls<'a>(
    own: impl Iterator<Item = &'a File>,
    files: &Files,
    out: &Path,
    [api, types]: [&str; 2],
) -> Result<(String, Vec<String>), Error> {
    let mut code = String::new();
    let mut found = Vec::new();
    for file in own {
        let set = format!("{}.bin", file.name.replace('/', "."));
        fs::write(out.join(&set), files.set(file)).map_err(Error::write(out.join(&set)))?;
        let module = file.package.replace('.', "::");
        for body in &file.messages {
            let Descriptor { name, options, .. } = decode(file, body)?;
            let rust = format!("{types}::{module}::{}", rust_name(&name));
            let _ = writeln!(
                code,
                "impl {api}::Message for {rust} {{\n    const FULL_NAME: &'static str = \"{}.{name}\";\n    const \
                 DESCRIPTOR_SET: &'static [u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{set}\"));\n}}",
                file.package,
            );
            code += &constants(&rust, &options.unwrap_or_default().ros_constant)?;
            found.push(rust);
        }
    }
    Ok((code, found))
}

pub(crate) fn decode(file: &File, body: &[u8]) -> Result<Descriptor, Error> {
    Descriptor::decode(body).map_err(|error| Error::Invalid(format!("{}: {error}", file.name)))
}

/// Returns the integer constants of a message as constants of its Rust type, in the type of the fields that hold them.
fn constants(rust: &str, lines: &[String]) -> Result<String, Error> {
    let mut code = String::new();
    for line in lines {
        let malformed = || Error::Constant(line.clone());
        let (left, value) = line.split_once('=').ok_or_else(malformed)?;
        let (ros, name) = left.split_once(' ').ok_or_else(malformed)?;
        let field = if ros.starts_with("int") { "i32" } else { "u32" };
        let _ = writeln!(code, "    /// ROS constant `{line}`.\n    pub const {name}: {field} = {value};");
    }
    Ok(if code.is_empty() { code } else { format!("impl {rust} {{\n{code}}}\n") })
}

/// Returns the name that prost gives a message: only the first of several capitals stays (`TFMessage` is `TfMessage`).
pub fn rust_name(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let upper = |i: usize| chars.get(i).is_some_and(char::is_ascii_uppercase);
    let lower = |i: usize| chars.get(i).is_some_and(char::is_ascii_lowercase);
    let inside_run = |i: usize| i > 0 && upper(i - 1) && !lower(i + 1);
    chars.iter().enumerate().map(|(i, c)| if inside_run(i) { c.to_ascii_lowercase() } else { *c }).collect()
}

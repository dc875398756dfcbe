//! Plugins in Python: a `.py` file whose metadata is a block of comments, which is read without running the file.
//!
//! ```text
//! # /// bridgehead
//! # kind = "model"
//! # name = "altimeter"
//! # ///
//! ```
//!
//! The form is that of the inline metadata of PEP 723. Everything but `kind` has a default. Usable from any thread.

use std::io::{self, Read as _};
use std::path::Path;

use bridgehead_abi::{ABI_MAJOR, ABI_MINOR, entry};
use serde::Deserialize;

use super::code::Code;
use super::metadata::{Kind, Metadata, PanicStrategy, PluginMetadata};
use super::refusal::Refusal;

/// First line of the block.
const BEGIN: &str = "# /// bridgehead";
/// Last line of the block.
const END: &str = "# ///";
/// The line that a file without a block has if its author means it to be a plugin.
const IMPORTS: [&str; 2] = ["from bridgehead.plugin import ", "import bridgehead.plugin"];
/// Bytes in which the block must be.
const HEAD: u64 = 64 << 10;
/// Names the SDK in the metadata.
const SDK: &str = "bridgehead-python";

/// Returns true if a file is a script by its name.
#[must_use]
pub fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py")
}

/// Returns true if a script in a plugin folder is a plugin, or is meant to be one. Such folders contain other scripts too.
pub(super) fn is_marked(path: &Path) -> bool {
    head(path).is_ok_and(|head| {
        let text = String::from_utf8_lossy(&head);
        text.lines().any(|line| is_begin(line) || IMPORTS.iter().any(|import| line.starts_with(import)))
    })
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    bridgehead_files::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

fn is_begin(line: &str) -> bool {
    line.trim_end() == BEGIN
}

/// The values of the block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    kind: Kind,
    name: Option<String>,
    id: Option<String>,
    version: Option<String>,
    #[serde(default)]
    vendor: String,
    #[serde(default)]
    license: String,
    #[serde(default)]
    requires: Vec<String>,
    #[serde(default)]
    provides: Vec<String>,
    #[serde(default)]
    state: String,
}

/// Reads the metadata of a script. `path` names it, also if `file` is its private copy.
pub(super) fn inspect(path: &Path, file: &Path) -> Result<Metadata, Refusal> {
    let head = head(file)
        .map_err(|error| Refusal::new(Code::Unreadable, format!("the file cannot be read: {error}")))?;
    let text = String::from_utf8_lossy(&head);
    let (toml, line) = block(&text)?;
    let block: Block = toml::from_str(&toml).map_err(|error| {
        let place = error.span().map_or(0, |span| lines_before(&toml, span.start));
        let text = format!("line {}: {}", line + 1 + place, error.message().trim());
        Refusal::new(Code::ScriptMetadata, text)
    })?;
    let plugin = plugin(block, path, line)?;
    let metadata = Metadata {
        schema: entry::METADATA_SCHEMA,
        abi: [ABI_MAJOR, ABI_MINOR],
        sdk: SDK.to_owned(),
        abi_stable: None,
        panic: PanicStrategy::None,
        plugins: vec![plugin],
    };
    let refused = |refusal: Refusal| match refusal.code {
        Code::MetadataInvalid => Refusal::new(Code::ScriptMetadata, format!("line {line}: {}", refusal.text)),
        _ => refusal,
    };
    metadata.check().map_err(refused)?;
    Ok(metadata)
}

fn lines_before(text: &str, end: usize) -> usize {
    text.bytes().take(end).filter(|byte| *byte == b'\n').count()
}

/// Returns the text of the block, and the number of its first line.
fn block(text: &str) -> Result<(String, usize), Refusal> {
    let Some(begin) = text.lines().position(is_begin) else {
        return Err(Refusal::new(
            Code::ScriptUnmarked,
            format!("no line of the first {} KiB is `{BEGIN}`", HEAD >> 10),
        ));
    };
    let mut toml = String::new();
    for line in text.lines().skip(begin + 1) {
        if line.trim_end() == END {
            return Ok((toml, begin + 1));
        }
        let Some(content) = line.strip_prefix('#') else { break };
        toml.push_str(content.strip_prefix(' ').unwrap_or(content));
        toml.push('\n');
    }
    let text = format!("line {}: the block does not end with a line `{END}`", begin + 1);
    Err(Refusal::new(Code::ScriptMetadata, text))
}

fn plugin(block: Block, path: &Path, line: usize) -> Result<PluginMetadata, Refusal> {
    if block.kind == Kind::Unknown {
        let text = format!("line {line}: `kind` is neither \"model\" nor \"bridge\"");
        return Err(Refusal::new(Code::ScriptMetadata, text));
    }
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = block.name.unwrap_or_else(stem);
    // A wrong name is reported as such, and not as a wrong id.
    let word = || name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
    Ok(PluginMetadata {
        id: block.id.unwrap_or_else(|| format!("local.{}.{}", block.kind, word())),
        kind: block.kind,
        name,
        version: block.version.unwrap_or_else(|| "0.0.0".to_owned()),
        vendor: block.vendor,
        license: block.license,
        requires: block.requires,
        provides: block.provides,
        state: block.state,
    })
}

#[cfg(test)]
mod tests;

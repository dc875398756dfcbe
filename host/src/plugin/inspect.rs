//! All checks of a file that do not run its code: reading, ELF check, metadata, layout. Usable from any thread.
//!
//! The checked bytes are kept and written into the private copy, so that the loaded library is the checked one, even if
//! the file changes in between.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use bridgehead_abi::entry::{LAYOUT_SECTION, METADATA_SECTION};

use super::code::Code;
use super::elf::SharedObject;
use super::layout;
use super::metadata::Metadata;
use super::refusal::Refusal;

/// A file that passed these checks.
#[derive(Debug)]
pub(super) struct Inspected {
    pub(super) bytes: Vec<u8>,
    pub(super) metadata: Metadata,
}

/// Reads and checks a file.
pub(super) fn inspect(path: &Path, size_limit: u64) -> Result<Inspected, Refusal> {
    let bytes = read(path, size_limit)?;
    let metadata = check(&bytes)?;
    Ok(Inspected { bytes, metadata })
}

/// Checks the content of a file.
pub(crate) fn check(bytes: &[u8]) -> Result<Metadata, Refusal> {
    let object = SharedObject::parse(bytes)?;
    let section = object.section(METADATA_SECTION).ok_or_else(|| {
        Refusal::new(Code::NotAPlugin, format!("the library has no section `{METADATA_SECTION}`"))
    })?;
    let metadata = Metadata::parse(section)?;
    let table = object.section(LAYOUT_SECTION).ok_or_else(|| {
        Refusal::new(Code::LayoutMissing, format!("the library has no section `{LAYOUT_SECTION}`"))
    })?;
    layout::compare(table)?;
    Ok(metadata)
}

fn read(path: &Path, size_limit: u64) -> Result<Vec<u8>, Refusal> {
    let found = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !found.is_file() {
        return Err(Refusal::new(Code::NotAFile, "the path is not a regular file"));
    }
    // Reading one byte more than allowed detects a file that is too large, also one that is still growing.
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    file.take(size_limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > size_limit {
        let text =
            format!("the file has {} bytes, the limit is {size_limit}", found.len().max(bytes.len() as u64));
        return Err(Refusal::new(Code::TooLarge, text));
    }
    Ok(bytes)
}

fn unreadable(error: &io::Error) -> Refusal {
    Refusal::new(Code::Unreadable, format!("the file cannot be read: {error}"))
}

//! All checks of a file that do not run its code: size, ELF check, metadata, layout. Usable from any thread.
//!
//! Of a file, only its headers and two sections are read: most of a library is code and debug information, and most
//! libraries of a folder are not used by a run.

use std::fs::File;
use std::io;
use std::path::Path;

use bridgehead_abi::entry::{LAYOUT_SECTION, METADATA_SECTION};
use bridgehead_files::ReadError;
use object::read::{ReadCache, ReadRef};

use super::code::Code;
use super::elf::SharedObject;
use super::hosts::LibraryHosts;
use super::layout;
use super::library::{Library, Linkage};
use super::metadata::Metadata;
use super::refusal::Refusal;
use super::script;

/// Reads and checks a file.
pub fn inspect(path: &Path, size_limit: u64) -> Result<Metadata, Refusal> {
    inspect_as(path, path, size_limit)
}

/// Reads and checks the private copy of a file.
pub(super) fn inspect_as(path: &Path, copy: &Path, size_limit: u64) -> Result<Metadata, Refusal> {
    let file = open(copy, size_limit)?;
    if script::is_script(path) { script::inspect(path, copy) } else { check(&ReadCache::new(file)) }
}

/// Opens a regular file that does not exceed the limit.
pub(super) fn open(path: &Path, size_limit: u64) -> Result<File, Refusal> {
    let file = bridgehead_files::open(path).map_err(|error| match error {
        ReadError::Kind(_) => Refusal::new(Code::NotAFile, "the path is not a regular file"),
        other => unreadable(&other.into()),
    })?;
    let size = file.metadata().map_err(|error| unreadable(&error))?.len();
    if size > size_limit {
        let text = format!("the file has {size} bytes, the limit is {size_limit}");
        return Err(Refusal::new(Code::TooLarge, text));
    }
    Ok(file)
}

/// Loads a private copy of a library that another process has made.
///
/// # Errors
/// Returns an error if the library is refused.
pub fn open_copy(path: &Path, copy: &Path, hosts: &mut dyn LibraryHosts) -> Result<Linkage, Refusal> {
    Library::load(path, copy, inspect(copy, u64::MAX)?, hosts)
}

/// Checks the content of a file.
pub fn check<'a>(bytes: impl ReadRef<'a>) -> Result<Metadata, Refusal> {
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

fn unreadable(error: &io::Error) -> Refusal {
    Refusal::new(Code::Unreadable, format!("the file cannot be read: {error}"))
}

#[cfg(test)]
mod tests;

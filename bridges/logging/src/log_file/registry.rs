//! The open files of this process; connections with equal targets share one.
//!
//! The only state that instances of this plugin share. Opening and closing hold its lock, so a file is never opened
//! again while it is being finished. Called from `[main]` only.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::messages::StepMark;
use bridgehead_plugin_api::{Error, Result};

use super::parts::{NewPart, Parts};
use super::{LogFile, Member};
use crate::connection::{Connection, FileOptions, Limits};
use crate::disk::Disk;
use crate::format::STANDARD_OUTPUT;
use crate::part::Part;
use crate::place::Origin;

/// A target, independent of its spelling.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    StandardOutput,
    /// Canonical directory, and the file name in it.
    File(PathBuf, OsString),
}

struct Open {
    file: Arc<LogFile>,
    options: FileOptions,
}

static OPEN: Mutex<BTreeMap<Key, Open>> = Mutex::new(BTreeMap::new());

/// Opens the target of a connection, or joins the instances that have it open. The instance joins at the mark `joined`.
///
/// # Errors
/// Returns an error if the origin does not allow the target, or if the target exists, cannot be created or is open
/// with other options.
pub(crate) fn open(connection: &Connection, origin: &Origin, joined: StepMark) -> Result<Member> {
    let (key, path) = locate(connection, origin)?;
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shared) = open.get(&key) {
        check_agreement(connection, &shared.options)?;
        return Ok(Member::join(&shared.file, joined));
    }
    let file = Arc::new(create(connection, &key, path)?);
    let member = Member::join(&file, joined);
    open.insert(key, Open { file, options: connection.options });
    Ok(member)
}

/// Leaves a file. The last instance finishes it.
///
/// # Errors
/// Returns an error if the end of the file cannot be written.
pub(crate) fn close(member: &Member) -> Result {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if member.file.state().merge.leave(member.id) {
        return Ok(());
    }
    open.retain(|_, other| !Arc::ptr_eq(&other.file, &member.file));
    member.file.finish().map_err(|error| {
        let text = format!("[BH-BRG-114] the end of `{}` cannot be written: {error}", member.file.name());
        Error::with_status(status::IO, text)
    })
}

fn locate(connection: &Connection, origin: &Origin) -> Result<(Key, Option<PathBuf>)> {
    if connection.target == STANDARD_OUTPUT {
        return Ok((Key::StandardOutput, None));
    }
    let path = origin.resolve(&connection.target)?;
    let name = path.file_name().unwrap_or_default().to_owned();
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if matches!(origin, Origin::World { .. }) {
        std::fs::create_dir_all(directory).map_err(|error| open_error(&path, &error))?;
    }
    let directory = directory.canonicalize().map_err(|error| open_error(&path, &error))?;
    Ok((Key::File(directory, name), Some(path)))
}

fn check_agreement(connection: &Connection, shared: &FileOptions) -> Result {
    if connection.options == *shared {
        return Ok(());
    }
    let text = |options: &FileOptions| {
        let size = |size: Option<u64>| size.map_or("none".to_owned(), |size| size.to_string());
        let Limits { max_size, part_size } = options.limits;
        let (max_size, part_size) = (size(max_size), size(part_size));
        format!("max_size {max_size}, part_size {part_size}, overwrite {}", options.overwrite)
    };
    Err(Error::invalid(format!(
        "[BH-BRG-116] `{}` is already open with other options ({}, here {}); \
        use the same options for every connection to one file",
        connection.target,
        text(shared),
        text(&connection.options)
    )))
}

fn create(connection: &Connection, key: &Key, path: Option<PathBuf>) -> Result<LogFile> {
    let (format, options) = (connection.format, connection.options);
    let (Key::File(folder, _), Some(path)) = (key, path) else {
        let name = Path::new("standard output");
        let part =
            Part::begin(format, Disk::of_standard_output()).map_err(|error| open_error(name, &error))?;
        return Ok(LogFile::new(name, options.limits, None, part));
    };
    let mut parts = Parts::new(path.clone(), folder.clone(), format, options.overwrite);
    let NewPart { part, path: created } = parts.create(false).map_err(|error| open_error(&path, &error))?;
    if created != path {
        let (path, created) = (path.display(), created.display());
        log::info!("`{path}` was written by this process and is kept; the log continues in `{created}`");
    }
    Ok(LogFile::new(&created, options.limits, Some(parts), part))
}

fn open_error(path: &Path, error: &io::Error) -> Error {
    let path = path.display();
    if error.kind() == io::ErrorKind::AlreadyExists {
        return Error::with_status(
            status::EXISTS,
            format!(
                "[BH-BRG-112] `{path}` exists and is not replaced; choose another name, \
                 or add ;overwrite=true to replace it"
            ),
        );
    }
    Error::with_status(
        status::IO,
        format!(
            "[BH-BRG-113] `{path}` cannot be opened for writing: {error}; \
            check its directory and its permissions"
        ),
    )
}

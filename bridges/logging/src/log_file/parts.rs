//! The names of the parts of a log: `run.mcap`, `run.part2.mcap`, `run.part3.mcap`.
//!
//! A file that this process has written is never opened again, whatever `overwrite` says: the log continues in the next
//! part. So neither a full disk nor a second connection costs messages that were written.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::disk::{Disk, open_file};
use crate::format::Format;
use crate::part::Part;

/// The files that this process has written, in canonical folders.
static OWN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Largest number of parts.
const MAX_PARTS: u32 = 100_000;

/// Creates the parts of one log.
pub(crate) struct Parts {
    /// As given, for messages.
    path: PathBuf,
    /// The canonical folder of the path.
    folder: PathBuf,
    format: Format,
    overwrite: bool,
    next: u32,
}

/// A part that was just created.
pub(crate) struct NewPart {
    pub(crate) part: Part,
    /// Its path, for messages.
    pub(crate) path: PathBuf,
}

impl Parts {
    pub(crate) fn new(path: PathBuf, folder: PathBuf, format: Format, overwrite: bool) -> Self {
        Parts { path, folder, format, overwrite, next: 1 }
    }

    /// Creates the next part. With `needs_room` the disk must have room for more than a few messages.
    ///
    /// # Errors
    /// Returns the error of the system, [`io::ErrorKind::AlreadyExists`] only if the first part exists, this process has
    /// not written it, and it must not be overwritten.
    pub(crate) fn create(&mut self, needs_room: bool) -> io::Result<NewPart> {
        let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
        while self.next <= MAX_PARTS {
            let (number, path) = (self.next, self.path_of(self.next));
            let known = self.folder.join(path.file_name().unwrap_or_default());
            let is_own = own.contains(&known);
            match open_file(&path, self.overwrite && !is_own) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && (is_own || number > 1) => {
                    self.next += 1;
                }
                Err(error) => return Err(error),
                Ok(file) => {
                    let part = self.begin(Disk::of_file(file), &path, needs_room)?;
                    if part.is_file() {
                        own.insert(known);
                    }
                    self.next += 1;
                    return Ok(NewPart { part, path });
                }
            }
        }
        Err(io::Error::other(format!("there are {MAX_PARTS} parts already")))
    }

    /// Begins a part in an open file, which is removed if the disk has no room.
    fn begin(&self, mut disk: Disk, path: &Path, needs_room: bool) -> io::Result<Part> {
        let is_file = disk.is_file();
        let room = if needs_room { disk.check_room() } else { Ok(()) };
        let begun = room.and_then(|()| Part::begin(self.format, disk));
        if begun.is_err() && is_file {
            drop(fs::remove_file(path));
        }
        begun
    }

    /// Removes a part that could not take its first messages. Its name is used again.
    pub(crate) fn discard(&mut self, new: NewPart) {
        let NewPart { part, path } = new;
        drop(part);
        if fs::remove_file(&path).is_ok() {
            let known = self.folder.join(path.file_name().unwrap_or_default());
            OWN.lock().unwrap_or_else(PoisonError::into_inner).remove(&known);
            self.next = self.next.saturating_sub(1).max(1);
        }
    }

    fn path_of(&self, number: u32) -> PathBuf {
        if number == 1 {
            return self.path.clone();
        }
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let ending = Format::ending_of(&name);
        let stem = name.strip_suffix(ending).unwrap_or(&name);
        self.path.with_file_name(format!("{stem}.part{number}{ending}"))
    }
}

//! One file on the disk. If a write fails, the file goes back to its last complete state.
//!
//! Knows nothing about messages: [`crate::part`] decides what is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Room that a new file needs, so that a disk with little room does not get many small files.
const ROOM_BYTES: usize = 256 << 10;

/// Opens a file for writing.
///
/// # Errors
/// Returns [`io::ErrorKind::AlreadyExists`] if the file exists and `overwrite` is false, otherwise the error of the
/// system.
pub(crate) fn open_file(path: &Path, overwrite: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite { options.create(true).truncate(true) } else { options.create_new(true) }.open(path)
}

/// A target of bytes.
pub(crate) struct Disk {
    target: Target,
    /// Bytes up to the last commit.
    committed: u64,
    written: u64,
}

enum Target {
    /// A regular file, which can be shortened.
    File(File),
    /// Standard output, a pipe or a device: what is written stays.
    Stream(Box<dyn Write + Send>),
}

impl Disk {
    /// Uses an open file, which is empty if it is a regular one.
    pub(crate) fn of_file(file: File) -> Self {
        let is_regular = file.metadata().is_ok_and(|facts| facts.is_file());
        let target = if is_regular { Target::File(file) } else { Target::Stream(Box::new(file)) };
        Disk { target, committed: 0, written: 0 }
    }

    /// Uses standard output.
    pub(crate) fn of_standard_output() -> Self {
        Disk { target: Target::Stream(Box::new(io::stdout())), committed: 0, written: 0 }
    }

    /// Returns true if the target is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.target, Target::File(_))
    }

    /// Returns the number of bytes up to the last commit.
    pub(crate) fn committed(&self) -> u64 {
        self.committed
    }

    /// Writes bytes that are not complete before the next commit.
    ///
    /// # Errors
    /// Returns the error of the system. [`Self::roll_back`] must follow.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.target {
            Target::File(file) => file.write_all(bytes),
            Target::Stream(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
        }?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Declares everything written so far complete.
    pub(crate) fn commit(&mut self) {
        self.committed = self.written;
    }

    /// Shortens the file to its last commit and completes it with `ending`. Returns false if the disk has no room for
    /// the ending, or does not allow the change; then the file ends with the last commit, and another try may succeed.
    pub(crate) fn roll_back(&mut self, ending: &[u8]) -> bool {
        let Target::File(file) = &mut self.target else { return true };
        let committed = self.committed;
        self.written = committed;
        let cut = |file: &mut File| -> io::Result<()> {
            file.set_len(committed)?;
            file.seek(SeekFrom::Start(committed)).map(drop)
        };
        let ended = cut(file).and_then(|()| file.write_all(ending));
        if ended.is_err() {
            // Part of the ending may be there. If shortening fails, the disk takes no change at all.
            drop(cut(file));
        }
        ended.is_ok()
    }

    /// Checks that the disk has room for more than a few messages.
    ///
    /// # Errors
    /// Returns the error of the system; the file is of no use then.
    pub(crate) fn check_room(&mut self) -> io::Result<()> {
        let Target::File(file) = &mut self.target else { return Ok(()) };
        file.write_all(&vec![0; ROOM_BYTES])?;
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0)).map(drop)
    }
}

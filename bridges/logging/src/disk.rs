//! One file on the disk. If a write fails, the file goes back to its last complete state.
//!
//! Knows nothing about messages: [`crate::part`] decides what is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileExt as _, FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use crate::stream::Correction;

/// Room that a new file needs, so that a disk with little room does not get many small files.
const ROOM_BYTES: usize = 256 << 10;

/// Opens a file for writing.
///
/// # Errors
/// Returns [`io::ErrorKind::AlreadyExists`] if the file exists and `overwrite` is false,
/// [`io::ErrorKind::NotConnected`] if it is a named pipe from which no program reads, otherwise the error of the system.
pub(crate) fn open_file(path: &Path, overwrite: bool) -> io::Result<File> {
    if overwrite && path.metadata().is_ok_and(|facts| facts.file_type().is_fifo()) {
        return open_pipe(path);
    }
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite { options.create(true).truncate(true) } else { options.create_new(true) }.open(path)
}

/// Opens a named pipe without waiting for its reader: the host would wait too.
fn open_pipe(path: &Path) -> io::Result<File> {
    let probe = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path);
    let probe = probe.map_err(|error| match error.raw_os_error() {
        Some(libc::ENXIO) => {
            io::Error::new(io::ErrorKind::NotConnected, "no program reads from this pipe, start it first")
        }
        _ => error,
    })?;
    // Again without the flag: the thread that writes may wait for the reader.
    OpenOptions::new().write(true).open(format!("/proc/self/fd/{}", probe.as_raw_fd()))
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

    /// Replaces committed bytes; the file is complete before and after it.
    ///
    /// # Errors
    /// Returns the error of the system. [`Self::roll_back`] must follow.
    pub(crate) fn correct(&mut self, correction: &Correction) -> io::Result<()> {
        match &self.target {
            Target::File(file) => file.write_all_at(&correction.bytes, correction.at),
            Target::Stream(_) => Err(io::Error::other("only a regular file can be changed")),
        }
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

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_is_opened_only_if_a_program_reads_from_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let refused = open_file(&path, true).expect_err("no program reads");
        assert_eq!(refused.kind(), io::ErrorKind::NotConnected, "{refused}");
        assert_eq!(open_file(&path, false).expect_err("it exists").kind(), io::ErrorKind::AlreadyExists);
        // Opened for both directions, which never waits, so that the pipe has a reader.
        let mut reader = OpenOptions::new().read(true).write(true).open(&path).expect("a reader");
        let mut writer = open_file(&path, true).expect("a program reads");
        writer.write_all(b"text").expect("written");
        let mut bytes = [0; 4];
        reader.read_exact(&mut bytes).expect("read");
        assert_eq!(&bytes, b"text");
    }
}

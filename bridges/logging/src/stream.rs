//! Writes bytes to the disk: buffered, counted, optionally with gzip.
//!
//! Opens files, but existing ones only with `overwrite`. [`crate::format`] decides about the content.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Large enough that system calls cost little per message.
const BUFFER_BYTES: usize = 64 * 1024;

/// Opens a file for writing.
///
/// # Errors
/// Returns [`io::ErrorKind::AlreadyExists`] if the file exists and `overwrite` is false, otherwise the error of the
/// system.
pub(crate) fn open_file(path: &Path, overwrite: bool) -> io::Result<Box<dyn Write + Send>> {
    let mut options = OpenOptions::new();
    options.write(true);
    let file: File =
        if overwrite { options.create(true).truncate(true) } else { options.create_new(true) }.open(path)?;
    Ok(Box::new(file))
}

/// A buffered, counted and optionally compressed stream.
pub(crate) enum Stream {
    Plain(Counted),
    Gzip(GzEncoder<Counted>),
}

impl Stream {
    /// Creates a stream into `target` and the count of bytes written to it.
    pub(crate) fn new(target: Box<dyn Write + Send>, gzip: bool) -> (Self, ByteCount) {
        let count = ByteCount::default();
        let counted = BufWriter::with_capacity(BUFFER_BYTES, CountedTarget { target, count: count.clone() });
        let stream = if gzip {
            Stream::Gzip(GzEncoder::new(counted, Compression::fast()))
        } else {
            Stream::Plain(counted)
        };
        (stream, count)
    }

    /// Writes the buffered bytes and the end of the gzip member.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Stream::Plain(mut counted) => counted.flush(),
            Stream::Gzip(encoder) => encoder.finish()?.flush(),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(counted) => counted.write(bytes),
            Stream::Gzip(encoder) => encoder.write(bytes),
        }
    }

    /// After a flush the file is readable up to here: gzip is flushed to a byte boundary too.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(counted) => counted.flush(),
            Stream::Gzip(encoder) => encoder.flush(),
        }
    }
}

type Counted = BufWriter<CountedTarget>;

/// A target that counts its bytes.
pub(crate) struct CountedTarget {
    target: Box<dyn Write + Send>,
    count: ByteCount,
}

impl Write for CountedTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.target.write(bytes)?;
        self.count.0.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

/// Bytes written to a target so far.
#[derive(Clone, Default)]
pub(crate) struct ByteCount(Arc<AtomicU64>);

impl ByteCount {
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

//! The bytes of one file before they reach the disk: encoded into memory, optionally compressed.
//!
//! Because an encoder writes into memory, it cannot fail halfway; [`crate::disk`] writes the bytes in batches.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flate2::write::GzEncoder;
use flate2::{Compression, Crc};

/// Bytes that an encoder has written and the disk has not. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Output(Arc<Mutex<Pending>>);

#[derive(Default)]
struct Pending {
    bytes: Vec<u8>,
    total: u64,
}

impl Output {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of bytes that wait for the disk.
    pub(crate) fn len(&self) -> usize {
        self.pending().bytes.len()
    }

    /// Returns the number of bytes written so far, including those on the disk.
    pub(crate) fn total(&self) -> u64 {
        self.pending().total
    }

    /// Moves the waiting bytes into `batch`, which is emptied first; both keep their memory.
    pub(crate) fn take_into(&self, batch: &mut Vec<u8>) {
        batch.clear();
        std::mem::swap(&mut self.pending().bytes, batch);
    }

    /// Returns the waiting bytes, which a test reads as another program reads the file.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.pending().bytes.clone()
    }

    /// Returns the waiting bytes as text.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pending = self.pending();
        pending.bytes.extend_from_slice(bytes);
        pending.total += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stream into an output, optionally compressed.
pub(crate) enum Stream {
    Plain(Output),
    Gzip {
        encoder: GzEncoder<Output>,
        /// Checksum and length of the text, for the end of the file.
        crc: Crc,
    },
}

impl Stream {
    /// Creates a stream into `output`.
    pub(crate) fn new(output: Output, gzip: bool) -> Self {
        if gzip {
            Stream::Gzip { encoder: GzEncoder::new(output, Compression::fast()), crc: Crc::new() }
        } else {
            Stream::Plain(output)
        }
    }

    /// Returns the bytes that complete the file if nothing follows what was flushed last: for gzip an empty last block
    /// (RFC 1951) with checksum and length (RFC 1952).
    pub(crate) fn ending(&self) -> Vec<u8> {
        match self {
            Stream::Plain(_) => Vec::new(),
            Stream::Gzip { crc, .. } => {
                let mut ending = vec![0x03, 0x00];
                ending.extend_from_slice(&crc.sum().to_le_bytes());
                ending.extend_from_slice(&crc.amount().to_le_bytes());
                ending
            }
        }
    }

    /// Writes the end of the gzip member.
    ///
    /// # Errors
    /// Returns the error of the encoder.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Stream::Plain(_) => Ok(()),
            Stream::Gzip { encoder, .. } => encoder.finish().map(drop),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(output) => output.write(bytes),
            Stream::Gzip { encoder, crc } => {
                let written = encoder.write(bytes)?;
                crc.update(bytes.get(..written).unwrap_or(bytes));
                Ok(written)
            }
        }
    }

    /// After a flush the bytes are readable up to here: gzip is flushed to a byte boundary too.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(_) => Ok(()),
            Stream::Gzip { encoder, .. } => encoder.flush(),
        }
    }
}

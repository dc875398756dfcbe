//! The bytes of one file before they reach the disk: encoded into memory, optionally compressed.
//!
//! Because an encoder writes into memory, it cannot fail halfway; [`crate::disk`] writes the bytes in batches.

use std::io::{self, Seek, SeekFrom, Write};
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
    /// Where the encoder writes, if it has gone back from the end.
    back_at: Option<u64>,
    corrections: Vec<Correction>,
}

/// Bytes that replace some that were taken for the disk already.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Correction {
    /// Position in the file.
    pub(crate) at: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Pending {
    fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.total += bytes.len() as u64;
    }

    /// Writes at a position before the end; what exceeds the end is appended.
    fn overwrite(&mut self, at: u64, bytes: &[u8]) {
        let begin = self.total - self.bytes.len() as u64;
        let (taken, bytes) = split(bytes, begin.saturating_sub(at));
        self.correct(at, taken);
        let from = usize::try_from((at + taken.len() as u64).saturating_sub(begin)).unwrap_or(usize::MAX);
        let waiting = self.bytes.get_mut(from..).unwrap_or_default();
        let (bytes, rest) = split(bytes, waiting.len() as u64);
        waiting.iter_mut().zip(bytes).for_each(|(old, new)| *old = *new);
        self.append(rest);
    }

    fn correct(&mut self, at: u64, bytes: &[u8]) {
        match self.corrections.last_mut() {
            Some(last) if last.at + last.bytes.len() as u64 == at => last.bytes.extend_from_slice(bytes),
            _ if bytes.is_empty() => {}
            _ => self.corrections.push(Correction { at, bytes: bytes.to_vec() }),
        }
    }
}

/// Splits after at most `most` bytes.
fn split(bytes: &[u8], most: u64) -> (&[u8], &[u8]) {
    bytes.split_at(usize::try_from(most).map_or(bytes.len(), |most| most.min(bytes.len())))
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

    /// Replaces bytes that were written before.
    pub(crate) fn overwrite(&self, at: u64, bytes: &[u8]) {
        self.pending().overwrite(at, bytes);
    }

    /// Takes the corrections of bytes that were taken before. They are valid once the waiting bytes are on the disk.
    pub(crate) fn take_corrections(&self) -> Vec<Correction> {
        std::mem::take(&mut self.pending().corrections)
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
        match pending.back_at {
            None => pending.append(bytes),
            Some(at) => {
                pending.overwrite(at, bytes);
                pending.back_at = Some(at + bytes.len() as u64);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Output {
    /// Goes back within what was written, and to the end again.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut pending = self.pending();
        let now = pending.back_at.unwrap_or(pending.total);
        let to = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => pending.total.checked_add_signed(by),
            SeekFrom::Current(by) => now.checked_add_signed(by),
        };
        let at = to.filter(|at| *at <= pending.total).ok_or(io::ErrorKind::InvalidInput)?;
        pending.back_at = (at < pending.total).then_some(at);
        Ok(at)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_replaced_where_they_are_waiting_or_on_the_disk() {
        let (mut output, mut batch) = (Output::default(), Vec::new());
        output.write_all(b"0123").unwrap();
        output.take_into(&mut batch);
        output.write_all(b"4567").unwrap();
        output.seek(SeekFrom::Start(1)).unwrap();
        output.write_all(b"ab").unwrap();
        output.write_all(b"cde").unwrap();
        assert_eq!(output.stream_position().unwrap(), 6);
        output.seek(SeekFrom::End(0)).unwrap();
        output.write_all(b"8").unwrap();
        assert_eq!((output.bytes(), output.total()), (b"de678".to_vec(), 9));
        assert_eq!(output.take_corrections(), [Correction { at: 1, bytes: b"abc".to_vec() }]);
        assert_eq!(output.take_corrections(), []);
        output.overwrite(8, b"xyz");
        assert_eq!((output.bytes(), output.total()), (b"de67xyz".to_vec(), 11));
        assert!(output.seek(SeekFrom::Start(12)).is_err() && output.seek(SeekFrom::Current(-12)).is_err());
    }
}

//! The records of an MCAP file, from the front: of the file and of its chunks alike.
//!
//! Layout as in the [specification](https://mcap.dev/spec): eight bytes of magic, then records of an opcode, a length of
//! eight bytes, little-endian, and the content. A chunk has records in its content.

use std::fs::File;
use std::io;
use std::io::{BufReader, Read};
use std::path::Path;

use mcap::records::{Record, op};

use super::error::RecordingError;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
/// Opcode and length of a record.
const HEAD: usize = 9;
/// Largest record: more than any chunk of a recording, so that a damaged length does not take all memory.
const LARGEST: u64 = 1 << 30;

/// Why reading ended before the end of the file. Everything before it is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// Position in the file, bytes.
    pub(super) at: u64,
    pub(super) why: String,
}

/// Receives the records: opcode, content, and the position of the content in the file.
pub(super) type Take<'a> = &'a mut dyn FnMut(u8, &[u8], u64);

/// Passes every record outside of chunks and inside of them to `take`, in order.
///
/// # Errors
/// Returns an error if the file cannot be read or is not MCAP. A damaged or incomplete file is no error.
pub(super) fn read(path: &Path, file: &File, take: Take<'_>) -> Result<Option<Damage>, RecordingError> {
    let unreadable = |source| RecordingError::Unreadable { path: path.to_owned(), source };
    let length = file.metadata().map_err(unreadable)?.len();
    let mut source = BufReader::with_capacity(1 << 18, file);
    let mut magic = Vec::new();
    source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(unreadable)?;
    if magic != MAGIC {
        return Err(RecordingError::NotMcap { path: path.to_owned(), found: shown(&magic) });
    }
    let mut at = MAGIC.len() as u64;
    let mut content = Vec::new();
    loop {
        // The magic at the end of the file is no record.
        if length.saturating_sub(at) <= MAGIC.len() as u64 {
            return Ok(None);
        }
        let damage = |why: String| Ok(Some(Damage { at, why }));
        let mut head = [0; HEAD];
        if let Err(error) = source.read_exact(&mut head) {
            return if is_end(&error) { damage("it ends here".to_owned()) } else { Err(unreadable(error)) };
        }
        let (opcode, size) = parse_head(head);
        if size > LARGEST {
            return damage(format!("a record of {size} bytes begins here, more than {LARGEST}"));
        }
        if size > length.saturating_sub(at + HEAD as u64) {
            return damage(format!("a record of {size} bytes begins here, more than the file has left"));
        }
        content.clear();
        source.by_ref().take(size).read_to_end(&mut content).map_err(unreadable)?;
        let begin = at + HEAD as u64;
        match opcode {
            op::CHUNK => {
                if let Some(why) = read_chunk(&content, begin, take) {
                    return damage(why);
                }
            }
            op::DATA_END => return Ok(None),
            _ => take(opcode, &content, begin),
        }
        at = begin + size;
    }
}

/// Passes the records of a chunk to `take`; returns why it cannot be read.
fn read_chunk(content: &[u8], begin: u64, take: Take<'_>) -> Option<String> {
    let (header, records) = match mcap::parse_record(op::CHUNK, content) {
        Ok(Record::Chunk { header, data }) => (header, data),
        Ok(_) => return Some("its chunk is none".to_owned()),
        Err(error) => return Some(error.to_string()),
    };
    if !header.compression.is_empty() {
        return Some(format!(
            "this chunk is compressed with {}, as recordings of bridgehead are not; `mcap compress --compression none` \
             writes the file without",
            header.compression
        ));
    }
    // The records are the last member of a chunk.
    let mut at = begin + (content.len() - records.len()) as u64;
    let mut rest = &*records;
    while !rest.is_empty() {
        let Some((head, after)) = rest.split_first_chunk::<HEAD>() else {
            return Some("a record of its chunk is incomplete".to_owned());
        };
        let (opcode, size) = parse_head(*head);
        let Some((content, after)) = usize::try_from(size).ok().and_then(|size| after.split_at_checked(size))
        else {
            return Some("a record exceeds its chunk".to_owned());
        };
        at += HEAD as u64;
        take(opcode, content, at);
        at += size;
        rest = after;
    }
    None
}

fn parse_head(head: [u8; HEAD]) -> (u8, u64) {
    let [opcode, size @ ..] = head;
    (opcode, u64::from_le_bytes(size))
}

fn is_end(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}

/// Returns the first bytes of a file for an error.
fn shown(bytes: &[u8]) -> String {
    if bytes.is_empty() { "nothing: it is empty".to_owned() } else { format!("`{}`", bytes.escape_ascii()) }
}

//! Frames of the protocol: an operation of one byte, then fields, each with its length as `u32` in little endian.
//!
//! Written by the transmit loop, read by the receive loop. Nothing is allocated for a length before the bytes arrive.

use std::io::{self, Read};

/// Descriptors of a type.
const REGISTER: u8 = 1;
/// The bridge receives this channel.
pub(crate) const ADD_READER: u8 = 2;
/// The bridge sends this channel.
pub(crate) const ADD_WRITER: u8 = 3;
/// A message, in either direction.
pub(crate) const PUBLISH: u8 = 4;

/// Longest channel of a frame of the peer, in bytes.
const MAX_CHANNEL: u32 = 1024;
/// Longest message of a frame of the peer, in bytes.
const MAX_MESSAGE: u32 = 64 << 20;
/// Memory that is reserved before the first byte of a message arrives.
const FIRST_RESERVE: usize = 64 << 10;

/// Appends a frame of two fields; nothing if one of them is too long.
pub(crate) fn put(operation: u8, first: &[u8], second: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    let start = out.len();
    out.push(operation);
    let done = put_field(first, out).and_then(|()| put_field(second, out));
    done.inspect_err(|_| out.truncate(start))
}

/// Appends a frame that registers descriptors: their number, then a field for each.
pub(crate) fn put_descriptors(files: &[Vec<u8>], out: &mut Vec<u8>) -> Result<(), &'static str> {
    let start = out.len();
    out.push(REGISTER);
    out.extend_from_slice(&length_of(files.len())?.to_le_bytes());
    let done = files.iter().try_for_each(|file| put_field(file, out));
    done.inspect_err(|_| out.truncate(start))
}

fn put_field(field: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    out.extend_from_slice(&length_of(field.len())?.to_le_bytes());
    out.extend_from_slice(field);
    Ok(())
}

fn length_of(length: usize) -> Result<u32, &'static str> {
    u32::try_from(length).map_err(|_| "it is longer than a frame can be")
}

/// What was read from the peer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A message of a channel that the bridge takes.
    Publish { channel: String, message: Vec<u8> },
    /// A message of another channel.
    Skipped,
    /// The stream has ended, between two frames or within one.
    End,
}

/// Why the bytes that follow in the stream have no meaning.
#[derive(Debug)]
pub(crate) enum FrameError {
    Operation(u8),
    Length { what: &'static str, found: u32, allowed: u32 },
    Io(io::Error),
}

impl std::fmt::Display for FrameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Operation(found) => write!(
                f,
                "the peer sent operation {found}, but the bridge of CyberRT sends only {PUBLISH} (publish); \
                 check that the port is that of the bridge"
            ),
            Self::Length { what, found, allowed } => {
                write!(f, "the peer announced a {what} of {found} bytes; at most {allowed} are allowed")
            }
            Self::Io(error) => write!(f, "reading from the peer failed: {error}"),
        }
    }
}

impl From<io::Error> for FrameError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads the next frame. The message of a channel that is not wanted is read without being kept.
pub(crate) fn read(source: &mut impl Read, is_wanted: impl Fn(&str) -> bool) -> Result<Frame, FrameError> {
    let Some([operation]) = array(source)? else { return Ok(Frame::End) };
    if operation != PUBLISH {
        return Err(FrameError::Operation(operation));
    }
    let Some(length) = length(source, "channel", MAX_CHANNEL)? else { return Ok(Frame::End) };
    let Some(channel) = bytes(source, length)? else { return Ok(Frame::End) };
    let Some(length) = self::length(source, "message", MAX_MESSAGE)? else { return Ok(Frame::End) };
    match String::from_utf8(channel).ok().filter(|channel| is_wanted(channel)) {
        Some(channel) => {
            Ok(bytes(source, length)?.map_or(Frame::End, |message| Frame::Publish { channel, message }))
        }
        None => {
            let skipped = io::copy(&mut source.take(length.into()), &mut io::sink())?;
            Ok(if skipped == u64::from(length) { Frame::Skipped } else { Frame::End })
        }
    }
}

/// Returns a length of the stream if it is allowed; `None` at its end.
fn length(source: &mut impl Read, what: &'static str, allowed: u32) -> Result<Option<u32>, FrameError> {
    match array(source)?.map(u32::from_le_bytes) {
        Some(found) if found > allowed => Err(FrameError::Length { what, found, allowed }),
        found => Ok(found),
    }
}

fn array<const N: usize>(source: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut array = [0; N];
    match source.read_exact(&mut array) {
        Ok(()) => Ok(Some(array)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn bytes(source: &mut impl Read, length: u32) -> io::Result<Option<Vec<u8>>> {
    let wanted = usize::try_from(length).unwrap_or(usize::MAX);
    let mut bytes = Vec::with_capacity(wanted.min(FIRST_RESERVE));
    source.take(length.into()).read_to_end(&mut bytes)?;
    Ok((bytes.len() == wanted).then_some(bytes))
}

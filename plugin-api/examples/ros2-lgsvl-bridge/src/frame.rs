//! Frames of the protocol: an operation of one byte, then two fields, each with its length as `u32` in little endian.
//!
//! Written by the transmit loop, read by the receive loop. Nothing is allocated for a length before the bytes arrive.

use std::io::{self, Read};

/// The bridge receives this topic.
pub(crate) const ADD_SUBSCRIBER: u8 = 1;
/// The bridge sends this topic.
pub(crate) const ADD_PUBLISHER: u8 = 2;
/// A message, in either direction.
pub(crate) const PUBLISH: u8 = 3;

/// Longest topic of a frame of the peer, in bytes.
const MAX_TOPIC: u32 = 1024;
/// Longest message of a frame of the peer, in bytes.
const MAX_MESSAGE: u32 = 64 << 20;
/// Memory that is reserved before the first byte of a message arrives.
const FIRST_RESERVE: usize = 64 << 10;

/// Appends a frame.
pub(crate) fn put(operation: u8, first: &[u8], second: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    let length = |field: &[u8]| u32::try_from(field.len()).map_err(|_| "it is longer than a frame can be");
    let (first_length, second_length) = (length(first)?, length(second)?);
    out.push(operation);
    out.extend_from_slice(&first_length.to_le_bytes());
    out.extend_from_slice(first);
    out.extend_from_slice(&second_length.to_le_bytes());
    out.extend_from_slice(second);
    Ok(())
}

/// What was read from the peer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A message of a topic that the bridge takes.
    Publish { topic: String, message: Vec<u8> },
    /// A message of another topic.
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
                "the peer sent operation {found}, but ros2-lgsvl-bridge sends only {PUBLISH} (publish); \
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

/// Reads the next frame. The message of a topic that is not wanted is read without being kept.
pub(crate) fn read(source: &mut impl Read, is_wanted: impl Fn(&str) -> bool) -> Result<Frame, FrameError> {
    let Some([operation]) = array(source)? else { return Ok(Frame::End) };
    if operation != PUBLISH {
        return Err(FrameError::Operation(operation));
    }
    let Some(length) = length(source, "topic", MAX_TOPIC)? else { return Ok(Frame::End) };
    let Some(topic) = bytes(source, length)? else { return Ok(Frame::End) };
    let Some(length) = self::length(source, "message", MAX_MESSAGE)? else { return Ok(Frame::End) };
    match String::from_utf8(topic).ok().filter(|topic| is_wanted(topic)) {
        Some(topic) => {
            Ok(bytes(source, length)?.map_or(Frame::End, |message| Frame::Publish { topic, message }))
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

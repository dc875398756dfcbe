//! The connection of an autopilot: bytes in both directions, without waiting for it.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write as _};
use std::net::{SocketAddr, TcpStream};

use mavlink_core::error::MessageReadError;
use mavlink_core::{MAVLinkMessageRaw, MavlinkReader};

use crate::message::{Message, Messages, Sender, frame};

/// Bytes that one look at the connection takes, so that a flood does not keep the loop.
const MOST: usize = 4096;
/// Bytes that may wait for an autopilot that does not read: more than half a second of samples.
const WAITING: usize = 64 << 10;
/// Bytes of the longest frame: as many may wait for the rest of theirs.
const FRAME: u64 = 300;

/// Bytes that were received, for the reader of frames.
#[derive(Default)]
struct Received(VecDeque<u8>);

impl Read for Received {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Without bytes the reader keeps what it has of a frame.
        if self.0.is_empty() { Err(ErrorKind::WouldBlock.into()) } else { self.0.read(out) }
    }
}

/// Frames in a stream of bytes.
pub(crate) struct Frames {
    reader: MavlinkReader<Received>,
    /// Bytes that were received, and those of them that were messages.
    received: u64,
    understood: u64,
}

impl Frames {
    pub(crate) fn new() -> Self {
        Frames { reader: MavlinkReader::new(Received::default()), received: 0, understood: 0 }
    }

    /// Adds bytes that were received.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.received += bytes.len() as u64;
        self.reader.get_mut().0.extend(bytes);
    }

    /// Returns the next message, of MAVLink 1 or 2. What is none is left out.
    pub(crate) fn next(&mut self) -> Option<Message> {
        loop {
            let raw = match self.reader.read_any_raw_message_with_dialect(&Messages) {
                Ok(raw) => raw,
                Err(MessageReadError::Io(_)) => return None,
                Err(MessageReadError::Parse(_)) => continue,
            };
            let bytes = match &raw {
                MAVLinkMessageRaw::V1(raw) => raw.raw_bytes(),
                MAVLinkMessageRaw::V2(raw) => raw.raw_bytes(),
            };
            self.understood += bytes.len() as u64;
            if let Some(message) = Message::read(raw.message_id(), raw.payload()) {
                return Some(message);
            }
        }
    }

    /// Returns the number of bytes that were no messages; 0 if they may be the beginning of one.
    pub(crate) fn strange(&self) -> u64 {
        let strange = self.received - self.understood;
        if strange > FRAME { strange } else { 0 }
    }
}

/// An autopilot that is connected.
pub(crate) struct Link {
    stream: TcpStream,
    address: SocketAddr,
    frames: Frames,
    outbox: VecDeque<u8>,
    sequence: u8,
}

impl Link {
    /// # Errors
    /// Returns an error if the connection has ended already.
    pub(crate) fn new(stream: TcpStream, address: SocketAddr) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Link { stream, address, frames: Frames::new(), outbox: VecDeque::new(), sequence: 0 })
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns true if the peer has not read what was sent.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Returns true if so much waits for the peer that nothing more should be sent.
    pub(crate) fn is_full(&self) -> bool {
        self.outbox.len() > WAITING
    }

    /// Sends messages, or as much of them as the connection takes now.
    ///
    /// # Errors
    /// Returns an error if the connection has ended.
    pub(crate) fn send(&mut self, sender: Sender, messages: &[Message]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for message in messages {
            frame(&mut bytes, sender, self.sequence, message);
            self.sequence = self.sequence.wrapping_add(1);
        }
        self.outbox.extend(bytes);
        self.flush()
    }

    /// Sends more of what waits.
    ///
    /// # Errors
    /// Returns an error if the connection has ended.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        while !self.outbox.is_empty() {
            match self.stream.write(self.outbox.as_slices().0) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(sent) => drop(self.outbox.drain(..sent)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns the next message of those that were received.
    pub(crate) fn next(&mut self) -> Option<Message> {
        self.frames.next()
    }

    /// Takes what has arrived.
    ///
    /// # Errors
    /// Returns an error if the connection has ended.
    pub(crate) fn receive(&mut self) -> io::Result<()> {
        let mut bytes = [0; MOST];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(len) => {
                self.frames.push(bytes.get(..len).unwrap_or_default());
                Ok(())
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Returns the number of bytes that were no messages.
    pub(crate) fn strange(&self) -> u64 {
        self.frames.strange()
    }
}

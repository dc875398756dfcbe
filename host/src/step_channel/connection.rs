//! One connection: bytes that have come and not been used, and bytes that wait to be sent. Nothing here blocks.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use super::error::Refusal;
use super::wire::{GREETING, HEADER, Kind, check_greeting, header, put_error, put_greeting};

/// How much is read at once at first.
const CHUNK: usize = 64 << 10;

/// The other side has closed the connection, or it broke.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Closed;

/// A connection to a client.
pub(super) struct Connection {
    stream: UnixStream,
    received: Vec<u8>,
    /// Bytes of `received` that have come.
    filled: usize,
    /// Bytes of `received` that were used.
    used: usize,
    outgoing: Vec<u8>,
    /// Bytes of `outgoing` that were sent.
    sent: usize,
}

impl Connection {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Connection { stream, received: vec![0; CHUNK], filled: 0, used: 0, outgoing: Vec::new(), sent: 0 })
    }

    /// Reads what has come.
    pub(super) fn receive(&mut self) -> Result<(), Closed> {
        loop {
            self.make_room();
            let Some(room) = self.received.get_mut(self.filled..).filter(|room| !room.is_empty()) else {
                return Ok(());
            };
            match self.stream.read(room) {
                Ok(0) => return Err(Closed),
                Ok(count) => {
                    let is_all = count < room.len();
                    self.filled += count;
                    if is_all {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Closed),
            }
        }
    }

    /// Makes room for the frame that comes, but not for more than its header announces.
    fn make_room(&mut self) {
        if self.used == self.filled {
            (self.used, self.filled) = (0, 0);
        }
        let announced = self.bytes(0).and_then(|bytes| header(bytes).ok()).map_or(0, |(_, body)| body);
        let wanted = HEADER + announced;
        if self.used > 0 && self.used + wanted > self.received.len() {
            self.received.copy_within(self.used..self.filled, 0);
            self.filled -= self.used;
            self.used = 0;
        }
        // Grows with what has come, so that a length alone costs no memory.
        if wanted > self.received.len() && self.filled == self.received.len() {
            self.received.resize(wanted.min(2 * self.received.len()), 0);
        }
    }

    /// Returns the bytes after `skipped` unused ones, if so many have come.
    fn bytes<const N: usize>(&self, skipped: usize) -> Option<&[u8; N]> {
        self.received.get(self.used + skipped..self.filled)?.first_chunk()
    }

    /// Takes the greeting; `None` until it is complete.
    pub(super) fn greeting(&mut self) -> Option<Result<(), Refusal>> {
        let checked = check_greeting(self.bytes::<GREETING>(0)?);
        self.used += GREETING;
        Some(checked)
    }

    /// Returns kind and body of the next frame; `None` until it is complete. It stays until [`Self::consume`].
    pub(super) fn frame(&self) -> Option<Result<(Kind, &[u8]), Refusal>> {
        let (kind, length) = match header(self.bytes::<HEADER>(0)?) {
            Ok(found) => found,
            Err(refusal) => return Some(Err(refusal)),
        };
        let begin = self.used + HEADER;
        let body = self.received.get(begin..begin + length).filter(|_| begin + length <= self.filled)?;
        Some(Ok((kind, body)))
    }

    /// Drops a frame with a body of this length.
    pub(super) fn consume(&mut self, length: usize) {
        self.used = (self.used + HEADER + length).min(self.filled);
    }

    /// Returns the bytes that will be sent, to append to them.
    pub(super) fn outgoing(&mut self) -> &mut Vec<u8> {
        &mut self.outgoing
    }

    /// Sends as much as the other side takes.
    pub(super) fn send(&mut self) -> Result<(), Closed> {
        while let Some(rest) = self.outgoing.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match self.stream.write(rest) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Closed),
            }
        }
        self.outgoing.clear();
        self.sent = 0;
        Ok(())
    }

    /// Returns true if bytes wait to be sent.
    pub(super) fn is_sending(&self) -> bool {
        !self.outgoing.is_empty()
    }

    /// Sends a refusal in place of the greeting, as far as it can be sent at once.
    pub(super) fn refuse(&mut self, refusal: &Refusal) {
        put_greeting(&mut self.outgoing, &refusal.to_string());
        drop(self.send());
    }

    /// Sends an error, as far as it can be sent at once.
    pub(super) fn fail(&mut self, refusal: &Refusal) {
        put_error(&mut self.outgoing, refusal);
        drop(self.send());
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step_channel::wire::MAX_BODY;

    fn pair() -> (UnixStream, Connection) {
        let (client, host) = UnixStream::pair().expect("two sockets");
        (client, Connection::new(host).expect("a connection"))
    }

    fn frame(kind: u32, body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(body.len()).expect("a short body");
        [&length.to_le_bytes()[..], &kind.to_le_bytes()[..], body].concat()
    }

    #[test]
    fn frames_come_in_any_pieces() {
        let (mut client, mut connection) = pair();
        let bytes = [frame(4, b"start"), frame(3, b"")].concat();
        for (index, byte) in bytes.iter().enumerate() {
            assert!(connection.frame().is_none(), "after {index} bytes");
            client.write_all(&[*byte]).expect("a byte is sent");
            connection.receive().expect("it is open");
            if index == 12 {
                let (kind, body) = connection.frame().expect("complete").expect("valid");
                assert_eq!((kind, body), (Kind::Save, &b"start"[..]));
                connection.consume(5);
            }
        }
        let (kind, body) = connection.frame().expect("complete").expect("valid");
        assert_eq!((kind, body), (Kind::Reset, &b""[..]));
        connection.consume(0);
        assert!(connection.frame().is_none());
        drop(client);
        assert_eq!(connection.receive(), Err(Closed));
    }

    #[test]
    fn a_large_frame_arrives_and_a_length_alone_costs_no_memory() {
        let (mut client, mut connection) = pair();
        let body = vec![b'x'; 1 << 20];
        let sender = std::thread::scope(|scope| {
            let bytes = frame(1, &body);
            let sending = scope.spawn(move || {
                client.write_all(&bytes).expect("it is read");
                client
            });
            while connection.frame().is_none() {
                connection.receive().expect("it is open");
            }
            sending.join().expect("sent")
        });
        assert_eq!(connection.frame().expect("complete").expect("valid").1.len(), body.len());
        let (mut other, mut announced) = pair();
        let longest = u32::try_from(MAX_BODY).expect("a length");
        other.write_all(&[longest.to_le_bytes(), 1_u32.to_le_bytes()].concat()).expect("a header");
        announced.receive().expect("it is open");
        assert!(announced.frame().is_none());
        assert_eq!(announced.received.len(), CHUNK);
        drop(sender);
    }

    #[test]
    fn a_client_that_does_not_read_is_waited_for_without_blocking() {
        let (mut client, mut connection) = pair();
        connection.outgoing().resize(8 << 20, 7);
        connection.send().expect("it is open");
        assert!(connection.is_sending());
        let mut total = 0;
        let mut bytes = vec![0; 1 << 20];
        while total < 8 << 20 {
            total += client.read(&mut bytes).expect("bytes");
            connection.send().expect("it is open");
        }
        assert!(!connection.is_sending());
    }
}

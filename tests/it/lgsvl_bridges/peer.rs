//! A peer of a bridge of LGSVL: frames of one byte for the operation, then two fields with their lengths in front.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use crate::support::eventually;

/// How long the host may send nothing at all.
const SILENCE: Duration = Duration::from_secs(60);

/// How many other frames may arrive before the expected one; there are some ten per second.
pub(super) const MAX_OTHERS: usize = 2000;

/// Waits for connections of the bridge.
pub(super) struct Peer {
    listener: TcpListener,
    /// The operation that has any number of fields, which are descriptors.
    register: Option<u8>,
}

impl Peer {
    pub(super) fn new(register: Option<u8>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).expect("a listener that does not wait");
        Peer { listener, register }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("an address")
    }

    /// Waits for the next connection.
    pub(super) fn accept(&self) -> Link {
        let mut accepted = None;
        eventually("the bridge connects", || {
            accepted = self.listener.accept().ok();
            accepted.is_some()
        });
        let (stream, _) = accepted.expect("a connection");
        stream.set_nonblocking(false).expect("a stream that waits");
        stream.set_read_timeout(Some(SILENCE)).expect("a deadline");
        Link { stream: BufReader::new(stream), register: self.register, descriptors: Vec::new() }
    }
}

/// One connection.
pub(super) struct Link {
    stream: BufReader<TcpStream>,
    register: Option<u8>,
    /// Those that came last.
    pub(super) descriptors: Vec<Vec<u8>>,
}

impl Link {
    fn read(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).expect("bytes of the bridge before the deadline");
        bytes
    }

    fn number(&mut self) -> u32 {
        u32::from_le_bytes(self.read(4).try_into().expect("four bytes"))
    }

    /// Reads a length and as many bytes.
    fn field(&mut self) -> Vec<u8> {
        let length = self.number();
        self.read(usize::try_from(length).expect("a length"))
    }

    /// Reads the next frame of two fields.
    pub(super) fn frame(&mut self) -> (u8, String, Vec<u8>) {
        let operation = self.read(1)[0];
        if Some(operation) == self.register {
            self.descriptors = (0..self.number()).map(|_| self.field()).collect();
            return self.frame();
        }
        let first = String::from_utf8(self.field()).expect("topics are UTF-8");
        (operation, first, self.field())
    }

    /// Returns the next message of a topic.
    pub(super) fn message(&mut self, operation: u8, topic: &str) -> Vec<u8> {
        self.message_that(operation, topic, |_| true)
    }

    /// Returns the next message of a topic that is as expected.
    pub(super) fn message_that(
        &mut self,
        operation: u8,
        topic: &str,
        is_expected: impl Fn(&[u8]) -> bool,
    ) -> Vec<u8> {
        for _ in 0..MAX_OTHERS {
            let frame = self.frame();
            if frame.0 == operation && frame.1 == topic && is_expected(&frame.2) {
                return frame.2;
            }
        }
        panic!("no such message on {topic}");
    }

    pub(super) fn send(&mut self, operation: u8, first: &str, second: &[u8]) {
        let length = |field: &[u8]| u32::try_from(field.len()).expect("a short field").to_le_bytes();
        let parts = [&[operation], &length(first.as_bytes())[..], first.as_bytes(), &length(second), second];
        self.send_bytes(&parts.concat());
    }

    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).expect("the bytes are sent");
    }
}

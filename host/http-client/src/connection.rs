//! Reads with a time limit, which go on after the program was suspended and continued: Linux then interrupts them (signal(7)),
//! and the standard library reports an error.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs, UdpSocket};
use std::ops::Deref;
use std::time::Duration;

/// A TCP connection with a time limit for each read.
#[derive(Debug)]
pub struct Connection(TcpStream);

impl Connection {
    /// Connects. `limit` is that of each read.
    ///
    /// # Errors
    /// Returns an error if nobody listens there.
    pub fn connect(address: impl ToSocketAddrs, limit: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(limit))?;
        Ok(Connection(stream))
    }
}

impl Deref for Connection {
    type Target = TcpStream;

    fn deref(&self) -> &TcpStream {
        &self.0
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        uninterrupted(|| self.0.read(buffer))
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        uninterrupted(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Receives a datagram; returns its length and its sender.
///
/// # Errors
/// Returns an error if none comes within the time limit of the socket.
pub fn receive_from(socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
    uninterrupted(|| socket.recv_from(buffer))
}

fn uninterrupted<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match operation() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_interrupted_operation_is_repeated() {
        let mut outcomes = [Err(ErrorKind::Interrupted), Err(ErrorKind::Interrupted), Ok(3)].into_iter();
        let outcome = uninterrupted(|| outcomes.next().expect("no further attempt").map_err(io::Error::from));
        assert_eq!(outcome.expect("the third attempt succeeds"), 3);
        let outcome = uninterrupted(|| Err::<(), _>(ErrorKind::WouldBlock.into()));
        assert_eq!(outcome.map_err(|error| error.kind()), Err(ErrorKind::WouldBlock));
    }
}

//! The events of a socket, which the library sends to another socket within the process.
//!
//! A monitored socket must not outlive its monitor, or the library's own thread would block on the reader; so a monitor
//! lasts until the library reports that the socket is closed.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU64, Ordering};

use zmq::{Context, DONTWAIT, Socket, SocketEvent};

/// Monitored events.
const EVENTS: [SocketEvent; 4] = [
    SocketEvent::ACCEPTED,
    SocketEvent::HANDSHAKE_SUCCEEDED,
    SocketEvent::DISCONNECTED,
    SocketEvent::MONITOR_STOPPED,
];

/// What happened to a socket. Connections are file descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A peer has connected.
    Accepted(RawFd),
    /// A peer speaks ZeroMQ.
    HandshakeSucceeded,
    /// A connection has ended.
    Disconnected(RawFd),
    /// The socket is closed: no event follows.
    Closed,
}

/// Receives the events of a socket.
pub struct Monitor(Socket);

impl Monitor {
    /// Monitors a socket.
    ///
    /// # Errors
    /// Returns an error if the library makes no further socket.
    pub fn start(context: &Context, socket: &Socket) -> zmq::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let endpoint = format!("inproc://bridgehead-monitor-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let events = context.socket(zmq::PAIR)?;
        events.set_linger(0)?;
        // Without a limit: at a limit the library would block.
        events.set_rcvhwm(0)?;
        let mask = EVENTS.iter().fold(0, |events, event| events | i32::from(event.to_raw()));
        socket.monitor(&endpoint, mask)?;
        events.connect(&endpoint)?;
        Ok(Monitor(events))
    }

    /// Returns the socket that has the events, to wait for.
    #[must_use]
    pub fn socket(&self) -> &Socket {
        &self.0
    }

    /// Returns the next event that has happened.
    #[must_use]
    pub fn next(&self) -> Option<Event> {
        while let Ok(parts) = self.0.recv_multipart(DONTWAIT) {
            let Some((event, connection)) = parts.first().and_then(|part| parse(part)) else { continue };
            match EVENTS.into_iter().find(|known| known.to_raw() == event) {
                Some(SocketEvent::ACCEPTED) => return Some(Event::Accepted(connection)),
                Some(SocketEvent::HANDSHAKE_SUCCEEDED) => return Some(Event::HandshakeSucceeded),
                Some(SocketEvent::DISCONNECTED) => return Some(Event::Disconnected(connection)),
                Some(SocketEvent::MONITOR_STOPPED) => return Some(Event::Closed),
                _ => {}
            }
        }
        None
    }
}

/// Parses a message of the library: the event and the file descriptor of the connection.
fn parse(part: &[u8]) -> Option<(u16, RawFd)> {
    let (event, rest) = part.split_first_chunk()?;
    Some((u16::from_ne_bytes(*event), RawFd::from_ne_bytes(*rest.first_chunk()?)))
}

//! A limit on the peers of the socket that takes requests.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bridgehead_zeromq::{Connections, Event, Monitor, limits};
use zmq::{Context, Socket};

use crate::codes::LIMIT;
use crate::wall_clock::{self, Limiter};

/// Longest wait for the end of a socket.
const CLOSING: Duration = Duration::from_secs(2);

/// The connections to a socket.
pub(super) struct Guard {
    monitor: Monitor,
    connections: Connections,
    port: u16,
    limited: Limiter,
}

impl Guard {
    /// Guards a socket that is bound to this address.
    pub(super) fn start(context: &Context, socket: &Socket, address: &str) -> zmq::Result<Self> {
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        Ok(Guard {
            monitor: Monitor::start(context, socket)?,
            connections: Connections::default(),
            port: port.unwrap_or_default(),
            limited: Limiter::default(),
        })
    }

    /// The socket that becomes readable with each connection.
    pub(super) fn socket(&self) -> &Socket {
        self.monitor.socket()
    }

    /// Notes who has come and gone, and disconnects who does more than a peer does.
    pub(super) fn look(&mut self, now: Instant) {
        while let Some(event) = self.monitor.next() {
            match event {
                Event::Accepted(connection) => {
                    if self.connections.count() >= limits::CONNECTIONS {
                        self.end(connection, "a peer made one connection too many");
                    }
                    self.connections.insert(connection, now);
                }
                Event::Disconnected(connection) => self.connections.remove(connection),
                Event::HandshakeSucceeded | Event::Closed => {}
            }
        }
    }

    fn end(&self, connection: std::os::fd::RawFd, what: &str) {
        limits::end(connection, self.port);
        self.limited.warn(&format!("[{LIMIT}] port {}: {what}, and was disconnected", self.port));
    }

    /// Waits until the socket is closed: the library's own thread blocks on events that nobody takes.
    pub(super) fn outlast(self) {
        let deadline = wall_clock::now() + CLOSING;
        while wall_clock::now() < deadline {
            match self.monitor.next() {
                Some(Event::Closed) => return,
                Some(_) => {}
                None => sleep(Duration::from_millis(1)),
            }
        }
    }
}

//! Limits on the peers of the sockets that listen.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bridgehead_zeromq::{Connections, Event, Monitor, limits};
use zmq::{Context, Socket};

use crate::codes::LIMIT;
use crate::wall_clock::{self, Limiter};

/// Connections to one socket: more than a run has peers. The library searches the subscriptions of all when one leaves.
const CONNECTIONS: usize = 64;
/// Bytes that a subscriber may send at once: 160 subscriptions with names of 100 bytes.
const SUBSCRIBER_BYTES: u64 = 16 << 10;
/// Period of looking at what subscribers have sent.
const LOOK: Duration = Duration::from_millis(100);
/// Longest wait for the end of a socket.
const CLOSING: Duration = Duration::from_secs(2);

/// The connections to a socket.
pub(super) struct Guard {
    monitor: Monitor,
    connections: Connections,
    port: u16,
    /// True if peers send subscriptions only, of which a few suffice.
    is_of_subscribers: bool,
    next_look: Instant,
    limited: Limiter,
}

impl Guard {
    /// Guards a socket that is bound to this address.
    pub(super) fn start(
        context: &Context,
        socket: &Socket,
        address: &str,
        is_of_subscribers: bool,
    ) -> zmq::Result<Self> {
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        Ok(Guard {
            monitor: Monitor::start(context, socket)?,
            connections: Connections::default(),
            port: port.unwrap_or_default(),
            is_of_subscribers,
            next_look: wall_clock::now(),
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
                    if self.connections.count() >= CONNECTIONS {
                        self.end(connection, "a peer made one connection too many");
                    }
                    self.connections.insert(connection, now);
                }
                Event::Disconnected(connection) => self.connections.remove(connection),
                Event::HandshakeSucceeded | Event::Closed => {}
            }
        }
        if self.is_of_subscribers && now >= self.next_look {
            self.next_look = now + LOOK;
            for (connection, since) in self.connections.all() {
                let age = now.saturating_duration_since(since);
                if limits::has_sent_too_much(connection, age, SUBSCRIBER_BYTES) {
                    self.end(connection, "a subscriber sent more than a subscriber needs");
                }
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

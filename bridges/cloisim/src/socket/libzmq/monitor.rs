//! Monitors the connections to a port, to log peers that do not speak ZeroMQ, which the library does not report.

use std::cell::Cell;

use bridgehead_zeromq::{Connections, Event, Monitor, limits};
use zmq::{Context, Socket};

use super::log_limited;
use crate::repeat_counter::RepeatCounter;
use crate::socket::log_foreign_peer;
use crate::wall_clock;

/// Connection state of a port.
pub(super) struct ConnectionMonitor {
    events: Monitor,
    port: u16,
    connections: Connections,
    /// Connections that have not completed the ZeroMQ handshake.
    unknown: Cell<u64>,
    foreign_peers: RepeatCounter,
    /// How often a peer was disconnected because there are too many.
    limited: RepeatCounter,
}

impl ConnectionMonitor {
    /// Monitors a socket that is bound to a port.
    pub(super) fn start(context: &Context, socket: &Socket, port: u16) -> zmq::Result<Self> {
        Ok(ConnectionMonitor {
            events: Monitor::start(context, socket)?,
            port,
            connections: Connections::default(),
            unknown: Cell::new(0),
            foreign_peers: RepeatCounter::default(),
            limited: RepeatCounter::default(),
        })
    }

    /// Returns the socket that has the events, to wait for.
    pub(super) fn socket(&self) -> &Socket {
        self.events.socket()
    }

    /// Processes pending events. Returns false once the socket is closed.
    pub(super) fn process_events(&self) -> bool {
        while let Some(event) = self.events.next() {
            match event {
                Event::Accepted(connection) => {
                    if self.connections.count() >= limits::CONNECTIONS {
                        limits::end(connection, self.port);
                        log_limited(self.port, "a peer made one connection too many", &self.limited);
                    }
                    self.connections.insert(connection, wall_clock::now());
                    self.unknown.set(self.unknown.get().saturating_add(1));
                }
                Event::HandshakeSucceeded => self.unknown.set(self.unknown.get().saturating_sub(1)),
                Event::Disconnected(connection) => {
                    self.connections.remove(connection);
                    self.disconnected();
                }
                Event::Closed => return false,
            }
        }
        true
    }

    /// Returns the connections to the port.
    pub(super) fn connections(&self) -> Connections {
        self.connections.clone()
    }

    /// Handles a disconnect. The event does not say which connection ended; if one has not completed its handshake,
    /// it is taken to be that one.
    fn disconnected(&self) {
        let Some(rest) = self.unknown.get().checked_sub(1) else { return };
        self.unknown.set(rest);
        log_foreign_peer(self.port, &self.foreign_peers);
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
        let deadline = wall_clock::now() + Duration::from_secs(10);
        while !is_so() {
            assert!(wall_clock::now() < deadline, "{what}");
        }
    }

    #[test]
    fn foreign_peers_are_counted_and_the_closed_socket_is_noticed() {
        let context = Context::new();
        let socket = context.socket(zmq::XPUB).expect("a socket");
        socket.set_rcvtimeo(10_000).expect("an option");
        socket.bind("tcp://127.0.0.1:*").expect("a port");
        let endpoint = socket.get_last_endpoint().expect("an endpoint").expect("a text");
        let address = endpoint.strip_prefix("tcp://").expect("an address");
        let monitor = ConnectionMonitor::start(&context, &socket, 0).expect("a monitor");
        let peer = Context::new().socket(zmq::SUB).expect("a socket");
        peer.set_subscribe(b"").expect("an option");
        peer.connect(&endpoint).expect("a connection");
        socket.recv_bytes(0).expect("a subscription");
        drop(peer);
        drop(TcpStream::connect(address).expect("a connection"));
        wait_for("a foreign peer", || monitor.process_events() && monitor.foreign_peers.total() == 1);
        drop(socket);
        wait_for("the end", || !monitor.process_events());
        assert_eq!(monitor.foreign_peers.total(), 1, "a ZeroMQ peer that disconnects is not counted");
    }
}

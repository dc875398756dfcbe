//! Monitors the connections to a port, to log peers that do not speak ZeroMQ, which the library does not report.
//!
//! The library sends events of a socket to another socket within the process. A monitored socket must not outlive its
//! monitor, or the library's own thread would block on the reader; so a monitor lasts until the library reports that
//! the socket is closed.

use std::cell::Cell;
use std::os::fd::RawFd;

use zmq::{Context, DONTWAIT, Socket, SocketEvent};

use super::publisher::Connections;
use super::{limits, log_limited};
use crate::repeat_counter::RepeatCounter;
use crate::socket::log_foreign_peer;

/// Monitored events.
const EVENTS: [SocketEvent; 4] = [
    SocketEvent::ACCEPTED,
    SocketEvent::HANDSHAKE_SUCCEEDED,
    SocketEvent::DISCONNECTED,
    SocketEvent::MONITOR_STOPPED,
];

/// Connection state of a port.
pub(super) struct ConnectionMonitor {
    port: u16,
    connections: Connections,
    /// Connections that have not completed the ZeroMQ handshake.
    unknown: Cell<u64>,
    foreign_peers: RepeatCounter,
    /// How often a peer was disconnected because there are too many.
    limited: RepeatCounter,
}

impl ConnectionMonitor {
    /// Monitors a socket that is bound to a port. Returns the socket that receives its events.
    pub(super) fn start(context: &Context, socket: &Socket, port: u16) -> zmq::Result<(Socket, Self)> {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let endpoint = format!("inproc://bridgehead-cloisim-monitor-{id}");
        let events = context.socket(zmq::PAIR)?;
        events.set_linger(0)?;
        // Without a limit: at a limit the library would block.
        events.set_rcvhwm(0)?;
        let mask = EVENTS.iter().fold(0, |events, event| events | i32::from(event.to_raw()));
        socket.monitor(&endpoint, mask)?;
        events.connect(&endpoint)?;
        Ok((
            events,
            ConnectionMonitor {
                port,
                connections: Connections::default(),
                unknown: Cell::new(0),
                foreign_peers: RepeatCounter::default(),
                limited: RepeatCounter::default(),
            },
        ))
    }

    /// Processes pending events. Returns false once the socket is closed.
    pub(super) fn process_events(&self, events: &Socket) -> bool {
        while let Ok(parts) = events.recv_multipart(DONTWAIT) {
            let Some((event, connection)) = parts.first().and_then(|part| parse_event(part)) else {
                continue;
            };
            match EVENTS.into_iter().find(|known| known.to_raw() == event) {
                Some(SocketEvent::ACCEPTED) => {
                    if self.connections.count() >= limits::CONNECTIONS {
                        limits::end(connection, self.port);
                        log_limited(self.port, "a peer made one connection too many", &self.limited);
                    }
                    self.connections.insert(connection);
                    self.unknown.set(self.unknown.get().saturating_add(1));
                }
                Some(SocketEvent::HANDSHAKE_SUCCEEDED) => {
                    self.unknown.set(self.unknown.get().saturating_sub(1));
                }
                Some(SocketEvent::DISCONNECTED) => {
                    self.connections.remove(connection);
                    self.disconnected();
                }
                Some(SocketEvent::MONITOR_STOPPED) => return false,
                _ => {}
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

/// Parses a message of the library: the event and the file descriptor of the connection.
fn parse_event(part: &[u8]) -> Option<(u16, RawFd)> {
    let (event, rest) = part.split_first_chunk()?;
    Some((u16::from_ne_bytes(*event), RawFd::from_ne_bytes(*rest.first_chunk()?)))
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;
    use crate::wall_clock;

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
        let (events, monitor) = ConnectionMonitor::start(&context, &socket, 0).expect("a monitor");
        let peer = Context::new().socket(zmq::SUB).expect("a socket");
        peer.set_subscribe(b"").expect("an option");
        peer.connect(&endpoint).expect("a connection");
        socket.recv_bytes(0).expect("a subscription");
        drop(peer);
        drop(TcpStream::connect(address).expect("a connection"));
        wait_for("a foreign peer", || monitor.process_events(&events) && monitor.foreign_peers.total() == 1);
        drop(socket);
        wait_for("the end", || !monitor.process_events(&events));
        assert_eq!(monitor.foreign_peers.total(), 1, "a ZeroMQ peer that disconnects is not counted");
    }
}

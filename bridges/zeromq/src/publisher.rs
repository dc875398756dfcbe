//! A publisher: the PUB socket of ZeroMQ, for peers that no one knows.
//!
//! That of libzmq keeps the subscriptions of all peers in one tree and searches all of it whenever a peer leaves: peers that
//! subscribe to noise and leave keep its thread busy for minutes. It has no limit on its peers, and tells nobody who listens.
//! Here each peer has subscriptions of its own, which go with it; every amount has a limit; and the caller learns of each
//! subscription, so that it can send what a late subscriber lacks.
//!
//! Nothing blocks: the owner polls the descriptors together with whatever else it waits for, and calls
//! [`turn`](Publisher::turn).

mod peer;
mod subscriptions;
mod wire;

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::{AsRawFd as _, RawFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

pub use self::peer::Refusal;
use self::peer::{Bytes, Changes, End, Peer};

/// Peers that may be connected: more than a run has.
const MAX_PEERS: usize = 256;
/// Connections that are accepted in one turn.
const MAX_ACCEPTED: usize = 64;
/// A peer that is silent for so long is asked whether it lives, and how often.
const KEEPALIVE: Duration = Duration::from_secs(2);
const KEEPALIVE_COUNT: u32 = 3;
/// A peer that does not confirm what was sent to it for so long has gone.
const MAX_SILENCE: Duration = Duration::from_secs(8);

/// Identifies a peer: numbers are not used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerId(u64);

/// What peers have done in a turn.
#[derive(Debug, Default)]
pub struct Turn {
    /// Who receives names with which beginning from now on.
    pub subscribed: Vec<(PeerId, Vec<u8>)>,
    /// True if some topic may have got its first subscriber, or lost its last.
    pub is_changed: bool,
    /// Why peers were disconnected.
    pub refused: Vec<Refusal>,
}

/// A message of several frames, of which the body is the last but one.
#[derive(Debug)]
pub struct Message {
    topic: Vec<u8>,
    bytes: Arc<Bytes>,
}

impl Message {
    /// Makes a message. The first frame is the topic, by which peers receive it.
    #[must_use]
    pub fn new(topic: &[u8], second: &[u8], body: Vec<u8>, last: &[u8]) -> Self {
        let [head, tail] = wire::around(&[topic, second], &body, last);
        Message { topic: topic.to_vec(), bytes: Arc::new(Bytes([head, body, tail])) }
    }
}

/// A socket that publishes.
#[derive(Debug)]
pub struct Publisher {
    listener: TcpListener,
    address: String,
    peers: Vec<(PeerId, Peer)>,
    next: u64,
}

impl Publisher {
    /// Listens at an address of this machine, on a port that the system chooses.
    ///
    /// # Errors
    /// Returns an error if the address is not of this machine, or the system has no port or descriptor left.
    pub fn bind(ip: Ipv4Addr) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddrV4::new(ip, 0))?;
        listener.set_nonblocking(true)?;
        let address = format!("tcp://{}", listener.local_addr()?);
        Ok(Publisher { listener, address, peers: Vec::new(), next: 0 })
    }

    /// Returns where peers connect, as `tcp://IP:PORT`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the descriptors to wait for, each with true if it is also to become writable.
    pub fn descriptors(&self) -> impl Iterator<Item = (RawFd, bool)> + '_ {
        let peers = self.peers.iter().map(|(_, peer)| (peer.stream().as_raw_fd(), peer.has_waiting()));
        std::iter::once((self.listener.as_raw_fd(), false)).chain(peers)
    }

    /// Accepts peers, takes what they have sent, and sends what waits for them.
    pub fn turn(&mut self, now: Instant) -> Turn {
        let mut turn = Turn::default();
        self.accept(now, &mut turn);
        self.peers.retain_mut(|(id, peer)| {
            let mut changes = Changes::default();
            let outcome = peer.turn(now, &mut changes);
            turn.subscribed.extend(changes.subscribed.into_iter().map(|prefix| (*id, prefix)));
            turn.is_changed |= changes.is_any || outcome.is_err();
            if let Err(End::Refused(refusal)) = outcome {
                turn.refused.push(refusal);
            }
            outcome.is_ok()
        });
        turn
    }

    fn accept(&mut self, now: Instant, turn: &mut Turn) {
        for _ in 0..MAX_ACCEPTED {
            // An error is that of one connection, or passes when descriptors are free again.
            let Ok((stream, _)) = self.listener.accept() else { return };
            if self.peers.len() >= MAX_PEERS {
                turn.refused.push(Refusal::Excess("it is one peer too many"));
            } else if prepare(&stream).is_ok() {
                self.peers.push((PeerId(self.next), Peer::new(stream, now)));
                self.next += 1;
            }
        }
    }

    /// Returns true if a peer receives this topic.
    #[must_use]
    pub fn has_subscribers(&self, topic: &[u8]) -> bool {
        self.peers.iter().any(|(_, peer)| peer.receives(topic))
    }

    /// Sends a message to the peers that have subscribed to its topic. Returns how many of them read too slowly to receive it.
    pub fn send(&mut self, message: &Message) -> usize {
        let receivers = self.peers.iter_mut().filter(|(_, peer)| peer.receives(&message.topic));
        receivers.filter_map(|(_, peer)| (!give(peer, message)).then_some(())).count()
    }

    /// Sends a message to one peer, whether or not it has subscribed.
    pub fn send_to(&mut self, id: PeerId, message: &Message) {
        if let Some((_, peer)) = self.peers.iter_mut().find(|(known, _)| *known == id) {
            give(peer, message);
        }
    }
}

/// Gives a message to a peer; returns false if too many wait for it.
fn give(peer: &mut Peer, message: &Message) -> bool {
    let is_taken = peer.queue(Arc::clone(&message.bytes));
    // A peer that has gone is noticed in the next turn.
    drop(peer.flush());
    is_taken
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let keepalive =
        TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE).with_retries(KEEPALIVE_COUNT);
    socket.set_tcp_keepalive(&keepalive)?;
    socket.set_tcp_user_timeout(Some(MAX_SILENCE))
}

/// Returns true if these bytes are those of a subscriber, from its greeting on.
#[cfg(any(test, fuzzing))]
pub(crate) fn is_understood(bytes: &[u8]) -> bool {
    let Ok(true) = wire::check_greeting(bytes) else { return false };
    let mut rest = bytes.get(wire::GREETING..).unwrap_or_default();
    let mut subscriptions = subscriptions::Subscriptions::default();
    while let Ok(Some((frame, length))) = wire::take_frame(rest) {
        match frame {
            wire::Frame::Ready(properties) if wire::check_ready(properties).is_err() => return false,
            wire::Frame::Subscribe(prefix) => {
                assert!(!subscriptions.add(prefix) || subscriptions.has(prefix))
            }
            wire::Frame::Cancel(prefix) => subscriptions.remove(prefix),
            _ => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    wire::take_frame(rest).is_ok()
}

#[cfg(test)]
mod tests;

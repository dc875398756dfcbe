//! A publish port of libzmq that counts what slow subscribers lose.
//!
//! The library drops messages that a subscriber has no room for, without notice. It can be told to refuse such a
//! message instead (`ZMQ_XPUB_NODROP`); then the message is sent again without that option, so that other subscribers
//! get it. From then on the library skips the slow subscriber until it has caught up, again without notice. Meanwhile
//! its connection is full, which can be observed, and every message sent then counts as lost.

use std::time::{Duration, Instant};

use bridgehead_zeromq::{Connections, limits, set_option};
use zmq::{DONTWAIT, Socket};

use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::socket::{Publish, Sent, SocketError};
use crate::wall_clock;

use super::log_limited;

/// Period of looking at what subscribers have sent.
const LOOK: Duration = Duration::from_millis(100);

/// How long all connections must have room before the subscriber counts as up to date: the library needs a part of
/// that time.
const CATCHING_UP: Duration = Duration::from_millis(200);

pub(super) struct Publisher {
    socket: Socket,
    port: u16,
    connections: Connections,
    /// How often a subscriber fell behind.
    overruns: RepeatCounter,
    subscribers: SubscriberState,
    /// When the connections are looked at again.
    next_look: Instant,
    /// How often a subscriber was disconnected.
    limited: RepeatCounter,
}

/// Whether subscribers keep up.
enum SubscriberState {
    /// All of them do.
    UpToDate,
    /// One was skipped and has not caught up yet.
    Behind {
        /// Since when all connections have had room.
        room_since: Option<Instant>,
    },
}

impl SubscriberState {
    /// Updates the state with whether a connection is full.
    fn update(&mut self, is_full: bool, now: Instant) {
        let SubscriberState::Behind { room_since } = self else { return };
        if is_full {
            *room_since = None;
        } else if now.duration_since(*room_since.get_or_insert(now)) >= CATCHING_UP {
            *self = SubscriberState::UpToDate;
        }
    }
}

impl Publisher {
    /// Publishes on a bound socket of type `PUB`.
    ///
    /// # Errors
    /// Returns an error if the library does not support the option.
    pub(super) fn new(socket: Socket, port: u16, connections: Connections) -> zmq::Result<Self> {
        let mut publisher = Publisher {
            socket,
            port,
            connections,
            overruns: RepeatCounter::default(),
            subscribers: SubscriberState::UpToDate,
            next_look: wall_clock::now(),
            limited: RepeatCounter::default(),
        };
        publisher.refuse_losses(true)?;
        Ok(publisher)
    }

    /// Sets whether the library refuses a message that a subscriber has no room for, or drops it for that subscriber.
    fn refuse_losses(&mut self, is_refused: bool) -> zmq::Result<()> {
        set_option(&mut self.socket, zmq_sys::ZMQ_XPUB_NODROP, i32::from(is_refused))
    }

    /// Disconnects subscribers that send more than a subscriber does: the library keeps each of their subscriptions.
    fn limit_subscribers(&mut self, now: Instant) {
        if now < self.next_look {
            return;
        }
        self.next_look = now + LOOK;
        for (connection, since) in self.connections.all() {
            let age = now.saturating_duration_since(since);
            if limits::has_sent_too_much(connection, age) {
                limits::end(connection, self.port);
                log_limited(self.port, "a subscriber sent more than a subscriber needs", &self.limited);
            }
        }
    }

    fn send_to_the_others(&mut self, frame: &[u8]) -> zmq::Result<()> {
        if let Some(count) = self.overruns.record() {
            let (port, times_so_far) = (self.port, times_so_far(count));
            log::warn!(
                "[BH-CLO-014] a client on port {port} does not read as fast as it is sent to; it loses \
                 messages until it has caught up{times_so_far}"
            );
        }
        self.refuse_losses(false)?;
        let sent = self.socket.send(frame, DONTWAIT);
        self.refuse_losses(true)?;
        sent
    }
}

impl Publish for Publisher {
    fn send(&mut self, frame: &[u8]) -> Result<Sent, SocketError> {
        self.limit_subscribers(wall_clock::now());
        match self.socket.send(frame, DONTWAIT) {
            Ok(()) if matches!(self.subscribers, SubscriberState::UpToDate) => Ok(Sent::ToAll),
            Ok(()) => {
                let is_full = self.connections.is_any_full();
                self.subscribers.update(is_full, wall_clock::now());
                Ok(if is_full { Sent::ToSome } else { Sent::ToAll })
            }
            Err(zmq::Error::EAGAIN) => {
                self.send_to_the_others(frame).map_err(|error| SocketError::new(&error))?;
                self.subscribers = SubscriberState::Behind { room_since: None };
                Ok(Sent::ToSome)
            }
            Err(error) => Err(SocketError::new(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use zmq::Context;

    use super::*;
    use crate::socket::libzmq::monitor::ConnectionMonitor;

    /// A subscriber that reads only when the test does.
    fn listener(endpoint: &str) -> Socket {
        let socket = Context::new().socket(zmq::SUB).expect("a socket");
        socket.set_rcvhwm(1).expect("an option");
        socket.set_rcvtimeo(10_000).expect("an option");
        socket.set_subscribe(b"").expect("an option");
        socket.connect(endpoint).expect("a connection");
        socket
    }

    #[test]
    fn a_subscriber_with_room_for_a_moment_has_not_caught_up() {
        let begin = wall_clock::now();
        let at = |ms: u64| begin + Duration::from_millis(ms);
        let mut subscribers = SubscriberState::Behind { room_since: None };
        for (ms, is_full) in [(0, true), (10, false), (190, false), (200, true), (300, false), (490, false)] {
            subscribers.update(is_full, at(ms));
            assert!(matches!(subscribers, SubscriberState::Behind { .. }), "{ms} ms");
        }
        subscribers.update(false, at(500));
        assert!(matches!(subscribers, SubscriberState::UpToDate));
        subscribers.update(true, at(600));
        assert!(
            matches!(subscribers, SubscriberState::UpToDate),
            "only the library reports a subscriber that falls behind"
        );
    }

    #[test]
    fn messages_lost_to_a_stopped_subscriber_are_counted_and_others_lose_none() {
        const FRAMES: u32 = 120;
        let context = Context::new();
        let socket = context.socket(zmq::PUB).expect("a socket");
        // Enough room for a subscriber that reads at once: the library learns only in steps of half of it, and on a busy
        // machine late, that there is room again.
        socket.set_sndhwm(32).expect("an option");
        // As for all ports: closing does not wait.
        socket.set_linger(0).expect("an option");
        socket.bind("tcp://127.0.0.1:*").expect("a port");
        let endpoint = socket.get_last_endpoint().expect("an endpoint").expect("a text");
        let monitor = ConnectionMonitor::start(&context, &socket, 0).expect("a monitor");
        let mut publisher = Publisher::new(socket, 0, monitor.connections()).expect("a publisher");
        let (stopped, quick) = (listener(&endpoint), listener(&endpoint));
        // Wait until both have subscribed.
        let deadline = wall_clock::now() + Duration::from_secs(10);
        let mut received = [false; 2];
        while received != [true; 2] {
            assert!(wall_clock::now() < deadline, "{received:?}");
            publisher.send(b"?").expect("sent");
            monitor.process_events();
            for (received, socket) in received.iter_mut().zip([&stopped, &quick]) {
                *received |= socket.recv_bytes(DONTWAIT).is_ok();
            }
        }
        while quick.poll(zmq::POLLIN, 50).expect("a poll") > 0 {
            quick.recv_bytes(DONTWAIT).expect("a message");
        }
        let frame = vec![7; 1 << 20];
        let mut lost = 0;
        for _ in 0..FRAMES {
            lost += u32::from(publisher.send(&frame).expect("sent") == Sent::ToSome);
            assert_eq!(quick.recv_bytes(0).expect("a message").len(), frame.len());
        }
        assert!((FRAMES / 2..FRAMES).contains(&lost), "{lost} of {FRAMES}");
        drop(stopped);
        let deadline = wall_clock::now() + Duration::from_secs(10);
        while publisher.send(b"!").expect("sent") == Sent::ToSome {
            assert!(wall_clock::now() < deadline, "no subscriber is behind");
            quick.recv_bytes(0).expect("a message");
            monitor.process_events();
        }
    }
}

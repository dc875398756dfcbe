//! A port that sends, and the count of what slow listeners lose.
//!
//! The library drops what a listener has no room for, and says nothing. It can be told to refuse such a message
//! instead; then the message is sent again without that, so that nobody else waits. From there on the library leaves the
//! listener out until it has caught up, and says nothing of that either: meanwhile its connection is full, which can be
//! seen, and what is sent then is lost to it.

use std::collections::BTreeSet;
use std::os::fd::RawFd;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use zmq::{DONTWAIT, POLLOUT, PollItem, Socket};

use crate::lock::lock;
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::socket::{Publish, Sent};
use crate::wall;

/// How long a connection has room before its listener counts as up to date: the library needs a part of that.
const CATCHING_UP: Duration = Duration::from_millis(200);

/// The connections to a port, as its watch knows them.
#[derive(Clone, Debug, Default)]
pub(super) struct Connections(Arc<Mutex<BTreeSet<RawFd>>>);

impl Connections {
    pub(super) fn insert(&self, connection: RawFd) {
        lock(&self.0).insert(connection);
    }

    pub(super) fn remove(&self, connection: RawFd) {
        lock(&self.0).remove(&connection);
    }

    /// Whether one of them takes nothing at this moment.
    fn is_any_full(&self) -> bool {
        let mut items: Vec<_> =
            lock(&self.0).iter().map(|connection| PollItem::from_fd(*connection, POLLOUT)).collect();
        match zmq::poll(&mut items, 0) {
            // One that has just ended is reported as an error, and is not full.
            Ok(_) => items.iter().any(|item| item.get_revents().is_empty()),
            Err(_) => false,
        }
    }
}

pub(super) struct Publisher {
    socket: Socket,
    port: u16,
    connections: Connections,
    /// How often a listener fell behind.
    overruns: RepeatCounter,
    subscribers: SubscriberState,
}

/// What is known of those who listen.
enum SubscriberState {
    /// Nobody is behind.
    UpToDate,
    /// One was left out, and has not caught up as far as is known.
    Behind {
        /// Since when all connections have had room, if they have.
        room_since: Option<Instant>,
    },
}

impl SubscriberState {
    /// Takes in whether one of the connections is full.
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
    /// Sends on a socket of type `PUB` that is bound.
    ///
    /// # Errors
    /// Where the library does not know the option.
    pub(super) fn new(socket: Socket, port: u16, connections: Connections) -> zmq::Result<Self> {
        let mut publisher = Publisher {
            socket,
            port,
            connections,
            overruns: RepeatCounter::default(),
            subscribers: SubscriberState::UpToDate,
        };
        publisher.refuse_losses(true)?;
        Ok(publisher)
    }

    /// Whether a message that a listener has no room for is refused, or sent to the others.
    #[expect(unsafe_code, reason = "the crate has no name for this option")]
    fn refuse_losses(&mut self, is_refused: bool) -> zmq::Result<()> {
        let value = std::ffi::c_int::from(is_refused);
        let option = zmq_sys::ZMQ_XPUB_NODROP.cast_signed();
        let place = std::ptr::from_ref(&value).cast();
        // SAFETY: the socket is alive and ours alone; the option takes an `int`, which is copied.
        match unsafe { zmq_sys::zmq_setsockopt(self.socket.as_mut_ptr(), option, place, size_of_val(&value)) }
        {
            0 => Ok(()),
            // SAFETY: reads a number of this thread.
            _ => Err(zmq::Error::from_raw(unsafe { zmq_sys::zmq_errno() })),
        }
    }

    fn send_to_the_others(&mut self, frame: &[u8]) -> zmq::Result<()> {
        if let Some(count) = self.overruns.record() {
            let (port, times_so_far) = (self.port, times_so_far(count));
            log::warn!(
                "a client on port {port} does not read as fast as it is sent to: until it has caught up, messages are \
                 lost to it{times_so_far} [BH-CLO-014]"
            );
        }
        self.refuse_losses(false)?;
        let sent = self.socket.send(frame, DONTWAIT);
        self.refuse_losses(true)?;
        sent
    }
}

impl Publish for Publisher {
    fn send(&mut self, frame: &[u8]) -> Result<Sent, String> {
        match self.socket.send(frame, DONTWAIT) {
            Ok(()) if matches!(self.subscribers, SubscriberState::UpToDate) => Ok(Sent::ToAll),
            Ok(()) => {
                let is_full = self.connections.is_any_full();
                self.subscribers.update(is_full, wall::now());
                Ok(if is_full { Sent::ToSome } else { Sent::ToAll })
            }
            Err(zmq::Error::EAGAIN) => {
                self.send_to_the_others(frame).map_err(|error| error.to_string())?;
                self.subscribers = SubscriberState::Behind { room_since: None };
                Ok(Sent::ToSome)
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use zmq::Context;

    use super::*;
    use crate::socket::libzmq::monitor::ConnectionMonitor;

    /// A listener that reads when it is told to.
    fn listener(endpoint: &str) -> Socket {
        let socket = Context::new().socket(zmq::SUB).expect("a socket");
        socket.set_rcvhwm(1).expect("an option");
        socket.set_rcvtimeo(10_000).expect("an option");
        socket.set_subscribe(b"").expect("an option");
        socket.connect(endpoint).expect("a connection");
        socket
    }

    #[test]
    fn who_has_room_for_a_moment_has_not_caught_up() {
        let begin = wall::now();
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
            "only the library says who overruns behind"
        );
    }

    #[test]
    fn what_a_stopped_listener_misses_is_counted_and_others_miss_nothing() {
        let context = Context::new();
        let socket = context.socket(zmq::PUB).expect("a socket");
        // Room enough that who reads at once is never behind.
        socket.set_sndhwm(8).expect("an option");
        // As all of ours: an end waits for nobody.
        socket.set_linger(0).expect("an option");
        socket.bind("tcp://127.0.0.1:*").expect("a port");
        let endpoint = socket.get_last_endpoint().expect("an endpoint").expect("a text");
        let (events, monitor) = ConnectionMonitor::start(&context, &socket, 0).expect("a monitor");
        let mut publisher = Publisher::new(socket, 0, monitor.connections()).expect("a publisher");
        let (stopped, quick) = (listener(&endpoint), listener(&endpoint));
        // Until both have subscribed.
        let deadline = wall::now() + Duration::from_secs(10);
        let mut heard = [false; 2];
        while heard != [true; 2] {
            assert!(wall::now() < deadline, "{heard:?}");
            publisher.send(b"?").expect("sent");
            monitor.process_events(&events);
            for (heard, socket) in heard.iter_mut().zip([&stopped, &quick]) {
                *heard |= socket.recv_bytes(DONTWAIT).is_ok();
            }
        }
        while quick.poll(zmq::POLLIN, 50).expect("a poll") > 0 {
            quick.recv_bytes(DONTWAIT).expect("a message");
        }
        let frame = vec![7; 1 << 20];
        let mut lost = 0;
        for _ in 0..60 {
            lost += u32::from(publisher.send(&frame).expect("sent") == Sent::ToSome);
            assert_eq!(quick.recv_bytes(0).expect("a message").len(), frame.len());
        }
        assert!((30..60).contains(&lost), "{lost} of 60");
        drop(stopped);
        let deadline = wall::now() + Duration::from_secs(10);
        while publisher.send(b"!").expect("sent") == Sent::ToSome {
            assert!(wall::now() < deadline, "nobody is behind any more");
            quick.recv_bytes(0).expect("a message");
            monitor.process_events(&events);
        }
    }
}

//! The thread of a node, which owns its sockets.
//!
//! | socket | type | use |
//! |---|---|---|
//! | `publisher` | PUB | messages of the run |
//! | `subscriber` | SUB | messages of peers; connects to each publisher of a topic that the run receives |
//! | `replier` | ROUTER | requests of peers; connects to each caller to answer it |
//!
//! Discovery is said once per second on both of its ports: a heartbeat, and each topic or service.

mod announce;
mod guard;
mod receive;
mod replies;

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::Weak;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc::TryRecvError};
use std::time::{Duration, Instant};

use bridgehead_zeromq::{WAITING_SUBSCRIPTIONS, keep_alive};
use uuid::Uuid;
use zmq::{Context, DONTWAIT, POLLIN, PollItem, Socket, SocketType};

use self::guard::Guard;
use self::replies::Replies;
use super::listeners::Listeners;
use super::remotes::Remotes;
use super::{Command, Inbox, Offer, Outbox, Publication, Subscription, Topic};
use crate::connection::Connection;
use crate::discovery::{Kind, MAX_DATAGRAM};
use crate::lock::lock;
use crate::multicast::{Multicast, Subject};
use crate::wall_clock::{self, Limiter};

/// Time between two heartbeats, as in the library.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long a connection outlasts its last publisher.
const LINGER: Duration = Duration::from_secs(1);
/// Longest wait for something to do: processes are looked after so often.
const TURN_MS: i64 = 20;
/// Wait while answers wait for their connection.
const REPLYING_MS: i64 = 5;
/// Messages that may wait for one peer.
const HWM: i32 = 64;
/// How often subscriptions are taken in a turn.
const DRAINS: usize = 1;
/// Largest message that is received, in bytes: an image has some.
const MAX_MESSAGE: i64 = 256 << 20;
/// Connections that may wait to be accepted.
const BACKLOG: i32 = 64;
/// Messages, requests and datagrams that are taken from one socket before the next is served.
const MAX_PER_TURN: usize = 256;
/// When the last message of a latched topic is sent again for a new listener: its subscription may be on its way still.
const REPEATS: [Duration; 3] =
    [Duration::from_millis(50), Duration::from_millis(250), Duration::from_secs(1)];
/// Longest subscription that is received, in bytes.
const MAX_SUBSCRIPTION: i64 = 4 << 10;

pub(super) struct Transport {
    ip: Ipv4Addr,
    /// UUIDs of this process, and of its only node.
    process: String,
    node: String,
    discovery: [Multicast; 2],
    publisher: Socket,
    subscriber: Socket,
    replier: Socket,
    /// Where peers connect to the publisher, and to the replier.
    publisher_address: String,
    replier_address: String,
    /// Identity of the replier.
    replier_identity: String,
    topics: BTreeMap<String, Arc<Topic>>,
    subscriptions: Vec<Arc<Subscription>>,
    offers: BTreeMap<String, Arc<Offer>>,
    listeners: Listeners,
    /// Latched topics whose last message is sent again, and when.
    repeats: Vec<(Instant, String)>,
    guards: [Guard; 2],
    remotes: Remotes,
    /// Addresses that nobody needs any more, and when the subscriber disconnects from them.
    leaving: Vec<(String, Instant)>,
    replies: Replies,
    inbox: Weak<Inbox>,
    wake: OwnedFd,
    next_heartbeat: Instant,
    foreign: Limiter,
    limited: Limiter,
    /// Of the sockets, which must end before it.
    _context: Context,
}

impl Transport {
    /// Opens the sockets.
    pub(super) fn open(connection: &Connection, inbox: Weak<Inbox>, wake: OwnedFd) -> io::Result<Self> {
        let Connection { ip, ports: [topics, services], .. } = *connection;
        let context = Context::new();
        let socket = |kind: SocketType| -> zmq::Result<Socket> {
            let mut socket = context.socket(kind)?;
            socket.set_linger(0)?;
            socket.set_sndhwm(HWM)?;
            socket.set_rcvhwm(1000)?;
            socket.set_maxmsgsize(MAX_MESSAGE)?;
            socket.set_backlog(BACKLOG)?;
            keep_alive(&mut socket)?;
            Ok(socket)
        };
        let bound = |socket: &Socket| -> zmq::Result<String> {
            socket.bind(&format!("tcp://{ip}:*"))?;
            Ok(socket.get_last_endpoint()?.unwrap_or_default())
        };
        let replier_identity = uuid();
        let publisher = socket(SocketType::PUB)?;
        publisher.set_rcvhwm(WAITING_SUBSCRIPTIONS)?;
        publisher.set_maxmsgsize(MAX_SUBSCRIPTION)?;
        let replier = socket(SocketType::ROUTER)?;
        replier.set_identity(replier_identity.as_bytes())?;
        replier.set_router_mandatory(true)?;
        let (publisher_address, replier_address) = (bound(&publisher)?, bound(&replier)?);
        let guards = [
            Guard::start(&context, &publisher, &publisher_address, true)?,
            Guard::start(&context, &replier, &replier_address, false)?,
        ];
        Ok(Transport {
            ip,
            process: uuid(),
            node: uuid(),
            discovery: [Multicast::open(ip, topics)?, Multicast::open(ip, services)?],
            publisher_address,
            replier_address,
            subscriber: socket(SocketType::SUB)?,
            publisher,
            replier,
            replier_identity,
            topics: BTreeMap::new(),
            subscriptions: Vec::new(),
            offers: BTreeMap::new(),
            listeners: Listeners::default(),
            repeats: Vec::new(),
            guards,
            remotes: Remotes::default(),
            leaving: Vec::new(),
            replies: Replies::default(),
            inbox,
            wake,
            next_heartbeat: wall_clock::now(),
            foreign: Limiter::default(),
            limited: Limiter::default(),
            _context: context,
        })
    }

    /// Serves until the end of the node.
    pub(super) fn run(mut self, outbox: &Outbox) {
        let mut buffer = Box::new([0; MAX_DATAGRAM]);
        while self.carry_out(outbox) {
            self.send_publications(outbox);
            self.wait();
            for subject in Subject::ALL {
                self.hear(subject, &mut buffer);
            }
            self.take_subscriptions();
            self.take_messages();
            self.take_requests();
            self.replies.send(&self.replier, wall_clock::now());
            self.look_after_processes();
        }
        self.withdraw_all();
        self.say(&Subject::ALL, Kind::Bye);
        let Transport { publisher, replier, guards, .. } = self;
        drop((publisher, replier));
        guards.into_iter().for_each(Guard::outlast);
    }

    fn wait(&self) {
        let datagrams = self.discovery.each_ref().map(|discovery| discovery.socket().as_raw_fd());
        let mut items = [
            PollItem::from_fd(self.wake.as_raw_fd(), POLLIN),
            PollItem::from_fd(datagrams[0], POLLIN),
            PollItem::from_fd(datagrams[1], POLLIN),
            self.subscriber.as_poll_item(POLLIN),
            self.replier.as_poll_item(POLLIN),
            self.guards[0].socket().as_poll_item(POLLIN),
            self.guards[1].socket().as_poll_item(POLLIN),
        ];
        let until = if self.replies.are_waiting() { REPLYING_MS } else { TURN_MS };
        // Interrupted if the process was suspended: then this turn has nothing to do.
        if let Err(error) = zmq::poll(&mut items, until) {
            log::debug!("waiting for peers: {error}");
        }
        self.forget_rings();
    }

    fn forget_rings(&self) {
        let mut rings = [0; 8];
        match rustix::io::read(&self.wake, &mut rings) {
            Ok(_) | Err(rustix::io::Errno::AGAIN) => {}
            Err(error) => log::debug!("reading the wake-ups of the thread: {error}"),
        }
    }

    /// Carries out what the thread is told; returns false at the end of the node.
    fn carry_out(&mut self, outbox: &Outbox) -> bool {
        loop {
            match outbox.commands.try_recv() {
                Ok(Command::Advertise(topic)) => self.advertise(topic),
                Ok(Command::Withdraw(topic)) => self.withdraw(&topic),
                Ok(Command::Subscribe(subscription)) => self.subscribe(subscription),
                Ok(Command::Unsubscribe(subscription)) => self.unsubscribe(&subscription),
                Ok(Command::Offer(offer)) => self.offer(offer),
                Ok(Command::Retract(offer)) => self.retract(&offer),
                Ok(Command::Reply(reply)) => self.reply(reply),
                Err(TryRecvError::Empty) => return true,
                Ok(Command::End) | Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    fn send_publications(&self, outbox: &Outbox) {
        for Publication { topic, bytes } in outbox.publications.try_iter() {
            self.publish(&topic, &bytes);
            if let Some(latched) = &topic.latched {
                *lock(latched) = Some(bytes);
            }
        }
    }

    fn publish(&self, topic: &Topic, bytes: &[u8]) {
        let frames =
            [topic.name.as_bytes(), self.publisher_address.as_bytes(), bytes, topic.type_name.as_bytes()];
        // To a peer that reads too slowly the library drops it.
        if let Err(error) = self.publisher.send_multipart(frames, DONTWAIT) {
            log::debug!("a message on {} is not sent: {error}", topic.name);
        }
    }

    fn look_after_processes(&mut self) {
        let now = wall_clock::now();
        self.guards.iter_mut().for_each(|guard| guard.look(now));
        if now >= self.next_heartbeat {
            self.next_heartbeat = now + HEARTBEAT;
            self.announce_all();
        }
        if self.listeners.expire(now) {
            self.count_listeners();
        }
        self.repeat_latched(now);
        let unused = self.remotes.expire(now);
        self.disconnect_soon(unused);
        self.disconnect(now);
    }

    /// Disconnects from addresses after [`LINGER`]: what a publisher sent before it left may still be on its way.
    fn disconnect_soon(&mut self, addresses: Vec<String>) {
        let then = wall_clock::now() + LINGER;
        self.leaving.extend(addresses.into_iter().map(|address| (address, then)));
    }

    fn disconnect(&mut self, now: Instant) {
        let due = self.leaving.extract_if(.., |(_, then)| *then <= now).map(|(address, _)| address);
        for address in due.collect::<Vec<_>>() {
            // It may have come back.
            if !self.remotes.has_address(&address)
                && let Err(error) = self.subscriber.disconnect(&address)
            {
                log::debug!("disconnecting from {address}: {error}");
            }
        }
    }

    /// Lets the library take the subscriptions that have arrived, of each peer some at a time: it notices only then that a peer
    /// has left.
    fn take_subscriptions(&self) {
        for _ in 0..DRAINS {
            if let Err(error) = self.publisher.get_events() {
                log::debug!("taking subscriptions: {error}");
            }
        }
    }

    /// Notes whether each topic has listeners.
    fn count_listeners(&self) {
        for topic in self.topics.values() {
            topic.has_listeners.store(self.listeners.has(&topic.name), Ordering::Release);
        }
    }

    /// Sends the last messages of latched topics that are due.
    fn repeat_latched(&mut self, now: Instant) {
        let due: Vec<_> = self.repeats.extract_if(.., |(then, _)| *then <= now).collect();
        for topic in due.iter().filter_map(|(_, name)| self.topics.get(name)) {
            let last = topic.latched.as_ref().and_then(|latched| lock(latched).clone());
            if let Some(bytes) = last {
                self.publish(topic, &bytes);
            }
        }
    }
}

fn uuid() -> String {
    Uuid::new_v4().to_string()
}

//! The thread of a node, which owns its sockets.
//!
//! | socket | type | use |
//! |---|---|---|
//! | `publications` | PUB | messages of the run |
//! | `subscriber` | SUB | messages of peers; connects to each publisher of a topic that the run receives |
//! | `replier` | ROUTER | requests of peers; connects to each caller to answer it |
//!
//! Discovery is said once per second on both of its ports: a heartbeat, and each topic or service.

mod announce;
mod guard;
mod publications;
mod receive;
mod replies;

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::mpsc::TryRecvError;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bridgehead_zeromq::keep_alive;
use uuid::Uuid;
use zmq::{Context, DONTWAIT, POLLIN, POLLOUT, PollItem, Socket, SocketType};

use self::guard::Guard;
use self::publications::Publications;
use self::replies::Replies;
use super::queue::{Command, Inbox, Outbox, Publication};
use super::remotes::Remotes;
use super::rivals::Rivals;
use super::topic::{Offer, Subscription};
use crate::connection::Connection;
use crate::discovery::{Kind, MAX_DATAGRAM};
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
/// Largest message that is received, in bytes: an image has some.
const MAX_MESSAGE: i64 = 256 << 20;
/// Connections that may wait to be accepted.
const BACKLOG: i32 = 64;
/// Messages, requests and datagrams that are taken from one socket before the next is served.
const MAX_PER_TURN: usize = 256;

pub(super) struct Transport {
    ip: Ipv4Addr,
    /// UUIDs of this process, and of its only node.
    process: String,
    node: String,
    discovery: [Multicast; 2],
    publications: Publications,
    subscriber: Socket,
    replier: Socket,
    /// Where peers connect to the replier.
    replier_address: String,
    /// Identity of the replier.
    replier_identity: String,
    subscriptions: Vec<Arc<Subscription>>,
    offers: BTreeMap<String, Arc<Offer>>,
    /// Of the replier.
    guard: Guard,
    remotes: Remotes,
    rivals: Rivals,
    /// Addresses that nobody needs any more, and when the subscriber disconnects from them.
    leaving: Vec<(String, Instant)>,
    replies: Replies,
    inbox: Weak<Inbox>,
    wake: OwnedFd,
    next_heartbeat: Instant,
    foreign: Limiter,
    /// Of the sockets, which must end before it.
    _context: Context,
}

impl Transport {
    /// Opens the sockets.
    pub(super) fn open(connection: &Connection, inbox: Weak<Inbox>, wake: OwnedFd) -> io::Result<Self> {
        let Connection { ip, ports: [topics, services], generation, .. } = *connection;
        let groups = generation.groups();
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
        let replier = socket(SocketType::ROUTER)?;
        replier.set_identity(replier_identity.as_bytes())?;
        replier.set_router_mandatory(true)?;
        let replier_address = bound(&replier)?;
        let guard = Guard::start(&context, &replier, &replier_address)?;
        Ok(Transport {
            ip,
            process: uuid(),
            node: uuid(),
            discovery: [Multicast::open(ip, topics, groups)?, Multicast::open(ip, services, groups)?],
            publications: Publications::bind(ip)?,
            replier_address,
            subscriber: socket(SocketType::SUB)?,
            replier,
            replier_identity,
            subscriptions: Vec::new(),
            offers: BTreeMap::new(),
            guard,
            remotes: Remotes::default(),
            rivals: Rivals::default(),
            leaving: Vec::new(),
            replies: Replies::default(),
            inbox,
            wake,
            next_heartbeat: wall_clock::now(),
            foreign: Limiter::default(),
            _context: context,
        })
    }

    /// Serves until the end of the node.
    pub(super) fn run(mut self, outbox: &Outbox) {
        let mut buffer = Box::new([0; MAX_DATAGRAM]);
        while self.carry_out(outbox) {
            self.send_publications(outbox);
            // What was told in this turn does not wait for the next one.
            self.replies.send(&self.replier, wall_clock::now());
            self.wait();
            for subject in Subject::ALL {
                self.hear(subject, &mut buffer);
            }
            self.publications.turn(wall_clock::now());
            self.take_messages();
            self.take_requests();
            self.replies.send(&self.replier, wall_clock::now());
            self.look_after_processes();
        }
        self.withdraw_all();
        self.say(&Subject::ALL, Kind::Bye);
        let Transport { replier, guard, .. } = self;
        drop(replier);
        guard.outlast();
    }

    fn wait(&self) {
        let datagrams = self.discovery.each_ref().map(|discovery| discovery.socket().as_raw_fd());
        let mut items = vec![
            PollItem::from_fd(self.wake.as_raw_fd(), POLLIN),
            PollItem::from_fd(datagrams[0], POLLIN),
            PollItem::from_fd(datagrams[1], POLLIN),
            self.subscriber.as_poll_item(POLLIN),
            self.replier.as_poll_item(POLLIN),
            self.guard.socket().as_poll_item(POLLIN),
        ];
        items.extend(self.publications.descriptors().map(|(descriptor, has_waiting)| {
            PollItem::from_fd(descriptor, if has_waiting { POLLIN | POLLOUT } else { POLLIN })
        }));
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
                Ok(Command::Advertise(topic)) => self.advertise(&topic),
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

    fn send_publications(&mut self, outbox: &Outbox) {
        for Publication { topic, bytes } in outbox.publications.try_iter() {
            self.publications.send(&topic, bytes);
        }
    }

    fn look_after_processes(&mut self) {
        let now = wall_clock::now();
        self.guard.look(now);
        if now >= self.next_heartbeat {
            self.next_heartbeat = now + HEARTBEAT;
            self.announce_all();
        }
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
}

fn uuid() -> String {
    Uuid::new_v4().to_string()
}

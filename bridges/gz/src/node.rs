//! One process of gz-transport: its sockets, its topics and services, and what it has found of others.
//!
//! [`Node`] is the handle, for any thread. Its thread `gz-transport` owns all sockets ([`transport`]); it is told what to do
//! through a queue. Instances with equal connection strings share a node ([`Node::join`]).

mod answer;
mod remotes;
mod rivals;
mod transport;

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{Builder, JoinHandle};

use rustix::event::{EventfdFlags, eventfd};

pub(crate) use self::answer::Answer;
use self::answer::Reply;
use self::transport::Transport;
use crate::connection::Connection;
use crate::lock::lock;

/// Messages that may wait for the thread: more are dropped, and counted by the host.
const MAX_WAITING: usize = 64;

/// The nodes of this process.
static NODES: Mutex<Vec<Weak<Node>>> = Mutex::new(Vec::new());

/// A topic that the run publishes.
#[derive(Debug)]
pub(crate) struct Topic {
    /// Fully qualified.
    pub(crate) name: String,
    pub(crate) type_name: String,
    /// True if a topic of the same name takes its place.
    is_spare: bool,
    has_listeners: AtomicBool,
    /// True if new subscribers receive its last message at once.
    is_latched: bool,
}

impl Topic {
    pub(crate) fn new(name: String, type_name: String, is_latched: bool) -> Arc<Self> {
        let has_listeners = AtomicBool::new(false);
        Arc::new(Topic { name, type_name, is_spare: false, has_listeners, is_latched })
    }

    /// A topic whose place another of the same name takes: one of the run before one of this bridge.
    pub(crate) fn spare(name: String, type_name: String) -> Arc<Self> {
        let has_listeners = AtomicBool::new(false);
        Arc::new(Topic { name, type_name, is_spare: true, has_listeners, is_latched: false })
    }

    /// Returns true if somebody receives it, now or later: otherwise a message need not be made.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_latched || self.has_listeners.load(Ordering::Acquire)
    }
}

/// Takes a message of a peer.
pub(crate) type Deliver = Box<dyn Fn(&[u8]) + Send + Sync>;

/// A topic that the run receives.
pub(crate) struct Subscription {
    /// Fully qualified.
    pub(crate) name: String,
    pub(crate) type_name: String,
    pub(crate) deliver: Deliver,
}

/// Carries out a request.
pub(crate) type Serve = Box<dyn Fn(&[u8], Answer) + Send + Sync>;

/// A service of the run.
pub(crate) struct Offer {
    /// Fully qualified.
    pub(crate) name: String,
    pub(crate) request: String,
    pub(crate) response: String,
    pub(crate) serve: Serve,
}

/// What the thread is told.
enum Command {
    Advertise(Arc<Topic>),
    Withdraw(Arc<Topic>),
    Subscribe(Arc<Subscription>),
    Unsubscribe(Arc<Subscription>),
    Offer(Arc<Offer>),
    Retract(Arc<Offer>),
    Reply(Reply),
    End,
}

/// A message on its way out.
struct Publication {
    topic: Arc<Topic>,
    bytes: Vec<u8>,
}

/// The queues to the thread.
struct Inbox {
    commands: Sender<Command>,
    publications: SyncSender<Publication>,
    /// Wakes the thread.
    wake: OwnedFd,
}

impl Inbox {
    fn tell(&self, command: Command) {
        // The thread lives as long as the node.
        drop(self.commands.send(command));
        self.ring();
    }

    fn ring(&self) {
        if let Err(error) = rustix::io::write(&self.wake, &1_u64.to_ne_bytes()) {
            log::debug!("the thread of gz-transport is not woken: {error}");
        }
    }
}

/// The other ends of the queues.
struct Outbox {
    commands: Receiver<Command>,
    publications: Receiver<Publication>,
}

/// A node. Ends with its last holder.
pub(crate) struct Node {
    connection: Connection,
    inbox: Arc<Inbox>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Node {
    /// Returns the node with this connection, or starts one.
    ///
    /// # Errors
    /// Returns an error if a socket cannot be opened.
    pub(crate) fn join(connection: &Connection) -> io::Result<Arc<Self>> {
        // Held while it starts, so that instances that connect at the same time share it.
        let mut nodes = lock(&NODES);
        nodes.retain(|node| node.strong_count() > 0);
        let open = nodes.iter().filter_map(Weak::upgrade);
        if let Some(node) = open.into_iter().find(|node| node.connection == *connection) {
            return Ok(node);
        }
        let node = Arc::new(Node::start(connection.clone())?);
        nodes.push(Arc::downgrade(&node));
        Ok(node)
    }

    fn start(connection: Connection) -> io::Result<Self> {
        let (commands, told) = channel();
        let (publications, published) = sync_channel(MAX_WAITING);
        let wake = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        let inbox = Arc::new(Inbox { commands, publications, wake });
        let outbox = Outbox { commands: told, publications: published };
        let transport = Transport::open(&connection, Arc::downgrade(&inbox), inbox.wake.try_clone()?)?;
        let thread = Builder::new().name("gz-transport".into()).spawn(move || transport.run(&outbox))?;
        Ok(Node { connection, inbox, thread: Mutex::new(Some(thread)) })
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(crate) fn advertise(&self, topic: &Arc<Topic>) {
        self.inbox.tell(Command::Advertise(Arc::clone(topic)));
    }

    pub(crate) fn withdraw(&self, topic: &Arc<Topic>) {
        self.inbox.tell(Command::Withdraw(Arc::clone(topic)));
    }

    pub(crate) fn subscribe(&self, subscription: &Arc<Subscription>) {
        self.inbox.tell(Command::Subscribe(Arc::clone(subscription)));
    }

    pub(crate) fn unsubscribe(&self, subscription: &Arc<Subscription>) {
        self.inbox.tell(Command::Unsubscribe(Arc::clone(subscription)));
    }

    pub(crate) fn offer(&self, offer: &Arc<Offer>) {
        self.inbox.tell(Command::Offer(Arc::clone(offer)));
    }

    pub(crate) fn retract(&self, offer: &Arc<Offer>) {
        self.inbox.tell(Command::Retract(Arc::clone(offer)));
    }

    /// Sends a message. Returns false if too many wait already.
    pub(crate) fn publish(&self, topic: &Arc<Topic>, bytes: Vec<u8>) -> bool {
        let is_taken =
            self.inbox.publications.try_send(Publication { topic: Arc::clone(topic), bytes }).is_ok();
        self.inbox.ring();
        is_taken
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.inbox.tell(Command::End);
        if let Some(thread) = lock(&self.thread).take() {
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests;

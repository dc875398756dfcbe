//! One process of gz-transport: its sockets, its topics and services, and what it has found of others.
//!
//! [`Node`] is the handle, for any thread. Its thread `gz-transport` owns all sockets ([`transport`]); it is told what to do
//! through a queue. Instances with equal connection strings share a node ([`Node::join`]).

mod answer;
mod queue;
mod remotes;
mod rivals;
mod topic;
mod transport;

use std::io;
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{Builder, JoinHandle};

use rustix::event::{EventfdFlags, eventfd};

pub(crate) use self::answer::Answer;
use self::queue::{Command, Inbox, Outbox, Publication};
pub(crate) use self::topic::{Offer, Serve, Subscription, Topic};
use self::transport::Transport;
use crate::connection::Connection;
use crate::lock::lock;

/// Messages that may wait for the thread: more are dropped, and counted by the host.
const MAX_WAITING: usize = 64;

/// The nodes of this process.
static NODES: Mutex<Vec<Weak<Node>>> = Mutex::new(Vec::new());

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

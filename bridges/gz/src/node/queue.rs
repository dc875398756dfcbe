//! The queues to the thread of a node.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender};

use super::answer::{Reply, TakesReplies};
use super::topic::{Offer, Subscription, Topic};

/// What the thread is told.
pub(super) enum Command {
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
pub(super) struct Publication {
    pub(super) topic: Arc<Topic>,
    pub(super) bytes: Vec<u8>,
}

/// The queues to the thread.
pub(super) struct Inbox {
    pub(super) commands: Sender<Command>,
    pub(super) publications: SyncSender<Publication>,
    /// Wakes the thread.
    pub(super) wake: OwnedFd,
}

impl Inbox {
    pub(super) fn tell(&self, command: Command) {
        // The thread lives as long as the node.
        drop(self.commands.send(command));
        self.ring();
    }

    pub(super) fn ring(&self) {
        if let Err(error) = rustix::io::write(&self.wake, &1_u64.to_ne_bytes()) {
            log::debug!("the thread of gz-transport is not woken: {error}");
        }
    }
}

/// The other ends of the queues.
pub(super) struct Outbox {
    pub(super) commands: Receiver<Command>,
    pub(super) publications: Receiver<Publication>,
}

impl TakesReplies for Inbox {
    fn take_reply(&self, reply: Reply) {
        self.tell(Command::Reply(reply));
    }
}

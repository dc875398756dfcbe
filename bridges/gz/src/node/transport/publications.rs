//! The messages of the run on their way to peers.

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::os::fd::RawFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use bridgehead_zeromq::{Message, Publisher, Refusal};

use crate::codes::{FOREIGN, LIMIT};
use crate::node::topic::Topic;
use crate::wall_clock::Limiter;

/// The socket that publishes, and what a late subscriber receives.
pub(super) struct Publications {
    publisher: Publisher,
    topics: BTreeMap<String, Arc<Topic>>,
    /// The last message of each latched topic, by its name.
    last: BTreeMap<String, Message>,
    foreign: Limiter,
    excess: Limiter,
    slow: Limiter,
}

impl Publications {
    pub(super) fn bind(ip: Ipv4Addr) -> io::Result<Self> {
        Ok(Publications {
            publisher: Publisher::bind(ip)?,
            topics: BTreeMap::new(),
            last: BTreeMap::new(),
            foreign: Limiter::default(),
            excess: Limiter::default(),
            slow: Limiter::default(),
        })
    }

    /// Returns where peers connect.
    pub(super) fn address(&self) -> &str {
        self.publisher.address()
    }

    pub(super) fn descriptors(&self) -> impl Iterator<Item = (RawFd, bool)> + '_ {
        self.publisher.descriptors()
    }

    pub(super) fn topics(&self) -> impl Iterator<Item = &Arc<Topic>> {
        self.topics.values()
    }

    pub(super) fn find(&self, name: &str) -> Option<&Arc<Topic>> {
        self.topics.get(name)
    }

    /// Adds a topic, in place of one of the same name. Returns false if it is to give way to that.
    pub(super) fn add(&mut self, topic: &Arc<Topic>) -> bool {
        if topic.is_spare && self.topics.contains_key(&topic.name) {
            return false;
        }
        // A subscriber may have been faster.
        self.note_subscribers(topic);
        self.topics.insert(topic.name.clone(), Arc::clone(topic));
        true
    }

    /// Removes a topic. Returns false if another has taken its place.
    pub(super) fn remove(&mut self, topic: &Arc<Topic>) -> bool {
        let is_known = self.topics.get(&topic.name).is_some_and(|known| Arc::ptr_eq(known, topic));
        if is_known {
            self.topics.remove(&topic.name);
            self.last.remove(&topic.name);
        }
        is_known
    }

    pub(super) fn send(&mut self, topic: &Topic, bytes: Vec<u8>) {
        let address = self.publisher.address().as_bytes();
        let message = Message::new(topic.name.as_bytes(), address, bytes, topic.type_name.as_bytes());
        for _ in 0..self.publisher.send(&message) {
            self.slow
                .warn(&format!("[{LIMIT}] a peer reads {} too slowly, and misses a message", topic.name));
        }
        if topic.is_latched && self.topics.contains_key(&topic.name) {
            self.last.insert(topic.name.clone(), message);
        }
    }

    /// Serves the peers, and sends late subscribers what they lack.
    pub(super) fn turn(&mut self, now: Instant) {
        let turn = self.publisher.turn(now);
        for refusal in turn.refused {
            let port = self.publisher.address();
            match refusal {
                Refusal::Foreign(why) => {
                    self.foreign.warn(&format!("[{FOREIGN}] a peer of {port} is disconnected: {why}"));
                }
                Refusal::Excess(why) => {
                    self.excess.warn(&format!("[{LIMIT}] a peer of {port} is disconnected: {why}"));
                }
            }
        }
        for (peer, prefix) in turn.subscribed {
            for (_, message) in self.last.iter().filter(|(name, _)| name.as_bytes().starts_with(&prefix)) {
                self.publisher.send_to(peer, message);
            }
        }
        if turn.is_changed {
            self.topics.values().for_each(|topic| self.note_subscribers(topic));
        }
    }

    fn note_subscribers(&self, topic: &Topic) {
        let has_some = self.publisher.has_subscribers(topic.name.as_bytes());
        topic.has_listeners.store(has_some, Ordering::Release);
    }
}

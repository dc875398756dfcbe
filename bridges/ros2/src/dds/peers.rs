//! Who is at the other end: endpoints elsewhere, as discovery tells of them.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use rustdds::{DomainParticipant, DomainParticipantStatusEvent as Event, GUID};

use super::{Guid, Vendor};
use crate::lock::lock;

/// Bytes of the length that stands before user data.
const LENGTH_BYTES: usize = 4;

/// Topics that are named at most: names come from others.
const MAX_LOGGED_TOPICS: usize = 256;

/// An endpoint elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Whose implementation it is.
    pub vendor: Vendor,
    /// The DDS topic it is for.
    pub topic: String,
    /// The DDS type it says to have.
    pub kind: String,
    /// What it announced: of ROS 2, texts as `typehash=RIHS01_…;` and, of Cyclone's clients, `clientid=…;`.
    pub user_data: Vec<u8>,
}

/// All endpoints elsewhere, and which of them are matched with which of ours.
pub(super) struct Peers {
    own: Guid,
    known: Mutex<Known>,
    has_changed: Condvar,
}

#[derive(Default)]
struct Known {
    vendors: HashMap<[u8; 12], Vendor>,
    readers: HashMap<Guid, Peer>,
    writers: HashMap<Guid, Peer>,
    /// Readers elsewhere by writers of ours.
    matched: HashMap<Guid, HashSet<Guid>>,
    /// Topics of which it was said that the other side asks for more than is offered.
    logged_topics: HashSet<String>,
}

impl Known {
    fn peer(&self, guid: Guid, topic: &str, kind: &str, user_data: &[u8]) -> Peer {
        let vendor = self.vendors.get(&guid.prefix()).copied();
        Peer {
            vendor: vendor.unwrap_or_else(|| guid.vendor()),
            topic: topic.to_owned(),
            kind: kind.to_owned(),
            user_data: user_data.get(LENGTH_BYTES..).unwrap_or_default().to_vec(),
        }
    }

    fn readers_of(&self, writer: Guid, kind: &str) -> Vec<Guid> {
        let readers = self.matched.get(&writer).into_iter().flatten();
        readers.filter(|guid| self.readers.get(guid).is_none_or(|peer| peer.kind == kind)).copied().collect()
    }

    fn forget_participant(&mut self, prefix: [u8; 12]) {
        self.vendors.remove(&prefix);
        self.readers.retain(|guid, _| guid.prefix() != prefix);
        self.writers.retain(|guid, _| guid.prefix() != prefix);
        for readers in self.matched.values_mut() {
            readers.retain(|guid| guid.prefix() != prefix);
        }
    }

    fn forget_reader(&mut self, guid: Guid) {
        self.readers.remove(&guid);
        for readers in self.matched.values_mut() {
            readers.remove(&guid);
        }
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::ParticipantDiscovered { dpd } => {
                let vendor = Vendor::of(dpd.vendor_id.as_bytes());
                self.vendors.insert(Guid::from(dpd.guid).prefix(), vendor);
            }
            Event::ParticipantLost { id, .. } => {
                let guid = GUID { prefix: *id, ..GUID::GUID_UNKNOWN };
                self.forget_participant(Guid::from(guid).prefix());
            }
            Event::ReaderDetected { reader } => {
                let guid = Guid::from(reader.guid);
                let peer = self.peer(guid, &reader.topic_name, &reader.type_name, &reader.user_data);
                self.readers.insert(guid, peer);
            }
            Event::WriterDetected { writer } => {
                let guid = Guid::from(writer.guid);
                let peer = self.peer(guid, &writer.topic_name, &writer.type_name, &writer.user_data);
                self.writers.insert(guid, peer);
            }
            Event::ReaderLost { guid, .. } => self.forget_reader(Guid::from(*guid)),
            Event::WriterLost { guid, .. } => drop(self.writers.remove(&Guid::from(*guid))),
            Event::RemoteReaderMatched { local_writer, remote_reader } => {
                let writer = Guid::from(*local_writer);
                self.matched.entry(writer).or_default().insert(Guid::from(*remote_reader));
            }
            Event::RemoteReaderQosIncompatible { remote_reader, .. } => {
                let topic = self.readers.get(&Guid::from(*remote_reader)).map(|peer| peer.topic.clone());
                self.log_mismatch(
                    topic,
                    "subscriber asks for more than is offered here",
                    "`sensors=reliable`",
                );
            }
            Event::RemoteWriterQosIncompatible { remote_writer, .. } => {
                let topic = self.writers.get(&Guid::from(*remote_writer)).map(|peer| peer.topic.clone());
                self.log_mismatch(
                    topic,
                    "publisher offers less than is asked for here",
                    "a reliable publisher",
                );
            }
            _ => {}
        }
    }

    /// Says once per topic that its two sides do not agree: neither hears anything, and neither says why.
    fn log_mismatch(&mut self, topic: Option<String>, what: &str, advice: &str) {
        let Some(topic) = topic else { return };
        if self.logged_topics.len() < MAX_LOGGED_TOPICS && self.logged_topics.insert(topic.clone()) {
            log::warn!(
                "the DDS topic {topic} stays without a connection: a {what} (reliability or durability); try {advice}, \
                 or ask for less there [BH-ROS-009]"
            );
        }
    }
}

impl Peers {
    /// For a participant with the address `own`.
    pub(super) fn new(own: Guid) -> Self {
        Peers { own, known: Mutex::default(), has_changed: Condvar::new() }
    }

    /// Takes in an event.
    pub(super) fn take(&self, event: &Event) {
        lock(&self.known).take(event);
        self.has_changed.notify_all();
    }

    /// A reader elsewhere. Events may be late: then the database of discovery is asked.
    pub(super) fn reader(&self, guid: Guid, dds: &DomainParticipant) -> Option<Peer> {
        if guid.prefix() == self.own.prefix() {
            return None;
        }
        let known = lock(&self.known).readers.get(&guid).cloned();
        known.or_else(|| {
            let all = dds.discovered_readers();
            let found =
                all.into_iter().find(|reader| Guid::from(reader.reader_proxy.remote_reader_guid) == guid)?;
            let data = &found.subscription_topic_data;
            Some(lock(&self.known).peer(guid, data.topic_name(), data.type_name(), &found.user_data))
        })
    }

    /// A writer elsewhere, as [`Peers::reader`].
    pub(super) fn writer(&self, guid: Guid, dds: &DomainParticipant) -> Option<Peer> {
        if guid.prefix() == self.own.prefix() {
            return None;
        }
        let known = lock(&self.known).writers.get(&guid).cloned();
        known.or_else(|| {
            let all = dds.discovered_writers();
            let found =
                all.into_iter().find(|writer| Guid::from(writer.writer_proxy.remote_writer_guid) == guid)?;
            let data = &found.publication_topic_data;
            Some(lock(&self.known).peer(guid, data.topic_name(), &data.type_name, &found.user_data))
        })
    }

    /// Whether a writer elsewhere is known to write another type: `rustdds` matches by the names of topics alone.
    pub(super) fn writes_other_than(&self, kind: &str, writer: Guid) -> bool {
        lock(&self.known).writers.get(&writer).is_some_and(|peer| peer.kind != kind)
    }

    /// The readers that a writer of ours is matched with, those of another type left out.
    pub(super) fn matched(&self, writer: Guid, kind: &str) -> Vec<Guid> {
        lock(&self.known).readers_of(writer, kind)
    }

    /// Waits until a writer of ours is matched with a reader that is `wanted`.
    pub(super) fn await_match(
        &self,
        writer: Guid,
        wanted: impl Fn(Guid, Option<&Peer>) -> bool,
        timeout: Duration,
    ) -> Option<Guid> {
        let find = |known: &Known| {
            let mut readers = known.matched.get(&writer).into_iter().flatten();
            readers.find(|guid| wanted(**guid, known.readers.get(guid))).copied()
        };
        let known = lock(&self.known);
        let waited = self.has_changed.wait_timeout_while(known, timeout, |known| find(known).is_none());
        let (known, _) = waited.unwrap_or_else(PoisonError::into_inner);
        find(&known)
    }

    /// Waits until the readers that a writer of ours is matched with are as `wanted`.
    pub(super) fn await_readers(
        &self,
        writer: Guid,
        kind: &str,
        wanted: impl Fn(&[Guid]) -> bool,
        timeout: Duration,
    ) -> bool {
        let known = lock(&self.known);
        let is_wanted = |known: &Known| wanted(&known.readers_of(writer, kind));
        let waited = self.has_changed.wait_timeout_while(known, timeout, |known| !is_wanted(known));
        is_wanted(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// A writer of ours is gone.
    pub(super) fn forget_writer(&self, writer: Guid) {
        lock(&self.known).matched.remove(&writer);
    }
}

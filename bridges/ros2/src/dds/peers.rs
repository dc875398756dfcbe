//! Remote endpoints, as discovery reports them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::wall_clock;
use rustdds::{DomainParticipant, DomainParticipantStatusEvent as Event, GUID};

use super::guard::{GuardedParticipant, matched};
use super::guid::{Guid, Vendor};
use super::logged::Logged;
use super::lost::Lost;
use super::sole::{Side, SoleEndpoints};

/// Bytes of the length before user data.
const LENGTH_BYTES: usize = 4;

/// A remote endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its DDS implementation.
    pub vendor: Vendor,
    /// Its DDS topic.
    pub topic: String,
    /// Its DDS type.
    pub kind: String,
    /// The user data it announced: in ROS 2 texts such as `typehash=RIHS01_…;` and, of Cyclone's clients,
    /// `clientid=…;`.
    pub user_data: Vec<u8>,
}

/// All remote endpoints, and the local ones with which they are matched.
pub(super) struct Peers {
    own: Guid,
    known: Mutex<Known>,
    has_changed: Condvar,
}

struct Known {
    own: Guid,
    guarded: Arc<GuardedParticipant>,
    vendors: HashMap<[u8; 12], Vendor>,
    readers: HashMap<Guid, Peer>,
    writers: HashMap<Guid, Peer>,
    /// Remote endpoints by local one.
    matched: HashMap<Guid, HashSet<Guid>>,
    lost: Lost,
    /// Number of remote endpoints that have departed.
    departed: u32,
    logged: Arc<Logged>,
    sole: SoleEndpoints,
}

impl Known {
    fn new(own: Guid, domain: u16, guarded: Arc<GuardedParticipant>, logged: Arc<Logged>) -> Self {
        Known {
            own,
            guarded,
            vendors: HashMap::new(),
            readers: HashMap::new(),
            writers: HashMap::new(),
            matched: HashMap::new(),
            lost: Lost::default(),
            departed: 0,
            sole: SoleEndpoints::new(own, domain, Arc::clone(&logged)),
            logged,
        }
    }

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
        let before = self.readers.len() + self.writers.len();
        self.vendors.remove(&prefix);
        self.lost.add_participant(prefix, wall_clock::now());
        self.readers.retain(|guid, _| guid.prefix() != prefix);
        self.writers.retain(|guid, _| guid.prefix() != prefix);
        self.note_departed(before - self.readers.len() - self.writers.len());
        for remote in self.matched.values_mut() {
            remote.retain(|guid| guid.prefix() != prefix);
        }
    }

    fn forget(&mut self, guid: Guid) {
        let is_reader = self.readers.remove(&guid).is_some();
        let is_writer = self.writers.remove(&guid).is_some();
        self.note_departed(usize::from(is_reader || is_writer));
        self.lost.add(guid, wall_clock::now());
        for remote in self.matched.values_mut() {
            remote.remove(&guid);
        }
    }

    fn note_departed(&mut self, endpoints: usize) {
        self.guarded.note_departed(endpoints);
        self.count_departed(endpoints);
    }

    fn count_departed(&mut self, endpoints: usize) {
        self.departed = self.departed.saturating_add(u32::try_from(endpoints).unwrap_or(u32::MAX));
    }

    /// Returns whether a detected endpoint is to be recorded. One that has departed already counts as departed, but leaves
    /// no place: `rustdds` may still keep it, if a peer announces it again.
    fn admit_detected(&mut self, guid: Guid) -> bool {
        let has_departed = self.lost.contains(guid, wall_clock::now());
        self.count_departed(usize::from(has_departed));
        !has_departed
    }

    /// Records a match. `rustdds` matches own endpoints too, which ignore each other's samples.
    fn note_match(&mut self, local: GUID, remote: GUID) {
        let (local, remote) = (Guid::from(local), Guid::from(remote));
        if remote.prefix() != self.own.prefix() && !self.lost.contains(remote, wall_clock::now()) {
            self.matched.entry(local).or_default().insert(remote);
        }
    }

    fn process(&mut self, event: &Event) {
        match event {
            Event::ParticipantDiscovered { dpd } => {
                let (prefix, vendor) = (Guid::from(dpd.guid).prefix(), Vendor::of(dpd.vendor_id.as_bytes()));
                self.vendors.insert(prefix, vendor);
                self.lost.remove_participant(prefix);
            }
            Event::ParticipantLost { id, .. } => {
                let guid = GUID { prefix: *id, ..GUID::GUID_UNKNOWN };
                self.forget_participant(Guid::from(guid).prefix());
            }
            Event::ReaderDetected { reader } => {
                let guid = Guid::from(reader.guid);
                let peer = self.peer(guid, &reader.topic_name, &reader.type_name, &reader.user_data);
                if self.admit_detected(guid) {
                    self.warn_of(Side::Reads, guid, &peer);
                    self.readers.insert(guid, peer);
                }
            }
            Event::WriterDetected { writer } => {
                let guid = Guid::from(writer.guid);
                let peer = self.peer(guid, &writer.topic_name, &writer.type_name, &writer.user_data);
                if self.admit_detected(guid) {
                    self.warn_of(Side::Writes, guid, &peer);
                    self.writers.insert(guid, peer);
                }
            }
            Event::ReaderLost { guid, .. } | Event::WriterLost { guid, .. } => self.forget(Guid::from(*guid)),
            Event::RemoteReaderMatched { local_writer, remote_reader } => {
                self.note_match(*local_writer, *remote_reader);
            }
            Event::RemoteWriterMatched { local_reader, remote_writer } => {
                self.note_match(*local_reader, *remote_writer);
            }
            Event::RemoteReaderQosIncompatible { remote_reader, .. } => {
                let topic = self.readers.get(&Guid::from(*remote_reader)).map(|peer| peer.topic.clone());
                self.log_mismatch(
                    topic,
                    "subscriber requests more than is offered here",
                    "`sensors=reliable`",
                );
            }
            Event::RemoteWriterQosIncompatible { remote_writer, .. } => {
                let topic = self.writers.get(&Guid::from(*remote_writer)).map(|peer| peer.topic.clone());
                self.log_mismatch(
                    topic,
                    "publisher offers less than is requested here",
                    "a reliable publisher",
                );
            }
            _ => {}
        }
    }

    /// Logs that another participant does what only this one should do.
    fn warn_of(&self, side: Side, remote: Guid, peer: &Peer) {
        if let Some(warning) = self.sole.warning(remote, peer.vendor, side, &peer.topic) {
            log::warn!("{warning}");
        }
    }

    fn expect_alone(&mut self, endpoint: Guid, side: Side, topic: &str, what: String) {
        self.sole.add(endpoint, side, topic, what);
        let remote = match side {
            Side::Reads => &self.readers,
            Side::Writes => &self.writers,
        };
        let same: Vec<(Guid, Peer)> = remote
            .iter()
            .filter(|(_, peer)| peer.topic == topic)
            .map(|(guid, peer)| (*guid, peer.clone()))
            .collect();
        same.iter().for_each(|(guid, peer)| self.warn_of(side, *guid, peer));
    }

    /// Logs once per topic that the QoS of two sides does not match: no data flows, and neither side reports it.
    fn log_mismatch(&self, topic: Option<String>, what: &str, advice: &str) {
        let Some(topic) = topic else { return };
        if self.logged.admit_topic(&topic) {
            log::warn!(
                "[BH-ROS-009] the DDS topic {topic} is not connected: a {what} (reliability or durability); \
                 try {advice}, or request less there"
            );
        }
    }
}

impl Peers {
    /// Creates the list of a participant with the address `own`.
    pub(super) fn new(
        own: Guid,
        domain: u16,
        guarded: Arc<GuardedParticipant>,
        logged: &Arc<Logged>,
    ) -> Self {
        let known = Known::new(own, domain, guarded, Arc::clone(logged));
        Peers { own, known: Mutex::new(known), has_changed: Condvar::new() }
    }

    /// Logs a warning if another participant has, or will have, an endpoint on the same side of a topic as a local one,
    /// which does `what`.
    pub(super) fn expect_alone(&self, endpoint: Guid, side: Side, topic: &str, what: String) {
        lock(&self.known).expect_alone(endpoint, side, topic, what);
    }

    /// Forgets a local endpoint that was dropped.
    pub(super) fn forget_local(&self, endpoint: Guid) {
        let mut known = lock(&self.known);
        known.matched.remove(&endpoint);
        known.sole.remove(endpoint);
        drop(known);
        matched::forget(endpoint);
    }

    /// Ignores new remote participants from now on, or no longer.
    pub(super) fn ignore_new(&self, ignores: bool) {
        lock(&self.known).guarded.ignore_new(ignores);
    }

    /// Returns how many remote endpoints have departed.
    pub(super) fn departed(&self) -> u32 {
        lock(&self.known).departed
    }

    /// Returns whether a remote writer exists.
    pub(super) fn has_writer(&self, writer: Guid) -> bool {
        lock(&self.known).writers.contains_key(&writer)
    }

    /// Returns the remote endpoints with which a local one is matched, those of other types included.
    pub(super) fn matched_with(&self, local: Guid) -> HashSet<Guid> {
        lock(&self.known).matched.get(&local).cloned().unwrap_or_default()
    }

    /// Returns the places that departed endpoints have left in the limit of announcements.
    #[cfg(test)]
    pub(super) fn places(&self) -> u32 {
        lock(&self.known).guarded.places()
    }

    /// Processes an event.
    pub(super) fn process(&self, event: &Event) {
        lock(&self.known).process(event);
        self.has_changed.notify_all();
    }

    /// Returns a remote reader. If its event is late, the discovery database is asked.
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

    /// Returns a remote writer, like [`Peers::reader`].
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

    /// Returns true if a remote writer is known to have another type: `rustdds` matches by topic name alone.
    pub(super) fn writes_other_than(&self, kind: &str, writer: Guid) -> bool {
        lock(&self.known).writers.get(&writer).is_some_and(|peer| peer.kind != kind)
    }

    /// Returns the readers of the same type with which a local writer is matched.
    pub(super) fn matched(&self, writer: Guid, kind: &str) -> Vec<Guid> {
        lock(&self.known).readers_of(writer, kind)
    }

    /// Waits until a local writer is matched with a reader that is `wanted`.
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

    /// Waits until the readers with which a local writer is matched are as `wanted`.
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
}

#[cfg(test)]
mod tests;

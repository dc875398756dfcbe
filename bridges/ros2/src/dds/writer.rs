//! The outgoing endpoint of a topic.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::time::Duration;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::wall_clock;
use bytes::Bytes;
use rustdds::dds::WriteError;
use rustdds::{RTPSEntity, WriteOptionsBuilder};

use super::entry::Entry;
use super::first_heartbeat::FirstHeartbeats;
use super::graph::Graph;
use super::guid::{Guid, SampleId};
use super::movable::Movable;
use super::pair::Pair;
use super::participant::Participant;
use super::peers::Peer;
use super::qos::{Durability, History, Qos, Reliability};
use super::raw::{self, Outgoing};
use super::raw_participant::failed;
use super::sole::Side;

/// How long a writer that moves waits until its last samples have arrived, so that later ones do not overtake them.
const ARRIVAL: Duration = Duration::from_millis(100);
/// The same for samples that readers do not acknowledge.
const UNACKNOWLEDGED_ARRIVAL: Duration = Duration::from_millis(10);

/// Options of one write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The sample that this one replies to, sent as inline QoS: Fast DDS identifies replies by it.
    pub related: Option<SampleId>,
    /// The only reader that receives it. Other readers do not notice the sample.
    pub to: Option<Guid>,
}

/// The outgoing endpoint of a topic. Peers forget it when it is dropped. Usable from any thread.
///
/// If its participant is renewed, it gets another address, and readers of a transient-local writer may get its last
/// samples once more.
pub struct Writer {
    state: Arc<State>,
}

struct State {
    topic: String,
    kind: String,
    qos: Qos,
    /// What only this writer should do, for a warning of others.
    sole: Mutex<Option<String>>,
    /// The last samples, which a transient-local writer takes with it.
    kept: Option<Mutex<VecDeque<Bytes>>>,
    /// Locked for writing while the writer changes from one to the other.
    endpoints: RwLock<Pair<Endpoint>>,
}

/// The writer in one participant.
struct Endpoint {
    dds: raw::Writer,
    first_heartbeats: FirstHeartbeats,
    /// Last, since the participant leaves its domain with the last of its endpoints.
    entry: Entry,
}

impl Writer {
    /// Opens a writer of a DDS topic (`rt/scan`) and type (`sensor_msgs::msg::dds_::LaserScan_`). Peers discover it at
    /// once; samples written before they have responded are lost to them unless the writer is transient local.
    ///
    /// Local endpoints announce no user data, since `rustdds` cannot send it. Cyclone peers then match services by
    /// name alone.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    pub fn open(participant: &Arc<Participant>, topic: &str, kind: &str, qos: Qos) -> Result<Self> {
        let endpoint = Endpoint::open(participant, topic, kind, qos)?;
        let state = Arc::new(State {
            topic: topic.to_owned(),
            kind: kind.to_owned(),
            qos,
            sole: Mutex::default(),
            kept: (qos.durability == Durability::TransientLocal).then(Mutex::default),
            endpoints: RwLock::new(Pair::new(endpoint)),
        });
        state.endpoints().used().entry.register(State::movable(&state));
        Ok(Writer { state })
    }

    /// Returns its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.state.used().guid()
    }

    /// Logs a warning for each other participant that writes to the topic too. `what` says what this writer does:
    /// `publishes /clock`.
    pub fn warn_of_others(&self, what: String) {
        *lock(&self.state.sole) = Some(what);
        self.state.both().iter().for_each(|endpoint| self.state.expect_alone(endpoint));
    }

    /// Writes a CDR body, little endian and without the four bytes of encapsulation. It is padded with zeros to a
    /// multiple of four bytes: some readers lose other bodies if they are fragmented.
    ///
    /// A reliable writer with slow readers blocks for at most a tenth of a second, one that changes to a new participant
    /// for as long in addition, and a megabyte takes milliseconds in any case. So it must not be called on the simulation
    /// thread.
    ///
    /// # Errors
    /// Returns an error if readers are too far behind (status `TIMEOUT`) or the participant has failed.
    pub fn write(&self, mut body: Vec<u8>, options: WriteOptions) -> Result<SampleId> {
        body.resize(body.len().next_multiple_of(4), 0);
        let body = Bytes::from(body);
        // Held until it is written, so that no sample is written through an endpoint that is no longer used.
        let endpoints = self.state.endpoints();
        let mut kept = self.state.kept.as_ref().map(lock);
        let id = match options.to {
            Some(reader) => {
                let endpoint = self.state.endpoint_for(reader, &endpoints);
                self.state.write(endpoint, body.clone(), options)?
            }
            None => self.state.write_to_all(&endpoints, &body, options)?,
        };
        if let Some(kept) = &mut kept {
            self.state.keep(kept, body);
        }
        Ok(id)
    }

    /// Waits for at most `timeout` until its readers have what was written. Samples that are in flight when the
    /// writer is dropped may be lost.
    pub fn flush(&self, timeout: Duration) {
        for endpoint in self.state.both() {
            // A reader that does not respond is not waited for any longer.
            drop(endpoint.dds.wait_for_acknowledgments(timeout));
        }
    }

    /// Returns true if it is matched with a reader.
    #[must_use]
    pub fn has_readers(&self) -> bool {
        !self.readers().is_empty()
    }

    /// Returns the remote readers with which it is matched. Like all functions of a writer, it waits while the writer
    /// changes to a new participant.
    #[must_use]
    pub fn readers(&self) -> Vec<Guid> {
        let mut readers: Vec<Guid> = Vec::new();
        for endpoint in self.state.both() {
            readers.extend(endpoint.readers(&self.state.kind));
        }
        readers.sort_unstable();
        readers.dedup();
        readers
    }

    /// Returns what is known about a remote reader.
    #[must_use]
    pub fn known_reader(&self, guid: Guid) -> Option<Peer> {
        self.state.both().into_iter().find_map(|endpoint| endpoint.participant().known_reader(guid))
    }

    /// Returns what is known about a remote writer.
    #[must_use]
    pub fn known_writer(&self, guid: Guid) -> Option<Peer> {
        self.state.both().into_iter().find_map(|endpoint| endpoint.participant().known_writer(guid))
    }

    /// Waits for at most `timeout` until a reader that is `wanted` is matched and returns its address. The [`Peer`]
    /// of a reader is `None` if it has just been matched. Must not be called on the thread of the participant, and so
    /// not in a handler: matches are processed there.
    #[must_use]
    pub fn await_reader(
        &self,
        wanted: impl Fn(Guid, Option<&Peer>) -> bool,
        timeout: Duration,
    ) -> Option<Guid> {
        let endpoint = self.state.used();
        endpoint.participant().state.peers.await_match(endpoint.guid(), wanted, timeout)
    }

    /// Waits for at most `timeout` until the matched readers are as `wanted` and returns whether they are. Like
    /// [`Writer::await_reader`], it must not be called in a handler.
    #[must_use]
    pub fn await_change(&self, wanted: impl Fn(&[Guid]) -> bool, timeout: Duration) -> bool {
        let endpoint = self.state.used();
        endpoint.participant().state.peers.await_readers(endpoint.guid(), &self.state.kind, wanted, timeout)
    }
}

impl State {
    fn endpoints(&self) -> RwLockReadGuard<'_, Pair<Endpoint>> {
        self.endpoints.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the endpoints once no sample is being written.
    fn change<T>(&self, change: impl FnOnce(&mut Pair<Endpoint>) -> T) -> T {
        change(&mut self.endpoints.write().unwrap_or_else(PoisonError::into_inner))
    }

    fn used(&self) -> Arc<Endpoint> {
        Arc::clone(self.endpoints().used())
    }

    fn both(&self) -> Vec<Arc<Endpoint>> {
        self.endpoints().both().cloned().collect()
    }

    /// Returns the endpoint that knows a reader, the one that is used if both do.
    fn endpoint_for<'a>(&self, reader: Guid, endpoints: &'a Pair<Endpoint>) -> &'a Endpoint {
        let knows = |endpoint: &Endpoint| endpoint.readers(&self.kind).contains(&reader);
        let other = endpoints.other().filter(|other| !knows(endpoints.used()) && knows(other));
        other.unwrap_or(endpoints.used())
    }

    /// Writes to the readers that the used endpoint knows, and to those that only the other one knows.
    fn write_to_all(
        &self,
        endpoints: &Pair<Endpoint>,
        body: &Bytes,
        options: WriteOptions,
    ) -> Result<SampleId> {
        let id = self.write(endpoints.used(), body.clone(), options)?;
        let Some(other) = endpoints.other() else { return Ok(id) };
        if self.kept.is_some() {
            // Both keep it for late readers.
            self.write(other, body.clone(), options)?;
            return Ok(id);
        }
        let known = endpoints.used().readers(&self.kind);
        for reader in other.readers(&self.kind).into_iter().filter(|reader| !known.contains(reader)) {
            self.write(other, body.clone(), WriteOptions { to: Some(reader), ..options })?;
        }
        Ok(id)
    }

    fn movable(state: &Arc<Self>) -> Weak<dyn Movable<Participant>> {
        Arc::downgrade(&(Arc::clone(state) as Arc<dyn Movable<Participant>>))
    }

    fn expect_alone(&self, endpoint: &Endpoint) {
        if let Some(what) = lock(&self.sole).clone() {
            let peers = &endpoint.participant().state.peers;
            peers.expect_alone(endpoint.guid(), Side::Writes, &self.topic, what);
        }
    }

    fn write(&self, endpoint: &Endpoint, body: Bytes, options: WriteOptions) -> Result<SampleId> {
        let mut builder =
            WriteOptionsBuilder::new().related_sample_identity_opt(options.related.map(Into::into));
        if let Some(reader) = options.to {
            endpoint.send_first_heartbeat_to(reader, &self.kind);
            builder = builder.to_single_reader(reader.into());
        } else if self.qos.reliability == Reliability::Reliable && self.kept.is_none() {
            endpoint.send_heartbeats_to_joining(&self.kind);
        }
        let written = endpoint.dds.write_with_options(Outgoing(body), builder.build());
        let id = written.map(SampleId::from).map_err(|error| match error {
            WriteError::WouldBlock { .. } => Error::with_status(
                status::TIMEOUT,
                format!("readers of the DDS topic {} do not keep up; they lose a message", self.topic),
            ),
            other => failed(format_args!("writing to the DDS topic {}", self.topic), &other),
        })?;
        endpoint.first_heartbeats.note(id.sequence);
        Ok(id)
    }

    fn keep(&self, kept: &mut VecDeque<Bytes>, body: Bytes) {
        kept.push_back(body);
        if let History::KeepLast(most) | History::Replies(most) = self.qos.history {
            while kept.len() > most as usize {
                kept.pop_front();
            }
        }
    }

    /// Waits for the arrival of what was written.
    fn await_arrival(&self, endpoint: &Endpoint) {
        match self.qos.reliability {
            Reliability::Reliable => drop(endpoint.dds.wait_for_acknowledgments(ARRIVAL)),
            Reliability::BestEffort => std::thread::sleep(UNACKNOWLEDGED_ARRIVAL),
        }
    }

    fn write_kept(&self, endpoint: &Endpoint) -> Result {
        for body in self.kept.iter().flat_map(|kept| lock(kept).clone()) {
            self.write(endpoint, body, WriteOptions::default())?;
        }
        Ok(())
    }
}

impl Movable<Participant> for State {
    fn open_other(self: Arc<Self>, to: &Arc<Participant>) -> Result {
        let other = Endpoint::open(to, &self.topic, &self.kind, self.qos)?;
        other.entry.register(State::movable(&self));
        let replaced: Result<_> = self.change(|endpoints| {
            self.write_kept(&other)?;
            Ok(endpoints.add(other))
        });
        drop(replaced?);
        self.both().iter().for_each(|endpoint| self.expect_alone(endpoint));
        Ok(())
    }

    fn matched(&self) -> HashSet<Guid> {
        self.used().matched()
    }

    fn other_matched(&self) -> HashSet<Guid> {
        self.endpoints().other().map(|other| other.matched()).unwrap_or_default()
    }

    fn send_first_heartbeats(&self) {
        let Some(other) = self.endpoints().other().cloned() else { return };
        for reader in other.readers(&self.kind) {
            other.send_first_heartbeat_to(reader, &self.kind);
        }
    }

    fn swap(&self) {
        self.change(|endpoints| {
            self.await_arrival(endpoints.used());
            endpoints.swap();
        });
    }

    fn has_other_delivered(&self) -> bool {
        let other = self.endpoints().other().cloned();
        other.is_none_or(|other| !matches!(other.dds.wait_for_acknowledgments(Duration::ZERO), Ok(false)))
    }

    fn close_other(&self) {
        drop(self.change(Pair::remove_other));
    }
}

impl Endpoint {
    fn open(participant: &Arc<Participant>, topic: &str, kind: &str, qos: Qos) -> Result<Self> {
        let dds = participant.state.raw.writer(topic, kind, qos)?;
        let entry = Entry::new(dds.guid().into(), participant, Graph::add_writer);
        Ok(Endpoint { dds, first_heartbeats: FirstHeartbeats::default(), entry })
    }

    fn guid(&self) -> Guid {
        self.entry.guid()
    }

    fn participant(&self) -> &Participant {
        self.entry.participant()
    }

    fn matched(&self) -> HashSet<Guid> {
        self.participant().state.peers.matched_with(self.guid())
    }

    fn readers(&self, kind: &str) -> Vec<Guid> {
        self.participant().state.peers.matched(self.guid(), kind)
    }

    /// Sends a first heartbeat before the first sample that is for this reader alone.
    fn send_first_heartbeat_to(&self, reader: Guid, kind: &str) {
        if let Some(last) = self.first_heartbeats.due(reader, || self.readers(kind)) {
            self.participant().state.raw.send_first_heartbeat(self.guid(), last, reader);
        }
    }

    /// Sends heartbeats before a sample for all readers to those that may not have discovered the writer yet. Readers of a
    /// transient-local writer need none: they request all samples that they miss.
    fn send_heartbeats_to_joining(&self, kind: &str) {
        let (readers, last) = self.first_heartbeats.joining(wall_clock::now(), || self.readers(kind));
        for reader in readers {
            self.participant().state.raw.send_first_heartbeat(self.guid(), last, reader);
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.participant().state.peers.forget_local(self.guid());
    }
}

#[cfg(test)]
mod tests;

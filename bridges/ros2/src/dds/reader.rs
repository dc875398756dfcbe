//! The incoming endpoint of a topic.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use rustdds::Timestamp;
use rustdds::no_key::DeserializedCacheChange;

use super::delivery::{Delivery, Handler, Sample};
use super::graph::Graph;
use super::guid::{Guid, SampleId};
use super::movable::{Entry, Movable};
use super::pair::Pair;
use super::participant::{Core, Participant};
use super::qos::{Durability, Qos};
use super::raw::{self, Incoming};
use super::receive::{SampleSource, Signal, waker};
use super::sole::Side;
use crate::lock::lock;

/// The incoming endpoint of a topic. Once it is dropped, its handler no longer runs; dropping it waits for a call in
/// progress, so a handler must not drop its own reader. If its participant is renewed, it gets another address.
pub struct Reader {
    state: Arc<State>,
}

struct State {
    qos: Qos,
    /// What only this reader should do, for a warning of others.
    sole: Mutex<Option<String>>,
    delivery: Arc<Delivery>,
    endpoints: Mutex<Pair<Endpoint>>,
}

/// The reader in one participant.
struct Endpoint {
    source: Arc<Source>,
    /// Last, since the participant leaves its domain with the last of its endpoints.
    entry: Entry,
}

/// Shared with the thread of the participant.
struct Source {
    core: Arc<Core>,
    dds: raw::Reader,
    /// Earlier samples are ignored: `rustdds` keeps samples per topic, not per reader.
    since: Option<Timestamp>,
    delivery: Arc<Delivery>,
}

impl Reader {
    pub(super) fn new(
        participant: &Arc<Participant>,
        topic: &str,
        kind: &str,
        qos: Qos,
        handler: Handler,
    ) -> Result<Self> {
        let delivery = Arc::new(Delivery::new(topic, kind, handler));
        let endpoint = Endpoint::open(participant, &delivery, qos)?;
        let (sole, endpoints) = (Mutex::default(), Mutex::new(Pair::new(endpoint)));
        let state = Arc::new(State { qos, sole, delivery, endpoints });
        state.used().entry.register(State::movable(&state));
        Ok(Reader { state })
    }

    /// Returns its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.state.used().entry.guid()
    }

    /// Logs a warning for each other participant that reads the topic too. `what` says what this reader does: `offers
    /// the service /load_world`.
    pub fn warn_of_others(&self, what: String) {
        *lock(&self.state.sole) = Some(what);
        self.state.both().iter().for_each(|endpoint| self.state.expect_alone(endpoint));
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.state.delivery.end();
    }
}

impl State {
    fn used(&self) -> Arc<Endpoint> {
        Arc::clone(lock(&self.endpoints).used())
    }

    fn both(&self) -> Vec<Arc<Endpoint>> {
        lock(&self.endpoints).both().cloned().collect()
    }

    fn movable(state: &Arc<Self>) -> Weak<dyn Movable> {
        Arc::downgrade(&(Arc::clone(state) as Arc<dyn Movable>))
    }

    fn expect_alone(&self, endpoint: &Endpoint) {
        if let Some(what) = lock(&self.sole).clone() {
            let peers = &endpoint.entry.participant().core.peers;
            peers.expect_alone(endpoint.entry.guid(), Side::Reads, self.delivery.topic(), what);
        }
    }
}

impl Movable for State {
    fn open_other(self: Arc<Self>, to: &Arc<Participant>) -> Result {
        self.delivery.set_moving(true);
        let other = Endpoint::open(to, &self.delivery, self.qos)?;
        other.entry.register(State::movable(&self));
        drop(lock(&self.endpoints).add(other));
        self.both().iter().for_each(|endpoint| self.expect_alone(endpoint));
        Ok(())
    }

    fn matched(&self) -> HashSet<Guid> {
        self.used().matched()
    }

    fn other_matched(&self) -> HashSet<Guid> {
        let other = lock(&self.endpoints).other().cloned();
        other.map(|other| other.matched()).unwrap_or_default()
    }

    fn send_first_heartbeats(&self) {}

    fn swap(&self) {
        lock(&self.endpoints).swap();
    }

    fn has_other_delivered(&self) -> bool {
        true
    }

    fn close_other(&self) {
        let other = lock(&self.endpoints).remove_other();
        drop(other);
        self.delivery.set_moving(false);
    }
}

impl Endpoint {
    fn open(participant: &Arc<Participant>, delivery: &Arc<Delivery>, qos: Qos) -> Result<Self> {
        let core = &participant.core;
        let since = (qos.durability == Durability::Volatile).then(Timestamp::now);
        let dds = core.bare_reader(delivery.topic(), delivery.kind(), qos)?;
        let entry = Entry::new(dds.guid().into(), participant, Graph::add_reader);
        let source = Arc::new(Source { core: Arc::clone(core), dds, since, delivery: Arc::clone(delivery) });
        core.signal(Signal::Samples(source.weak()));
        Ok(Endpoint { source, entry })
    }

    fn matched(&self) -> HashSet<Guid> {
        self.source.core.peers.matched_with(self.entry.guid())
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.source.core.peers.forget_local(self.entry.guid());
    }
}

impl SampleSource for Source {
    fn drain(self: Arc<Self>) {
        self.dds.drain_read_notifications();
        self.hand_over();
        self.dds.set_waker(Some(waker(&self.core.signals(), Some(self.weak()))));
        // Samples that arrived before the waker was set did not wake it.
        self.hand_over();
    }
}

impl Source {
    fn weak(self: &Arc<Self>) -> Weak<dyn SampleSource> {
        Arc::downgrade(&(Arc::clone(self) as Arc<dyn SampleSource>))
    }

    fn hand_over(&self) {
        loop {
            match self.dds.try_take_one() {
                Ok(Some(change)) => self.hand(change),
                Ok(None) => return,
                Err(error) => self.delivery.log_malformed(&error),
            }
        }
    }

    fn hand(&self, change: DeserializedCacheChange<Incoming>) {
        if self.since.is_some_and(|since| change.receive_instant < since) {
            return;
        }
        let guid = Guid::from(change.writer_guid);
        // The host passes messages between its plugins itself: those that come back would arrive twice.
        if guid.prefix() == self.core.guid().prefix() {
            return;
        }
        // Readers of one topic share its samples, whatever their types are.
        if self.core.peers.writes_other_than(self.delivery.kind(), guid) {
            return;
        }
        let sample = Sample {
            id: SampleId { guid, sequence: change.sequence_number.into() },
            related: change.related_sample_identity().map(Into::into),
            vendor: guid.vendor(),
            encoding: change.sample.encoding,
            body: change.sample.body,
        };
        self.delivery.deliver(sample, |writer| self.core.peers.has_writer(writer));
    }
}

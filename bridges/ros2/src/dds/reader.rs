//! The incoming endpoint of a topic.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;
use rustdds::Timestamp;
use rustdds::no_key::DeserializedCacheChange;

use super::delivery::{Delivery, Sample};
use super::entry::Entry;
use super::graph::Graph;
use super::guid::{Guid, SampleId};
use super::movable::Movable;
use super::pair::Pair;
use super::participant::Participant;
use super::participant_state::ParticipantState;
use super::qos::{Durability, Qos};
use super::raw::{self, Incoming};
use super::signal::{SampleSource, Signal};
use super::sole::Side;

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
    participant: Arc<ParticipantState>,
    dds: raw::Reader,
    /// Earlier samples are ignored: `rustdds` keeps samples per topic, not per reader.
    since: Option<Timestamp>,
    delivery: Arc<Delivery>,
}

impl Reader {
    /// Opens a reader. `handler` runs on the thread of the participant, for one sample at a time, and on those of both
    /// participants while the reader moves to another one; it must not wait for long or drop its own reader. Samples
    /// written before the reader was opened are received only if it is transient local.
    ///
    /// # Errors
    /// Returns an error if `rustdds` cannot create it.
    pub fn open(
        participant: &Arc<Participant>,
        topic: &str,
        kind: &str,
        qos: Qos,
        handler: impl FnMut(Sample) + Send + 'static,
    ) -> Result<Self> {
        let delivery = Arc::new(Delivery::new(topic, kind, Box::new(handler)));
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

    fn movable(state: &Arc<Self>) -> Weak<dyn Movable<Participant>> {
        Arc::downgrade(&(Arc::clone(state) as Arc<dyn Movable<Participant>>))
    }

    fn expect_alone(&self, endpoint: &Endpoint) {
        if let Some(what) = lock(&self.sole).clone() {
            let peers = &endpoint.entry.participant().state.peers;
            peers.expect_alone(endpoint.entry.guid(), Side::Reads, self.delivery.topic(), what);
        }
    }
}

impl Movable<Participant> for State {
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
        let state = &participant.state;
        let since = (qos.durability == Durability::Volatile).then(Timestamp::now);
        let dds = state.raw.reader(delivery.topic(), delivery.kind(), qos)?;
        let entry = Entry::new(dds.guid().into(), participant, Graph::add_reader);
        let source =
            Arc::new(Source { participant: Arc::clone(state), dds, since, delivery: Arc::clone(delivery) });
        state.signals.send(Signal::Samples(source.weak()));
        Ok(Endpoint { source, entry })
    }

    fn matched(&self) -> HashSet<Guid> {
        self.source.participant.peers.matched_with(self.entry.guid())
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.source.participant.peers.forget_local(self.entry.guid());
    }
}

impl SampleSource for Source {
    fn drain(self: Arc<Self>) {
        self.dds.drain_read_notifications();
        self.hand_over();
        self.dds.set_waker(Some(self.participant.signals.waker(Some(self.weak()))));
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
        if guid.prefix() == self.participant.guid().prefix() {
            return;
        }
        // Readers of one topic share its samples, whatever their types are.
        if self.participant.peers.writes_other_than(self.delivery.kind(), guid) {
            return;
        }
        let sample = Sample {
            id: SampleId { guid, sequence: change.sequence_number.into() },
            related: change.related_sample_identity().map(Into::into),
            vendor: guid.vendor(),
            encoding: change.sample.encoding,
            body: change.sample.body,
        };
        self.delivery.deliver(sample, |writer| self.participant.peers.has_writer(writer));
    }
}

//! The incoming endpoint of a topic.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bytes::Bytes;
use rustdds::Timestamp;
use rustdds::no_key::{DeserializedCacheChange, SimpleDataReader};

use super::participant::{Core, Participant};
use super::raw::{self, Incoming};
use super::receive::{SampleSource, Signal, waker};
use super::sole::Side;
use super::{Durability, Encoding, Guid, Qos, SampleId, Vendor};
use crate::lock::lock;

/// The underlying reader of `rustdds`.
pub(super) type Raw = SimpleDataReader<Incoming, raw::Raw>;

/// Handles a sample.
pub(super) type Handler = Box<dyn FnMut(Sample) + Send>;

/// One received sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The body, without the four bytes of encapsulation.
    pub body: Bytes,
    /// The encoding of the body.
    pub encoding: Encoding,
    /// Its writer and sequence number.
    pub id: SampleId,
    /// The related sample identity: of a reply the request, of a Fast DDS request the reader of its reply.
    pub related: Option<SampleId>,
    /// The DDS implementation of the writer.
    pub vendor: Vendor,
}

/// The incoming endpoint of a topic. Once it is dropped, its handler no longer runs; dropping it waits for a call in
/// progress, so a handler must not drop its own reader.
pub struct Reader {
    state: Arc<ReaderState>,
    /// Last, since it leaves its domain with the last of its endpoints.
    participant: Arc<Participant>,
}

/// The reader and its handler, shared with the thread of the participant.
struct ReaderState {
    core: Arc<Core>,
    dds: Raw,
    topic: String,
    kind: String,
    /// Earlier samples are ignored: `rustdds` keeps samples per topic, not per reader.
    since: Option<Timestamp>,
    handler: Mutex<Option<Handler>>,
    has_logged: std::sync::atomic::AtomicBool,
}

impl Reader {
    pub(super) fn new(
        participant: &Arc<Participant>,
        topic: &str,
        kind: &str,
        qos: Qos,
        handler: Handler,
    ) -> Result<Self> {
        let core = &participant.core;
        let since = (qos.durability == Durability::Volatile).then(Timestamp::now);
        let state = Arc::new(ReaderState {
            core: Arc::clone(core),
            dds: core.bare_reader(topic, kind, qos)?,
            topic: topic.to_owned(),
            kind: kind.to_owned(),
            since,
            handler: Mutex::new(Some(handler)),
            has_logged: false.into(),
        });
        let guid = state.dds.guid().into();
        core.change_graph(|graph| graph.add_reader(guid));
        let source: Weak<dyn SampleSource> = Arc::downgrade(&(Arc::clone(&state) as Arc<dyn SampleSource>));
        core.signal(Signal::Samples(source));
        Ok(Reader { state, participant: Arc::clone(participant) })
    }

    /// Returns its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.state.dds.guid().into()
    }

    /// Logs a warning for each other participant that reads the topic too. `what` says what this reader does: `offers
    /// the service /load_world`.
    pub fn warn_of_others(&self, what: String) {
        self.participant.core.peers.expect_alone(self.guid(), Side::Reads, &self.state.topic, what);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        drop(lock(&self.state.handler).take());
        let guid = self.guid();
        self.participant.core.peers.forget_reader(guid);
        self.participant.core.change_graph(|graph| graph.remove(guid));
    }
}

impl SampleSource for ReaderState {
    fn drain(self: Arc<Self>) {
        let source: Weak<dyn SampleSource> = Arc::downgrade(&(Arc::clone(&self) as Arc<dyn SampleSource>));
        self.dds.drain_read_notifications();
        self.hand_over();
        self.dds.set_waker(Some(waker(&self.core.signals(), Some(source))));
        // Samples that arrived before the waker was set did not wake it.
        self.hand_over();
    }
}

impl ReaderState {
    fn hand_over(&self) {
        loop {
            match self.dds.try_take_one() {
                Ok(Some(change)) => self.hand(change),
                Ok(None) => return,
                Err(error) => self.log(&error),
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
        if self.core.peers.writes_other_than(&self.kind, guid) {
            return;
        }
        let sample = Sample {
            id: SampleId { guid, sequence: change.sequence_number.into() },
            related: change.related_sample_identity().map(Into::into),
            vendor: guid.vendor(),
            encoding: change.sample.encoding,
            body: change.sample.body,
        };
        if let Some(handler) = lock(&self.handler).as_mut() {
            handler(sample);
        }
    }

    fn log(&self, error: &dyn std::fmt::Display) {
        if !self.has_logged.swap(true, std::sync::atomic::Ordering::Relaxed) {
            log::warn!(
                "a sample of the DDS topic {} is dropped, and so are further ones like it: {error}",
                self.topic
            );
        }
    }
}

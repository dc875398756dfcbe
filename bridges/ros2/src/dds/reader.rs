//! The incoming end of a topic.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bytes::Bytes;
use rustdds::Timestamp;
use rustdds::no_key::{DeserializedCacheChange, SimpleDataReader};

use super::participant::Core;
use super::raw::{self, Incoming};
use super::receive::{Signal, Source, waker};
use super::{Durability, Encoding, Guid, Qos, SampleId, Vendor};
use crate::lock::lock;

/// The reader of `rustdds` below.
pub(super) type Raw = SimpleDataReader<Incoming, raw::Raw>;

/// What a sample is handed to.
pub(super) type Handler = Box<dyn FnMut(Sample) + Send>;

/// One sample that came in.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The body, without the four bytes of encapsulation.
    pub body: Bytes,
    /// What the body is written in.
    pub encoding: Encoding,
    /// Who wrote it, and which of theirs it is.
    pub id: SampleId,
    /// The sample it answers, or, of a request of Fast DDS, where the answer shall go.
    pub related: Option<SampleId>,
    /// Whose implementation the writer belongs to.
    pub vendor: Vendor,
}

/// The incoming end of a topic. Once it is dropped its handler is gone, and runs no more; dropping it waits for a call
/// that is running, and is therefore not for the handler itself.
pub struct Reader {
    core: Arc<Core>,
    state: Arc<ReaderState>,
}

/// The reader with its handler, as the thread of the participant knows it.
struct ReaderState {
    core: Arc<Core>,
    dds: Raw,
    topic: String,
    kind: String,
    /// Samples received before are not for this reader: `rustdds` keeps them for all of a topic.
    since: Option<Timestamp>,
    handler: Mutex<Option<Handler>>,
    has_logged: std::sync::atomic::AtomicBool,
}

impl Reader {
    pub(super) fn new(core: &Arc<Core>, topic: &str, kind: &str, qos: Qos, handler: Handler) -> Result<Self> {
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
        core.graph.add_reader(state.dds.guid().into());
        core.signal(Signal::Graph);
        let source: Weak<dyn Source> = Arc::downgrade(&(Arc::clone(&state) as Arc<dyn Source>));
        core.signal(Signal::Samples(source));
        Ok(Reader { core: Arc::clone(core), state })
    }

    /// Its address.
    #[must_use]
    pub fn guid(&self) -> Guid {
        self.state.dds.guid().into()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        drop(lock(&self.state.handler).take());
        self.core.graph.remove(self.guid());
        self.core.signal(Signal::Graph);
    }
}

impl Source for ReaderState {
    fn drain(self: Arc<Self>) {
        let source: Weak<dyn Source> = Arc::downgrade(&(Arc::clone(&self) as Arc<dyn Source>));
        self.dds.drain_read_notifications();
        self.hand_over();
        self.dds.set_waker(Some(waker(&self.core.signals(), Some(source))));
        // What has come in between has woken nobody.
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
        // Readers of one topic share what came in, whatever their types are.
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
                "a sample of the DDS topic {} is left out, and so is every further one like it: {error}",
                self.topic
            );
        }
    }
}

//! Received samples, and the handler of a reader: it is called once for each sample, even if the sample arrives through two
//! endpoints.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use bridgehead_ros2_node::lock::lock;
use bytes::Bytes;

use super::duplicates::Duplicates;
use super::encoding::Encoding;
use super::guid::{Guid, SampleId, Vendor};

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

/// Handles a sample.
type Handler = Box<dyn FnMut(Sample) + Send>;

/// The handler of a reader.
pub(super) struct Delivery {
    topic: String,
    kind: String,
    handling: Mutex<Handling>,
    has_logged: AtomicBool,
}

struct Handling {
    /// `None` once the reader is dropped.
    handler: Option<Handler>,
    duplicates: Duplicates,
}

impl Delivery {
    pub(super) fn new(topic: &str, kind: &str, handler: Handler) -> Self {
        Delivery {
            topic: topic.to_owned(),
            kind: kind.to_owned(),
            handling: Mutex::new(Handling { handler: Some(handler), duplicates: Duplicates::default() }),
            has_logged: AtomicBool::new(false),
        }
    }

    pub(super) fn topic(&self) -> &str {
        &self.topic
    }

    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    /// Begins or ends a time in which each sample arrives through two endpoints.
    pub(super) fn set_moving(&self, is_moving: bool) {
        lock(&self.handling).duplicates.set_moving(is_moving);
    }

    /// Calls the handler, unless it has had the sample. `exists` tells whether a writer still exists.
    pub(super) fn deliver(&self, sample: Sample, exists: impl Fn(Guid) -> bool) {
        let mut handling = lock(&self.handling);
        if handling.duplicates.is_new(sample.id, exists)
            && let Some(handler) = &mut handling.handler
        {
            handler(sample);
        }
    }

    /// Calls the handler no longer. Waits for a call in progress.
    pub(super) fn end(&self) {
        drop(lock(&self.handling).handler.take());
    }

    /// Logs that a sample cannot be read, once.
    pub(super) fn log_malformed(&self, error: &dyn std::fmt::Display) {
        if !self.has_logged.swap(true, Ordering::Relaxed) {
            log::warn!(
                "a sample of the DDS topic {} is dropped, and so are further ones like it: {error}",
                self.topic
            );
        }
    }
}

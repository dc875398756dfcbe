//! Payloads in memory of plugins, on their way to readers.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;

use super::TopicEntry;
use crate::bus::BufferPool;
use crate::call;

/// The pool for the payloads of one topic that are in memory of a plugin.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The publisher that it is for: usually there is one.
    owner: String,
    pool: Option<Arc<BufferPool>>,
}

impl Kept {
    /// Returns a payload with the same bytes that readers cannot change or release too often ([`BufferPool::keep`]).
    pub(super) fn keep(&mut self, publisher: &str, topic: &str, payload: Payload) -> Payload {
        if BufferPool::is_kept(&payload) {
            return payload;
        }
        if self.pool.is_none() || self.owner != publisher {
            publisher.clone_into(&mut self.owner);
            self.pool = None;
        }
        self.pool.get_or_insert_with(|| Arc::new(BufferPool::new(publisher, topic))).keep(payload)
    }
}

impl TopicEntry {
    /// Has a payload kept if anybody reads it.
    pub(super) fn keep_for_readers(&mut self, publisher: &str, payload: Payload) -> Payload {
        if !call::IS_GUARDED || !self.is_wanted {
            return payload;
        }
        self.kept.keep(publisher, &self.topic.name, payload)
    }
}

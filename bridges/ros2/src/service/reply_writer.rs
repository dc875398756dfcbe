//! Where replies go out, as far as the rest needs it.

use std::sync::Arc;
use std::time::Duration;

use bridgehead_plugin_api::Result;

use crate::dds::{Guid, Participant, Peer, WriteOptions, Writer};

/// The outgoing end of a service.
pub(crate) trait ReplyWriter: Send + Sync {
    /// The readers of replies that are there.
    fn readers(&self) -> Vec<Guid>;

    /// What is known of one of them.
    fn reader(&self, guid: Guid) -> Option<Peer>;

    /// What is known of a writer of requests.
    fn writer(&self, guid: Guid) -> Option<Peer>;

    /// Writes a reply.
    ///
    /// # Errors
    /// Where readers do not keep up, or DDS has failed.
    fn write(&self, cdr: Vec<u8>, options: WriteOptions) -> Result;

    /// Waits for at most `timeout` until what was written is there.
    fn flush(&self, timeout: Duration);
}

/// A writer of DDS.
pub(crate) struct DdsReplyWriter {
    pub(crate) participant: Arc<Participant>,
    pub(crate) replies: Writer,
}

impl ReplyWriter for DdsReplyWriter {
    fn readers(&self) -> Vec<Guid> {
        self.replies.readers()
    }

    fn reader(&self, guid: Guid) -> Option<Peer> {
        self.participant.known_reader(guid)
    }

    fn writer(&self, guid: Guid) -> Option<Peer> {
        self.participant.known_writer(guid)
    }

    fn write(&self, cdr: Vec<u8>, options: WriteOptions) -> Result {
        self.replies.write(cdr, options).map(|_| ())
    }

    fn flush(&self, timeout: Duration) {
        self.replies.flush(timeout);
    }
}

//! The interface through which replies are written.

use std::time::Duration;

use bridgehead_plugin_api::Result;

use crate::dds::{Guid, Peer, WriteOptions, Writer};

/// The outgoing endpoint of a service.
pub(crate) trait ReplyWriter: Send + Sync {
    /// Returns the discovered readers of replies.
    fn readers(&self) -> Vec<Guid>;

    /// Returns what is known about one of them.
    fn reader(&self, guid: Guid) -> Option<Peer>;

    /// Returns what is known about a writer of requests.
    fn writer(&self, guid: Guid) -> Option<Peer>;

    /// Writes a reply.
    ///
    /// # Errors
    /// Returns an error if readers do not keep up or DDS failed.
    fn write(&self, cdr: Vec<u8>, options: WriteOptions) -> Result;

    /// Waits for at most `timeout` until readers have what was written.
    fn flush(&self, timeout: Duration);
}

/// A DDS writer.
pub(crate) struct DdsReplyWriter {
    pub(crate) replies: Writer,
}

impl ReplyWriter for DdsReplyWriter {
    fn readers(&self) -> Vec<Guid> {
        self.replies.readers()
    }

    fn reader(&self, guid: Guid) -> Option<Peer> {
        self.replies.known_reader(guid)
    }

    fn writer(&self, guid: Guid) -> Option<Peer> {
        self.replies.known_writer(guid)
    }

    fn write(&self, cdr: Vec<u8>, options: WriteOptions) -> Result {
        self.replies.write(cdr, options).map(|_| ())
    }

    fn flush(&self, timeout: Duration) {
        self.replies.flush(timeout);
    }
}

//! The sending side of one client.

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::frame::Frame;
use crate::lock::lock;
use crate::options::Backlog;
use crate::outgoing::{Outgoing, Step};

/// The sending side of one client. A clone sends to the same client. May be used on any thread; never blocks. After the
/// client has disconnected, frames are dropped.
#[derive(Clone)]
pub struct Link(Arc<Shared>);

struct Shared {
    id: u64,
    peer: SocketAddr,
    subprotocol: Option<String>,
    outgoing: Mutex<Outgoing>,
    changed: Notify,
}

impl Link {
    /// Creates the link of a client.
    pub(crate) fn new(
        id: u64,
        peer: SocketAddr,
        subprotocol: Option<String>,
        data: Backlog,
        replies: Backlog,
    ) -> Self {
        Link(Arc::new(Shared {
            id,
            peer,
            subprotocol,
            outgoing: Mutex::new(Outgoing::new(data, replies)),
            changed: Notify::new(),
        }))
    }

    /// Creates a link without a connection, for tests of bridges.
    #[cfg(any(feature = "testing", fuzzing))]
    #[must_use]
    pub fn detached() -> Self {
        let peer = SocketAddr::from(([127, 0, 0, 1], 1));
        let replies = Backlog { frames: 1 << 20, bytes: 64 << 20 };
        Link::new(crate::server::next_client(), peer, None, Backlog::default(), replies)
    }

    /// Takes the next frame that waits, as the server of a connection does.
    #[cfg(any(feature = "testing", fuzzing))]
    #[must_use]
    pub fn take_frame(&self) -> Option<Frame> {
        loop {
            match self.take()? {
                Step::Send(frame) => return Some(frame),
                Step::Poll | Step::ReportLoss(_) | Step::Close(..) => {}
            }
        }
    }

    /// Returns the number of the client, which no other client of the process has.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// Returns the address of the client; of a [`crate::Dialer`], that of the server.
    #[must_use]
    pub fn peer(&self) -> SocketAddr {
        self.0.peer
    }

    /// Returns the negotiated subprotocol.
    #[must_use]
    pub fn subprotocol(&self) -> Option<&str> {
        self.0.subprotocol.as_deref()
    }

    /// Queues data. If the queue is full, the oldest data is dropped. Returns the number of dropped frames.
    pub fn data(&self, frame: Frame) -> u64 {
        let dropped = lock(&self.0.outgoing).data(frame);
        self.0.changed.notify_one();
        dropped
    }

    /// Queues a reply, which is never dropped while the client is connected. If too many wait, the client is
    /// disconnected.
    pub fn reply(&self, frame: Frame) {
        lock(&self.0.outgoing).reply(frame);
        self.0.changed.notify_one();
    }

    /// Disconnects the client with a code of RFC 6455 and a reason, of which 123 bytes are sent. Queued replies are sent
    /// before, data is dropped.
    pub fn close(&self, code: u16, reason: &str) {
        lock(&self.0.outgoing).close(code, reason);
        self.0.changed.notify_one();
    }

    /// Disconnects the client after everything that is queued.
    pub(crate) fn finish(&self, code: u16, reason: &str) {
        lock(&self.0.outgoing).finish(code, reason);
    }

    /// Has [`crate::Protocol::poll`] called soon.
    pub fn wake(&self) {
        lock(&self.0.outgoing).wake();
        self.0.changed.notify_one();
    }

    /// Counts data that was dropped before it was queued, so that it is reported like dropped frames.
    pub fn lose(&self, count: u64) {
        lock(&self.0.outgoing).lose(count);
        self.0.changed.notify_one();
    }

    /// Returns the bounds of the data that may wait.
    #[must_use]
    pub fn limit(&self) -> Backlog {
        lock(&self.0.outgoing).data_limit()
    }

    /// Returns the number of data frames that were dropped since the connection began.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        lock(&self.0.outgoing).dropped()
    }

    /// Returns the frames and bytes that wait now.
    #[must_use]
    pub fn waiting(&self) -> Backlog {
        lock(&self.0.outgoing).waiting()
    }

    /// Returns false once the client is disconnected, or will be.
    #[must_use]
    pub fn is_open(&self) -> bool {
        lock(&self.0.outgoing).is_open()
    }

    /// Takes what to do next; `None` if there is nothing to do.
    pub(crate) fn take(&self) -> Option<Step> {
        lock(&self.0.outgoing).take()
    }

    /// Waits for something to do.
    pub(crate) async fn changed(&self) {
        self.0.changed.notified().await;
    }

    /// Drops what waits and refuses further frames.
    pub(crate) fn end(&self) {
        lock(&self.0.outgoing).end();
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("id", &self.0.id).field("peer", &self.0.peer).finish_non_exhaustive()
    }
}

//! Sends replies: a queue and its thread.
//!
//! Responses arrive on threads that must not wait, including the simulation thread. A reply whose reader is not
//! discovered yet waits separately, so that it does not delay others.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::{Payload, Result};

use crate::wall;

use super::client::Client;
use super::mapping::{Mapping, Traits};
use super::server::ServiceServer;
use crate::lock::lock;

/// Time limit for the discovery of a reply's reader, which usually takes tens of milliseconds.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Interval at which undiscovered readers are looked up.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);
/// Time limit for undiscovered readers during shutdown.
const FINAL_TIMEOUT: Duration = Duration::from_millis(200);

/// The outcome of a call.
pub(crate) struct CallOutcome {
    pub(crate) server: Arc<ServiceServer>,
    pub(crate) client: Client,
    pub(crate) outcome: Result<Payload>,
}

/// A reply whose reader is not discovered yet.
struct WaitingReply {
    server: Arc<ServiceServer>,
    client: Client,
    cdr: Vec<u8>,
    until: Instant,
}

/// The queue of replies.
#[derive(Default)]
pub(crate) struct Replies {
    queue: Mutex<PendingReplies>,
    changed: Condvar,
}

#[derive(Default)]
struct PendingReplies {
    fresh: VecDeque<CallOutcome>,
    is_over: bool,
}

impl Replies {
    /// Adds a reply. `[any]`, never waits.
    pub(crate) fn push(&self, reply: CallOutcome) {
        lock(&self.queue).fresh.push_back(reply);
        self.changed.notify_all();
    }

    /// Lets [`Replies::run`] return once everything is sent.
    pub(crate) fn end(&self) {
        lock(&self.queue).is_over = true;
        self.changed.notify_all();
    }

    /// Sends replies until [`Replies::end`] is called.
    pub(crate) fn run(&self) {
        let mut waiting: Vec<WaitingReply> = Vec::new();
        loop {
            let (fresh, is_over) = self.next(!waiting.is_empty());
            for reply in fresh {
                waiting.extend(send_or_wait(reply));
            }
            waiting = retry(waiting, is_over);
            if is_over && waiting.is_empty() && lock(&self.queue).fresh.is_empty() {
                return;
            }
        }
    }

    /// Waits for new replies, only for an interval if some wait for readers. Returns them and whether the queue is
    /// ending.
    fn next(&self, has_waiting: bool) -> (VecDeque<CallOutcome>, bool) {
        let idle = |queue: &mut PendingReplies| queue.fresh.is_empty() && (has_waiting || !queue.is_over);
        let queue = lock(&self.queue);
        let mut queue = if has_waiting {
            let waited = self.changed.wait_timeout_while(queue, RETRY_INTERVAL, idle);
            waited.unwrap_or_else(PoisonError::into_inner).0
        } else {
            self.changed.wait_while(queue, idle).unwrap_or_else(PoisonError::into_inner)
        };
        (std::mem::take(&mut queue.fresh), queue.is_over)
    }
}

fn send_or_wait(reply: CallOutcome) -> Option<WaitingReply> {
    let CallOutcome { server, client, outcome } = reply;
    let cdr = server.encode(&client, outcome)?;
    let waiting = WaitingReply { server, client, cdr, until: wall::now() + TIMEOUT };
    (!waiting.try_send()).then_some(waiting)
}

/// Sends the replies whose readers are discovered and returns the others.
fn retry(waiting: Vec<WaitingReply>, is_over: bool) -> Vec<WaitingReply> {
    let now = wall::now();
    let mut rest = Vec::new();
    for mut reply in waiting {
        if is_over {
            reply.until = reply.until.min(now + FINAL_TIMEOUT);
        }
        if reply.try_send() {
            continue;
        }
        if now >= reply.until {
            reply.give_up();
        } else {
            rest.push(reply);
        }
    }
    rest
}

impl Drop for WaitingReply {
    /// If the service was withdrawn meanwhile, its writer is dropped with its last reply.
    fn drop(&mut self) {
        if Arc::strong_count(&self.server) == 1 {
            self.server.flush();
        }
    }
}

impl WaitingReply {
    /// Returns true if a reader was found and the reply was written.
    fn try_send(&self) -> bool {
        let reply_writer = self.server.reply_writer();
        let readers = self.client.readers_among(&reply_writer.readers(), |guid| reply_writer.reader(guid));
        for reader in &readers {
            self.server.write(&self.client, self.cdr.clone(), Some(*reader));
        }
        !readers.is_empty()
    }

    /// Gives up on finding the client's reader. A client with writer and reader in two participants still gets its
    /// reply if all readers expect that kind of reply.
    fn give_up(&self) {
        let reply_writer = self.server.reply_writer();
        if reply_writer.writer(self.client.writer).is_none() {
            return log::debug!("a caller has disconnected; its reply is dropped");
        }
        if self.suits_all_readers() {
            return self.server.write(&self.client, self.cdr.clone(), None);
        }
        self.server
            .log_lost_reply("its reader was not discovered, and readers of another kind would misread it");
    }

    fn suits_all_readers(&self) -> bool {
        let reply_writer = self.server.reply_writer();
        let Mapping::Auto = self.server.mapping() else { return true };
        let kind_of = |vendor, user_data: &[u8]| {
            Mapping::Auto.kind_of(&Traits { vendor, user_data, has_related_identity: false })
        };
        let own = kind_of(self.client.writer.vendor(), &self.client.user_data);
        reply_writer.readers().into_iter().all(|guid| {
            let user_data = reply_writer.reader(guid).map(|peer| peer.user_data).unwrap_or_default();
            kind_of(guid.vendor(), &user_data) == own
        })
    }
}

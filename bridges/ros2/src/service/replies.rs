//! Sends replies: a queue and its thread.
//!
//! Responses arrive on threads that must not wait, including the simulation thread. A reply whose reader is not
//! discovered yet waits separately, so that it does not delay others.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::serving::during;
use bridgehead_plugin_api::{Payload, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::wall_clock;

use super::client::Client;
use super::mapping::{Mapping, Traits};
use super::reply_sender::ReplySender;

/// How long the discovery of a reply's reader usually takes at most: tens of milliseconds. After this time the reply is
/// also written to readers of other participants, in case the client has its reader there.
const USUAL: Duration = Duration::from_secs(2);
/// Time limit for the discovery of a reply's reader. On a busy machine, announcements are lost and are repeated only with
/// the next heartbeats, seconds later; a client that got no reply would wait for ever.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Intervals at which undiscovered readers are looked up, during and after the usual time.
const RETRY_INTERVALS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(100)];
/// Interval at which it is checked that a client still exists.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Most replies that wait for readers; of more, the oldest are given up.
const MAX_WAITING: usize = 1000;
/// Time limit for undiscovered readers during shutdown.
const FINAL_TIMEOUT: Duration = Duration::from_millis(200);

/// The outcome of a call.
pub(crate) struct CallOutcome {
    pub(crate) sender: Arc<ReplySender>,
    pub(crate) client: Client,
    pub(crate) outcome: Result<Payload>,
}

/// A reply whose reader is not discovered yet.
struct WaitingReply {
    sender: Arc<ReplySender>,
    client: Client,
    cdr: Vec<u8>,
    since: Instant,
    /// When the client is looked for next.
    check_at: Instant,
    has_fallen_back: bool,
    /// Whether it was written to all readers, so that it may have arrived.
    is_sent_to_all: bool,
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
            let (fresh, is_over) = self.next(retry_interval(&waiting));
            for reply in fresh {
                waiting.extend(during("the reply of a service", None, || send_or_wait(reply)));
            }
            let excess = waiting.len().saturating_sub(MAX_WAITING);
            waiting.drain(..excess).for_each(|mut reply| reply.give_up());
            waiting = retry(waiting, is_over);
            if is_over && waiting.is_empty() && lock(&self.queue).fresh.is_empty() {
                return;
            }
        }
    }

    /// Waits for new replies, only for this interval if some wait for readers. Returns them and whether the queue is
    /// ending.
    fn next(&self, retry: Option<Duration>) -> (VecDeque<CallOutcome>, bool) {
        let idle = |queue: &mut PendingReplies| queue.fresh.is_empty() && (retry.is_some() || !queue.is_over);
        let queue = lock(&self.queue);
        let mut queue = if let Some(interval) = retry {
            let waited = self.changed.wait_timeout_while(queue, interval, idle);
            waited.unwrap_or_else(PoisonError::into_inner).0
        } else {
            self.changed.wait_while(queue, idle).unwrap_or_else(PoisonError::into_inner)
        };
        (std::mem::take(&mut queue.fresh), queue.is_over)
    }
}

/// Returns the time until waiting replies are tried again; `None` if none waits.
fn retry_interval(waiting: &[WaitingReply]) -> Option<Duration> {
    let newest = waiting.last()?;
    let [soon, late] = RETRY_INTERVALS;
    Some(if newest.since.elapsed() < USUAL { soon } else { late })
}

fn send_or_wait(reply: CallOutcome) -> Option<WaitingReply> {
    let CallOutcome { sender, client, outcome } = reply;
    let cdr = sender.encode(&client, outcome)?;
    let since = wall_clock::now();
    let check_at = since + CHECK_INTERVAL;
    let waiting =
        WaitingReply { sender, client, cdr, since, check_at, has_fallen_back: false, is_sent_to_all: false };
    (!waiting.try_send()).then_some(waiting)
}

/// Sends the replies whose readers are discovered and returns the others.
fn retry(waiting: Vec<WaitingReply>, is_over: bool) -> Vec<WaitingReply> {
    let now = wall_clock::now();
    waiting.into_iter().filter_map(|reply| reply.retry(now, is_over)).collect()
}

impl Drop for WaitingReply {
    /// If the service was withdrawn meanwhile, its writer is dropped with its last reply.
    fn drop(&mut self) {
        if Arc::strong_count(&self.sender) == 1 {
            self.sender.flush();
        }
    }
}

impl WaitingReply {
    /// Returns true if a reader was found and the reply was written.
    fn try_send(&self) -> bool {
        let reply_writer = self.sender.writer();
        let readers = self.client.readers_among(&reply_writer.readers(), |guid| reply_writer.reader(guid));
        for reader in &readers {
            self.sender.write(&self.client, self.cdr.clone(), Some(*reader));
        }
        !readers.is_empty()
    }

    /// Sends the reply if its reader is discovered. Returns it if it must wait longer.
    fn retry(mut self, now: Instant, is_over: bool) -> Option<Self> {
        if self.try_send() {
            return None;
        }
        let waited = now.saturating_duration_since(self.since);
        if now >= self.check_at {
            self.check_at = now + CHECK_INTERVAL;
            if self.sender.writer().writer(self.client.writer).is_none() {
                log::debug!("a caller has disconnected; its reply is dropped");
                return None;
            }
        }
        if waited >= USUAL && !self.has_fallen_back {
            self.fall_back();
        }
        // The name of a withdrawn service stays taken as long as one of its replies waits.
        let limit = match (is_over, self.sender.is_withdrawn()) {
            (true, _) => FINAL_TIMEOUT,
            (false, true) => USUAL,
            (false, false) => TIMEOUT,
        };
        if waited >= limit {
            self.give_up();
            return None;
        }
        Some(self)
    }

    /// Writes the reply to all readers, if all expect that kind of reply: a client may have writer and reader in two
    /// participants.
    fn fall_back(&mut self) {
        self.has_fallen_back = true;
        self.is_sent_to_all = !self.sender.writer().readers().is_empty() && self.suits_all_readers();
        if self.is_sent_to_all {
            self.sender.write(&self.client, self.cdr.clone(), None);
        }
    }

    /// Gives up on finding the client's reader.
    fn give_up(&mut self) {
        if self.sender.writer().writer(self.client.writer).is_none() {
            return log::debug!("a caller has disconnected; its reply is dropped");
        }
        if !self.has_fallen_back {
            self.fall_back();
        }
        if !self.is_sent_to_all {
            self.sender.log_lost_reply(
                "its reader was not discovered, and there is none, or one of another kind, which would misread it",
            );
        }
    }

    fn suits_all_readers(&self) -> bool {
        let reply_writer = self.sender.writer();
        let Mapping::Auto = self.sender.mapping() else { return true };
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

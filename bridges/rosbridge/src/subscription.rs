//! What one client receives of one topic.
//!
//! A client can subscribe to a topic several times, with different identifiers. It receives each message once, in a way
//! that suits all of them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_websocket::{Frame, Link};

use crate::encode::encoder::{Compression, Publication, Shape};
use crate::encode::relayed::Relayed;
use crate::endpoint::conflict;
use crate::fault::Fault;
use crate::lock::lock;
use crate::names::is_message;

mod waiting;

use waiting::Waiting;

/// Most identifiers of one client for one topic.
const MAX_IDS: usize = 100;
/// Interval at which it is checked whether the client has taken what was sent.
const RETRY: Duration = Duration::from_millis(5);

/// What a client requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) shape: Shape,
    /// Shortest time between two messages.
    pub(crate) throttle: Duration,
    /// Most messages that wait, within the backlog of the connection; zero leaves it to the connection.
    pub(crate) queue_length: usize,
}

impl Wish {
    /// Returns what suits both: the shorter times and sizes, the greater compression.
    fn and(self, other: Self) -> Self {
        let compression: Compression = self.shape.compression.max(other.shape.compression);
        let fragment = match (self.shape.fragment, other.shape.fragment) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Wish {
            shape: Shape { compression, fragment },
            throttle: self.throttle.min(other.throttle),
            queue_length: self.queue_length.min(other.queue_length),
        }
    }
}

/// One client and one topic.
pub(crate) struct Subscription {
    link: Link,
    wishes: Mutex<Wishes>,
    pacing: Mutex<Pacing>,
    /// Counts the dropped frames that [`Subscription::offer`] does not return.
    lost: Arc<AtomicU64>,
}

#[derive(Default)]
struct Wishes {
    by_id: BTreeMap<Option<String>, Wish>,
    merged: Wish,
    /// The type that the client expects.
    kind: Option<String>,
}

struct Pacing {
    due: Option<Instant>,
    waiting: Waiting,
}

impl Subscription {
    /// Creates a subscription without a wish. `held` counts the bytes that wait for the client.
    pub(crate) fn new(link: &Link, held: &Arc<AtomicUsize>, lost: &Arc<AtomicU64>) -> Self {
        let pacing = Mutex::new(Pacing { due: None, waiting: Waiting::new(held) });
        Subscription { link: link.clone(), wishes: Mutex::default(), pacing, lost: Arc::clone(lost) }
    }

    /// Returns the number of its wishes.
    pub(crate) fn wishes(&self) -> usize {
        lock(&self.wishes).by_id.len()
    }

    /// Adds a wish, or replaces that of the same identifier. Returns false if there are too many.
    pub(crate) fn add(&self, id: Option<String>, wish: Wish, kind: Option<String>) -> bool {
        let mut wishes = lock(&self.wishes);
        if wishes.by_id.len() >= MAX_IDS && !wishes.by_id.contains_key(&id) {
            return false;
        }
        wishes.by_id.insert(id, wish);
        wishes.kind = kind.or(wishes.kind.take());
        wishes.merge();
        true
    }

    /// Removes a wish; returns true if none is left.
    pub(crate) fn remove(&self, id: &str) -> bool {
        let mut wishes = lock(&self.wishes);
        wishes.by_id.remove(&Some(id.to_owned()));
        wishes.merge();
        wishes.by_id.is_empty()
    }

    /// Sends a message, or keeps it until it is due. Returns the number of frames that were dropped for it.
    ///
    /// # Errors
    /// Returns an error if the message cannot be encoded, or is not of the type that the client expects.
    pub(crate) fn offer(&self, publication: &mut Publication<'_>, now: Instant) -> Result<u64, Fault> {
        let wish = self.wish_for(publication)?;
        self.pace(wish, now, |shape| publication.frames(shape))
    }

    /// Sends a message of another client like [`Subscription::offer`].
    ///
    /// # Errors
    /// Returns an error like [`Subscription::offer`].
    pub(crate) fn offer_relayed(&self, message: &Relayed<'_>, now: Instant) -> Result<u64, Fault> {
        let wishes = lock(&self.wishes);
        message.check(wishes.kind.as_deref())?;
        let wish = wishes.merged;
        drop(wishes);
        self.pace(wish, now, |shape| message.frames(shape))
    }

    /// Sends the frames of a message, or keeps them until they are due. Returns the number of frames that were dropped.
    fn pace(
        &self,
        wish: Wish,
        now: Instant,
        frames: impl FnOnce(Shape) -> Result<Vec<Frame>, Fault>,
    ) -> Result<u64, Fault> {
        let mut pacing = lock(&self.pacing);
        if wish.queue_length == 0 {
            if !pacing.is_due(wish.throttle, now) {
                return Ok(0);
            }
            drop(pacing);
            return Ok(self.send(frames(wish.shape)?));
        }
        let dropped = pacing.waiting.push(frames(wish.shape)?, wish.queue_length, self.link.limit());
        drop(pacing);
        self.link.lose(dropped);
        self.link.wake();
        Ok(dropped)
    }

    /// Sends a message at once, whatever the wishes say about time.
    ///
    /// # Errors
    /// Returns an error if the message cannot be encoded, or is not of the type that the client expects.
    pub(crate) fn send_now(&self, publication: &mut Publication<'_>) -> Result<(), Fault> {
        let shape = self.wish_for(publication)?.shape;
        self.send_uncounted(publication.frames(shape)?);
        Ok(())
    }

    /// Sends what waits and is due, and returns the time until the next is.
    pub(crate) fn poll(&self, now: Instant) -> Option<Duration> {
        let wish = lock(&self.wishes).merged;
        let mut pacing = lock(&self.pacing);
        while !pacing.waiting.is_empty() {
            // What the connection holds is not replaced by newer messages any more.
            if self.link.waiting().frames > 0 {
                return Some(RETRY);
            }
            if let Some(rest) = pacing.due.map(|due| due.saturating_duration_since(now))
                && !rest.is_zero()
            {
                return Some(rest);
            }
            pacing.is_due(wish.throttle, now);
            if let Some(frames) = pacing.waiting.pop() {
                self.send_uncounted(frames);
            }
        }
        None
    }

    /// Returns the merged wish. A client can subscribe to a topic before it exists, with another type than it then has.
    fn wish_for(&self, publication: &Publication<'_>) -> Result<Wish, Fault> {
        let wishes = lock(&self.wishes);
        let ros_type = publication.encoder.message().ros_type();
        match &wishes.kind {
            Some(kind) if !is_message(kind, ros_type) => Err(conflict(publication.topic, ros_type, kind)),
            _ => Ok(wishes.merged),
        }
    }

    fn send_uncounted(&self, frames: Vec<Frame>) {
        self.lost.fetch_add(self.send(frames), Ordering::Relaxed);
    }

    fn send(&self, frames: Vec<Frame>) -> u64 {
        frames.into_iter().map(|frame| self.link.data(frame)).sum()
    }
}

impl Wishes {
    fn merge(&mut self) {
        self.merged = self.by_id.values().copied().reduce(Wish::and).unwrap_or_default();
    }
}

impl Pacing {
    /// Returns true if a message may be sent now, and notes when the next may. A source whose period varies a little
    /// keeps its mean rate.
    fn is_due(&mut self, throttle: Duration, now: Instant) -> bool {
        if throttle.is_zero() {
            self.due = None;
            return true;
        }
        match self.due {
            Some(due) if now < due => false,
            Some(due) if now < due + throttle => {
                self.due = Some(due + throttle);
                true
            }
            _ => {
                self.due = Some(now + throttle);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall_clock;

    fn wish(compression: Compression, fragment: Option<usize>, throttle: u64, queue_length: usize) -> Wish {
        let shape = Shape { compression, fragment };
        Wish { shape, throttle: Duration::from_millis(throttle), queue_length }
    }

    #[test]
    fn wishes_of_one_client_are_merged() {
        let both = wish(Compression::Png, None, 100, 5).and(wish(Compression::Cbor, Some(10), 50, 1));
        assert_eq!(both, wish(Compression::Cbor, Some(10), 50, 1));
        let raw = both.and(wish(Compression::CborRaw, Some(3), 60, 0));
        assert_eq!(raw, wish(Compression::CborRaw, Some(3), 50, 0));
    }

    #[test]
    fn a_source_that_varies_keeps_its_mean_rate() {
        let mut pacing = Pacing { due: None, waiting: Waiting::new(&Arc::default()) };
        let start = wall_clock::now();
        let throttle = Duration::from_millis(100);
        let sent = [0_u64, 52, 99, 151, 201, 249, 303, 352, 700, 751]
            .into_iter()
            .filter(|at| pacing.is_due(throttle, start + Duration::from_millis(*at)));
        assert_eq!(sent.collect::<Vec<_>>(), [0, 151, 201, 303, 700]);
    }
}

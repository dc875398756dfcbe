//! The messages that wait for one WebSocket: filled by the simulation thread, which never waits, and emptied by the
//! server as fast as the client reads.
//!
//! Complete subscriptions use a bounded queue that drops its oldest entry if the client is slow. Subscriptions with a rate
//! keep only the newest message.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bridgehead_plugin_api::Payload;
use tokio::sync::Notify;

use crate::bus::{Delivery, Topic};
use crate::control::{Event, TopicObserver};

/// Size of the queue for a slow client.
const ROOM: usize = 256;
/// Most bytes of messages in the queue. One message may be larger if nothing else waits.
const MAX_BYTES: usize = 32 << 20;

/// The name of a subscription.
pub(super) const STATE: &str = "state";
pub(super) const FEEDBACK: &str = "feedback";

/// A message for a client.
#[derive(Clone)]
pub(super) enum Update {
    /// The state when the subscription began: a response of `get_status`.
    Status(Payload),
    /// An event.
    Event(Event),
    /// A message of a topic.
    Message(Arc<Topic>, Delivery),
}

/// A message with the name of its subscription.
pub(super) type Named = (Arc<str>, Update);

/// The mailbox of one client.
#[derive(Default)]
pub(super) struct Mailbox {
    inner: Mutex<Inner>,
    woken: Notify,
}

#[derive(Default)]
struct Inner {
    wants: BTreeMap<Arc<str>, Want>,
    /// Numbers the subscriptions, so that an observer for an earlier one can end.
    last: u64,
    queue: VecDeque<Named>,
    /// Bytes of the messages in the queue.
    bytes: usize,
    newest: BTreeMap<Arc<str>, Update>,
    lost: u64,
}

/// The subscriptions of the client.
#[derive(Clone, Copy)]
struct Want {
    number: u64,
    at_a_rate: bool,
    /// Its first message is there.
    has_begun: bool,
}

impl Mailbox {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a subscription; returns its number.
    pub(super) fn want(&self, what: &Arc<str>, at_a_rate: bool) -> u64 {
        self.inner().want(what, at_a_rate, true)
    }

    /// Adds a subscription that takes messages from [`Mailbox::begin`] on; returns its number.
    pub(super) fn expect(&self, what: &Arc<str>, at_a_rate: bool) -> u64 {
        self.inner().want(what, at_a_rate, false)
    }

    /// Adds the first message of a subscription, unless the client has unsubscribed or subscribed anew since.
    pub(super) fn begin(&self, what: &str, number: u64, update: Update) {
        match self.inner().wants.get_mut(what) {
            Some(want) if want.number == number => want.has_begun = true,
            _ => return,
        }
        self.post(what, update);
    }

    /// Removes a subscription; returns false if there was none.
    pub(super) fn unwant(&self, what: &str) -> bool {
        let mut inner = self.inner();
        inner.newest.remove(what);
        inner.queue.retain(|(name, _)| &**name != what);
        inner.bytes = inner.queue.iter().map(|(_, update)| update.size()).sum();
        inner.wants.remove(what).is_some()
    }

    /// Returns true if the subscription with this number still exists.
    fn holds(&self, what: &str, number: u64) -> bool {
        self.inner().wants.get(what).is_some_and(|want| want.number == number)
    }

    /// Returns the number of subscriptions.
    pub(super) fn count(&self) -> usize {
        self.inner().wants.len()
    }

    /// Adds a message if the client subscribed to it.
    pub(super) fn post(&self, what: &str, update: Update) {
        let mut inner = self.inner();
        let Some((what, want)) = inner.wants.get_key_value(what).filter(|(_, want)| want.has_begun) else {
            return;
        };
        let (what, at_a_rate) = (Arc::clone(what), want.at_a_rate);
        // The end of a goal is not held back, and comes after its feedback.
        if at_a_rate && !matches!(update, Update::Event(Event::Goal { .. })) {
            inner.newest.insert(what, update);
        } else {
            if let Some(held) = inner.newest.remove(&what) {
                inner.push((Arc::clone(&what), held));
            }
            inner.push((what, update));
        }
        drop(inner);
        self.woken.notify_one();
    }

    /// Adds an event.
    pub(super) fn hear(&self, event: &Event) {
        let what = match event {
            Event::State { .. } => STATE,
            Event::Feedback { .. } | Event::Goal { .. } => FEEDBACK,
        };
        self.post(what, Update::Event(event.clone()));
    }

    /// Waits for messages. May return without any.
    pub(super) async fn filled(&self) {
        self.woken.notified().await;
    }

    /// Takes the messages of the queue, and the number of lost messages since the last call.
    pub(super) fn take(&self) -> (VecDeque<Named>, u64) {
        let mut inner = self.inner();
        inner.bytes = 0;
        (std::mem::take(&mut inner.queue), std::mem::take(&mut inner.lost))
    }

    /// Takes the newest message of a subscription with a rate.
    pub(super) fn take_newest(&self, what: &str) -> Option<Named> {
        self.inner().newest.remove_entry(what)
    }

    /// Returns true if a subscription with a rate has a new message.
    pub(super) fn has_newer(&self, what: &str) -> bool {
        self.inner().newest.contains_key(what)
    }
}

impl Inner {
    fn want(&mut self, what: &Arc<str>, at_a_rate: bool, has_begun: bool) -> u64 {
        self.last += 1;
        let number = self.last;
        self.wants.insert(Arc::clone(what), Want { number, at_a_rate, has_begun });
        number
    }

    fn push(&mut self, update: Named) {
        self.bytes += update.1.size();
        self.queue.push_back(update);
        while self.is_over()
            && let Some((_, oldest)) = self.queue.pop_front()
        {
            self.bytes -= oldest.size();
            self.lost += 1;
        }
    }

    fn is_over(&self) -> bool {
        self.queue.len() > ROOM || (self.bytes > MAX_BYTES && self.queue.len() > 1)
    }
}

impl Update {
    /// Returns the bytes that it keeps in memory.
    fn size(&self) -> usize {
        match self {
            Update::Status(payload) => payload.len(),
            Update::Message(_, delivery) => delivery.payload.len(),
            Update::Event(_) => 0,
        }
    }
}

/// Puts the messages of a topic into a mailbox, until the client disconnects or unsubscribes.
pub(super) struct MailboxObserver {
    mailbox: Weak<Mailbox>,
    what: Arc<str>,
    number: u64,
}

impl MailboxObserver {
    /// Number of the subscription.
    pub(super) fn new(mailbox: &Arc<Mailbox>, what: &Arc<str>, number: u64) -> Self {
        MailboxObserver { mailbox: Arc::downgrade(mailbox), what: Arc::clone(what), number }
    }
}

impl TopicObserver for MailboxObserver {
    fn hear(&self, topic: &Arc<Topic>, delivery: &Delivery) {
        if let Some(mailbox) = self.mailbox.upgrade()
            && mailbox.holds(&self.what, self.number)
        {
            mailbox.post(&self.what, Update::Message(Arc::clone(topic), delivery.clone()));
        }
    }

    fn is_open(&self) -> bool {
        self.mailbox.upgrade().is_some_and(|mailbox| mailbox.holds(&self.what, self.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feedback(completed_steps: u64) -> Event {
        Event::Feedback { goal: [0; 16], completed_steps, remaining_steps: 0, reset_epoch: 0 }
    }

    fn completed(update: &Update) -> Option<u64> {
        match update {
            Update::Event(Event::Feedback { completed_steps, .. }) => Some(*completed_steps),
            _ => None,
        }
    }

    #[test]
    fn a_slow_client_loses_the_oldest_and_is_told_how_many() {
        let mailbox = Mailbox::default();
        mailbox.hear(&feedback(0));
        assert!(mailbox.take().0.is_empty(), "nobody wants it");
        mailbox.want(&Arc::from(FEEDBACK), false);
        let sent = ROOM as u64 + 10;
        (0..sent).for_each(|step| mailbox.hear(&feedback(step)));
        let (queue, lost) = mailbox.take();
        assert_eq!((queue.len(), lost), (ROOM, 10));
        assert_eq!(queue.front().and_then(|(_, update)| completed(update)), Some(10));
        assert_eq!(queue.back().and_then(|(_, update)| completed(update)), Some(sent - 1));
        assert_eq!(mailbox.take().1, 0);
    }

    #[test]
    fn large_messages_are_bounded_in_bytes() {
        let mailbox = Mailbox::default();
        mailbox.want(&Arc::from(STATE), false);
        let large = Payload::from_vec(vec![0; MAX_BYTES / 4]);
        (0..6).for_each(|_| mailbox.post(STATE, Update::Status(large.clone())));
        let (queue, lost) = mailbox.take();
        assert_eq!((queue.len(), lost), (4, 2));
        mailbox.post(STATE, Update::Status(Payload::from_vec(vec![0; MAX_BYTES + 1])));
        assert_eq!(mailbox.take().0.len(), 1, "one message may be larger");
        mailbox.post(STATE, Update::Status(large.clone()));
        mailbox.unwant(STATE);
        assert_eq!(mailbox.inner().bytes, 0);
    }

    #[test]
    fn at_a_rate_the_newest_counts_and_the_end_of_a_goal_follows_it() {
        let mailbox = Mailbox::default();
        mailbox.want(&Arc::from(FEEDBACK), true);
        (0..5).for_each(|step| mailbox.hear(&feedback(step)));
        assert!(mailbox.take().0.is_empty());
        assert!(mailbox.has_newer(FEEDBACK));
        assert_eq!(mailbox.take_newest(FEEDBACK).and_then(|(_, update)| completed(&update)), Some(4));
        mailbox.hear(&feedback(5));
        mailbox.hear(&Event::Goal { goal: [0; 16], status: 4, reset_epoch: 0 });
        let (queue, _) = mailbox.take();
        let kinds: Vec<_> = queue.iter().map(|(_, update)| completed(update)).collect();
        assert_eq!(kinds, [Some(5), None]);
        assert!(!mailbox.has_newer(FEEDBACK));
    }

    #[test]
    fn only_the_last_subscription_begins_with_its_first_message() {
        let (mailbox, state) = (Mailbox::default(), Arc::from(STATE));
        let status = || Update::Status(Payload::from_vec(vec![1]));
        let withdrawn = mailbox.expect(&state, false);
        assert!(mailbox.unwant(STATE));
        mailbox.begin(STATE, withdrawn, status());
        assert!(mailbox.take().0.is_empty(), "withdrawn before it began");

        let (earlier, later) = (mailbox.expect(&state, true), mailbox.expect(&state, false));
        mailbox.post(STATE, status());
        mailbox.begin(STATE, earlier, status());
        assert!(mailbox.take().0.is_empty(), "not begun");
        mailbox.begin(STATE, later, status());
        mailbox.post(STATE, status());
        assert_eq!(mailbox.take().0.len(), 2);
    }

    #[test]
    fn what_is_no_longer_wanted_is_gone() {
        let mailbox = Mailbox::default();
        mailbox.want(&Arc::from(FEEDBACK), false);
        mailbox.hear(&feedback(0));
        assert!(mailbox.unwant(FEEDBACK));
        assert!(!mailbox.unwant(FEEDBACK));
        mailbox.hear(&feedback(1));
        assert!(mailbox.take().0.is_empty());
    }
}

//! `bridgehead.bus/1` of a test: records what is published, and feeds what is subscribed.

mod publisher;
mod subscription;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;

use bridgehead_abi::Status;

use self::publisher::PublisherEntry;
use self::subscription::SubscriptionEntry;
use super::host::{Shared, TestHost, lock};
use crate::host::{Durability, Qos};
use crate::hosting::BusHost;
use crate::messages::Message;
use crate::payload::Payload;
use crate::rules::{self, Room};

/// A topic that the plugin advertised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestTopic {
    /// Full name.
    pub name: String,
    /// Protobuf full name of the type.
    pub type_name: String,
    /// Quality of service.
    pub qos: Qos,
}

/// A message that the plugin published, or that waits for it.
#[derive(Clone, Debug)]
pub struct TestMessage {
    /// Full name of the topic.
    pub topic: String,
    /// Protobuf full name of the type.
    pub type_name: String,
    /// Simulated time stamp in nanoseconds.
    pub stamp_ns: i64,
    /// The step in which it was published.
    pub step: u64,
    /// Resets before it.
    pub reset_epoch: u32,
    /// Its number on the topic, from 0 in each epoch.
    pub sequence: u64,
    /// The bytes, those of the publisher: nothing was copied.
    pub payload: Payload,
}

impl TestMessage {
    /// The message.
    ///
    /// # Panics
    /// Panics if the bytes are not a `T`, or the topic carries another type.
    #[must_use]
    #[track_caller]
    pub fn decode<T: Message>(&self) -> T {
        assert_eq!(self.type_name, T::FULL_NAME, "`{}` carries another type", self.topic);
        match T::decode(&*self.payload) {
            Ok(message) => message,
            Err(error) => panic!("the payload on `{}` is not a {}: {error}", self.topic, T::FULL_NAME),
        }
    }
}

/// What went over the bus.
#[derive(Default)]
pub(super) struct BusRecord {
    topics: Vec<TestTopic>,
    messages: Vec<TestMessage>,
    subscriptions: Vec<&'static SubscriptionEntry>,
    listened: BTreeSet<String>,
    sequences: BTreeMap<String, u64>,
    /// What was published since the simulation last looked.
    outbox: Option<Room>,
}

impl BusRecord {
    /// Flushes queues and starts sequence numbers again.
    pub(super) fn reset(&mut self) {
        self.sequences.clear();
        self.subscriptions.iter().for_each(|entry| entry.clear());
    }

    /// Makes what arrived since the last step visible to `take`.
    pub(super) fn latch(&self) {
        self.subscriptions.iter().for_each(|entry| entry.latch());
    }

    /// The simulation has taken what the plugin published.
    pub(super) fn empty_outbox(&mut self) {
        self.outbox = None;
    }

    /// Counts a message that the plugin publishes; false if there is no room and the message is gone.
    fn fits_outbox(&mut self, needed: usize) -> bool {
        let waiting = self.outbox.unwrap_or(Room { messages: 0, bytes: 0 });
        let has_room = rules::has_room(rules::OUTBOX, waiting, needed);
        if has_room {
            self.outbox = Some(Room { messages: waiting.messages + 1, bytes: waiting.bytes + needed });
        }
        has_room
    }

    /// The type that the topic of a name carries.
    fn carried(&self, name: &str) -> Option<String> {
        let topic = self.topics.iter().find(|topic| topic.name == name).map(|topic| &topic.type_name);
        topic.or_else(|| self.subscribed(name).next().map(|entry| &entry.type_name)).cloned()
    }

    fn subscribed(&self, topic: &str) -> impl Iterator<Item = &'static SubscriptionEntry> {
        self.subscriptions.iter().copied().filter(move |entry| entry.topic == topic)
    }

    fn names(&self) -> (Vec<&str>, Vec<&str>) {
        let topics = self.topics.iter().map(|topic| topic.name.as_str()).collect();
        (topics, self.subscriptions.iter().map(|entry| entry.topic.as_str()).collect())
    }
}

impl Shared {
    /// The full name of a topic or service that the test names.
    ///
    /// # Panics
    /// Panics if it is not a topic name.
    #[track_caller]
    pub(super) fn full_topic(&self, name: &str) -> String {
        match rules::full_name(&self.setup.vehicle, name) {
            Ok(name) => name,
            Err(fault) => panic!("{fault}"),
        }
    }

    /// Records a message and hands it to the plugin's own subscriptions of that topic.
    fn record(&self, topic: &str, type_name: &str, stamp_ns: i64, payload: Payload) {
        let now = lock(&self.clock).now();
        let mut bus = lock(&self.bus);
        if !bus.fits_outbox(payload.len()) {
            return;
        }
        let next = bus.sequences.entry(topic.to_owned()).or_default();
        let sequence = *next;
        *next += 1;
        let message = TestMessage {
            topic: topic.to_owned(),
            type_name: type_name.to_owned(),
            stamp_ns,
            step: now.number,
            reset_epoch: now.reset_epoch,
            sequence,
            payload,
        };
        bus.subscribed(topic).for_each(|entry| entry.push(message.clone()));
        bus.messages.push(message);
        drop(bus);
        self.announce();
    }
}

impl TestHost {
    /// Everything the plugin advertised.
    #[must_use]
    pub fn topics(self) -> Vec<TestTopic> {
        lock(&self.shared.bus).topics.clone()
    }

    /// Full names of the topics the plugin subscribed to.
    #[must_use]
    pub fn subscribed_topics(self) -> Vec<String> {
        lock(&self.shared.bus).subscriptions.iter().map(|entry| entry.topic.clone()).collect()
    }

    /// Listens to a topic from now on, so that [`crate::host::Publisher::has_listeners`] is true.
    ///
    /// # Panics
    /// Panics if the name is not a topic name.
    #[track_caller]
    pub fn listen(self, topic: &str) {
        let topic = self.shared.full_topic(topic);
        lock(&self.shared.bus).listened.insert(topic);
    }

    /// Everything published on a topic so far, also without listeners.
    ///
    /// # Panics
    /// Panics if the plugin advertised no such topic.
    #[must_use]
    #[track_caller]
    pub fn published(self, topic: &str) -> Vec<TestMessage> {
        let topic = self.shared.full_topic(topic);
        let bus = lock(&self.shared.bus);
        let known = bus.topics.iter().any(|known| known.name == topic);
        assert!(known, "the plugin did not advertise `{topic}`; it advertised {:?}", bus.names().0);
        bus.messages.iter().filter(|message| message.topic == topic).cloned().collect()
    }

    /// Everything published on a topic so far, decoded.
    ///
    /// # Panics
    /// As [`TestHost::published`] and [`TestMessage::decode`].
    #[must_use]
    #[track_caller]
    pub fn decoded<T: Message>(self, topic: &str) -> Vec<T> {
        self.published(topic).iter().map(TestMessage::decode).collect()
    }

    /// The last message on a topic.
    ///
    /// # Panics
    /// As [`TestHost::decoded`], and if nothing was published.
    #[must_use]
    #[track_caller]
    pub fn last<T: Message>(self, topic: &str) -> T {
        match self.published(topic).last() {
            Some(message) => message.decode(),
            None => panic!("nothing was published on `{}`", self.shared.full_topic(topic)),
        }
    }

    /// Sends a message into the plugin's subscriptions of a topic; it can be taken from the next step on.
    ///
    /// # Panics
    /// Panics if the plugin subscribed to no such topic, or to another type.
    #[track_caller]
    pub fn send<T: Message>(self, topic: &str, message: &T) {
        self.send_raw(topic, T::FULL_NAME, message.encode_to_vec());
    }

    /// Sends bytes as a message of a type, right or wrong.
    ///
    /// # Panics
    /// As [`TestHost::send`].
    #[track_caller]
    pub fn send_raw(self, topic: &str, type_name: &str, bytes: Vec<u8>) {
        let topic = self.shared.full_topic(topic);
        {
            let bus = lock(&self.shared.bus);
            let types: Vec<_> = bus.subscribed(&topic).map(|entry| entry.type_name.as_str()).collect();
            assert!(!types.is_empty(), "no subscription to `{topic}`; there are {:?}", bus.names().1);
            assert!(types.contains(&type_name), "`{topic}` is subscribed as {types:?}, not `{type_name}`");
        }
        let stamp_ns = self.now().time_ns;
        self.shared.deliver(&topic, type_name, stamp_ns, &Payload::from_vec(bytes));
    }
}

impl Shared {
    /// Hands a message from outside to the plugin's subscriptions.
    fn deliver(&self, topic: &str, type_name: &str, stamp_ns: i64, payload: &Payload) {
        let now = lock(&self.clock).now();
        let bus = lock(&self.bus);
        for entry in bus.subscribed(topic) {
            entry.push(TestMessage {
                topic: topic.to_owned(),
                type_name: type_name.to_owned(),
                stamp_ns,
                step: now.number,
                reset_epoch: now.reset_epoch,
                sequence: entry.next_sequence(),
                payload: payload.clone(),
            });
        }
    }

    /// Who would get a message: the test, a subscription of the plugin's own, the memory of a latched topic.
    fn listeners(&self, topic: &str, qos: Qos) -> u32 {
        let bus = lock(&self.bus);
        let own = bus.subscribed(topic).count();
        let kept = usize::from(qos.durability == Durability::Latched);
        u32::try_from(own + kept + usize::from(bus.listened.contains(topic))).unwrap_or(u32::MAX)
    }
}

impl BusHost for Shared {
    type Publisher = PublisherEntry;
    type Subscription = SubscriptionEntry;

    fn advertise(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status> {
        PublisherEntry::open(self.leaked(), topic, type_name, qos).map(pointer)
    }

    fn subscribe(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status> {
        SubscriptionEntry::open(self.leaked(), topic, type_name, qos).map(pointer)
    }
}

/// The handle of an entry. The host never writes through it.
pub(super) fn pointer<T>(entry: &'static T) -> *mut c_void {
    std::ptr::from_ref(entry).cast_mut().cast()
}

/// A leaked entry that a handle leads to.
macro_rules! handle {
    ($entry:ty) => {
        impl Checked for $entry {
            fn breach(&self, breach: Breach, text: &str) {
                self.shared.breach(breach, text);
            }
        }

        impl Handle for $entry {
            unsafe fn find<'a>(handle: *mut c_void, _: &'static str) -> Result<&'a Self, Status> {
                // SAFETY: plugins pass back what they were given, and entries live until the process ends.
                unsafe { handle.cast::<$entry>().as_ref() }.ok_or(status::INVALID_ARG)
            }
        }
    };
}
pub(super) use handle;

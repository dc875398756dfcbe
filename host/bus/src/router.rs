//! Hands each message to the subscriptions and bridges of its topic. Owned by the simulation thread.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_plugin_api::Payload;

use bridgehead_runtime::call;

pub use self::endpoint::{Converter, Endpoint, EndpointCounters};
use self::kept::Kept;
use self::latched::Latched;
use self::stamps::Stamps;
use super::totals::Totals;
use super::{Arrival, Bus, Outgoing, Queued, SavedTopic, Subscription, Topic, TopicReport, TxQueue};

/// A message with its place in the run.
#[derive(Clone)]
pub struct Delivery {
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// Sequence number on its topic.
    pub sequence: u64,
    /// Step in which it was published or received.
    pub step: u64,
    /// Number of resets before it.
    pub reset_epoch: u32,
    /// The bytes.
    pub payload: Payload,
}

/// The connection of a topic to one bridge instance.
struct Route {
    bridge: u32,
    queue: Arc<TxQueue>,
    endpoint: Arc<Endpoint>,
}

/// The routing state of one topic.
struct TopicEntry {
    topic: Arc<Topic>,
    next_sequence: u64,
    routes: Vec<Route>,
    subscriptions: Vec<Arc<Subscription>>,
    /// In the order of publication.
    latched: Vec<Latched>,
    published: u64,
    bytes: u64,
    /// Messages that nobody got, because of what the plugin has published.
    refused: u64,
    /// Whether anything is done with its messages but counting them.
    is_wanted: bool,
    stamps: Stamps,
    kept: Kept,
}

/// The place of a message in simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Number of the step.
    pub step: u64,
    /// Simulated time, nanoseconds.
    pub time_ns: i64,
    /// Number of resets so far.
    pub reset_epoch: u32,
}

/// The routing table.
#[derive(Default)]
pub struct Router {
    /// Topic id of the first entry.
    first: u32,
    entries: Vec<TopicEntry>,
    /// Bridges whose queue was full under [`super::Overflow::Error`].
    overflowed: Vec<u32>,
    /// Counters of removed endpoints, by topic.
    past_counters: BTreeMap<u32, [u64; 3]>,
    /// Topic states of a snapshot, until [`Router::restore`].
    expected: Vec<SavedTopic>,
    /// Totals of topics of unloaded worlds.
    past_totals: Totals,
    /// The next [`Latched::order`].
    next_latched: u64,
}

impl Router {
    /// Adds entries for topics that were opened since the last call.
    pub fn sync(&mut self, bus: &Bus) {
        let next = |entries: usize| self.first.checked_add(u32::try_from(entries).ok()?);
        while let Some(topic) = next(self.entries.len()).and_then(|id| bus.get(id)) {
            let subscriptions = self.subscriptions_of(&topic);
            let mut entry = TopicEntry {
                topic,
                next_sequence: 0,
                routes: Vec::new(),
                subscriptions,
                latched: Vec::new(),
                published: 0,
                bytes: 0,
                refused: 0,
                is_wanted: false,
                stamps: Stamps::default(),
                kept: Kept::default(),
            };
            entry.count_listeners();
            self.entries.push(entry);
        }
    }

    /// Returns the subscriptions of all topics of that name and type, whatever their vehicles.
    fn subscriptions_of(&self, topic: &Topic) -> Vec<Arc<Subscription>> {
        let mut all: Vec<Arc<Subscription>> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.topic.has_name_of(topic)) {
            let new = |one: &&Arc<Subscription>| !all.iter().any(|known| Arc::ptr_eq(known, one));
            let missing: Vec<_> = entry.subscriptions.iter().filter(new).cloned().collect();
            all.extend(missing);
        }
        all
    }

    fn entry(&mut self, topic: u32) -> Option<&mut TopicEntry> {
        entry(&mut self.entries, self.first, topic)
    }

    /// Connects topics to new outgoing endpoints of a bridge. If its queue is open, the new endpoints get the latched
    /// messages; its other endpoints had them already.
    pub fn connect(&mut self, bridge: u32, queue: &Arc<TxQueue>, endpoints: &[Arc<Endpoint>]) {
        for endpoint in endpoints {
            if let Some(entry) = self.entry(endpoint.topic.id) {
                entry.routes.push(Route { bridge, queue: Arc::clone(queue), endpoint: Arc::clone(endpoint) });
                entry.count_listeners();
            }
        }
        if queue.is_open() {
            let is_new = |route: &Route| endpoints.iter().any(|new| Arc::ptr_eq(new, &route.endpoint));
            self.replay_latched(|_, route| is_new(route));
        }
    }

    /// Removes all routes to a bridge. Its counters stay in the totals.
    pub fn disconnect(&mut self, bridge: u32) {
        for entry in &mut self.entries {
            for route in entry.routes.iter().filter(|route| route.bridge == bridge) {
                let counters = &route.endpoint.counters;
                let past_counters = self.past_counters.entry(entry.topic.id).or_default();
                for (sum, counter) in
                    past_counters.iter_mut().zip([&counters.delivered, &counters.dropped, &counters.missed])
                {
                    *sum += counter.load(Ordering::Relaxed);
                }
            }
            entry.routes.retain(|route| route.bridge != bridge);
            entry.count_listeners();
        }
    }

    /// Updates the number of listeners after a bridge has opened or closed its queue. An opened one is a new connection,
    /// which gets all latched messages.
    pub fn bridge_changed(&mut self, bridge: u32, is_open: bool) {
        let is_of = |route: &Route| route.bridge == bridge;
        self.entries
            .iter_mut()
            .filter(|entry| entry.routes.iter().any(is_of))
            .for_each(TopicEntry::count_listeners);
        if is_open {
            self.replay_latched(|_, route| is_of(route));
        }
    }

    /// Adds a subscription of a plugin to all topics of that name, also those of other vehicles and of the world,
    /// because an absolute name means the same for all plugins. It gets the latched messages at once.
    pub fn subscribe(&mut self, subscription: &Arc<Subscription>) {
        for entry in self.entries.iter_mut().filter(|entry| entry.topic.has_name_of(&subscription.topic)) {
            entry.latched.iter().for_each(|latched| subscription.push(latched.delivery.clone()));
            entry.subscriptions.push(Arc::clone(subscription));
            entry.count_listeners();
        }
    }

    /// Routes the messages of one plugin instance, in order, and leaves `messages` empty.
    pub fn route(
        &mut self,
        publisher: &str,
        messages: &mut Vec<Outgoing>,
        now: Moment,
        give_up: &dyn Fn() -> bool,
    ) {
        for message in messages.drain(..) {
            let Some(entry) = entry(&mut self.entries, self.first, message.topic) else {
                continue;
            };
            if !entry.is_wanted {
                entry.count(&message.payload);
                continue;
            }
            let payload = entry.keep_for_readers(publisher, message.payload);
            let delivery = entry.stamp(message.stamp_ns, payload, now);
            // Checked here and not by `publish`, which cannot afford it, so that nobody pays for what nobody reads.
            if call::IS_GUARDED {
                if delivery.payload.is_at_null() {
                    entry.refuse(publisher, &delivery);
                    continue;
                }
                entry.check_stamp(publisher, message.stamp_ns, now);
            }
            entry.deliver(&delivery, None, give_up, &mut self.overflowed);
            entry.latch(publisher, &delivery, &mut self.next_latched);
        }
    }

    /// Routes a message of a peer to the subscribed plugins and to the other bridges.
    pub fn route_arrival(
        &mut self,
        arrival: Arrival,
        now: Moment,
        give_up: &dyn Fn() -> bool,
    ) -> Option<Delivery> {
        // A peer may still send on a topic of the previous world.
        let entry = entry(&mut self.entries, self.first, arrival.topic)?;
        let delivery = entry.stamp(arrival.stamp_ns.unwrap_or(now.time_ns), arrival.payload, now);
        entry.deliver(&delivery, Some(arrival.source), give_up, &mut self.overflowed);
        if entry.topic.is_latched() {
            entry.latch(&format!("bridge {}", arrival.source), &delivery, &mut self.next_latched);
        }
        Some(delivery)
    }

    /// Returns the bridges whose queue refused a message since the last call.
    pub fn take_overflowed(&mut self) -> Vec<u32> {
        let mut bridges = std::mem::take(&mut self.overflowed);
        bridges.sort_unstable();
        bridges.dedup();
        bridges
    }

    /// Restarts sequence numbers and drops queued messages of subscriptions, at a reset.
    pub fn reset(&mut self) {
        for entry in &mut self.entries {
            entry.next_sequence = 0;
            entry.stamps.reset();
            entry.subscriptions.iter().for_each(|subscription| subscription.clear());
        }
    }

    /// Removes all subscriptions and latched messages, after the plugins were destroyed. Totals stay.
    pub fn forget_plugins(&mut self) {
        for entry in &mut self.entries {
            entry.subscriptions.clear();
            entry.latched.clear();
            entry.count_listeners();
        }
    }

    /// Removes all topics, when the world is unloaded. The next topic has the id `next`. Totals stay.
    pub fn forget_topics(&mut self, next: u32) {
        for report in self.entries.iter().map(|entry| entry.report(self.past_counters.get(&entry.topic.id))) {
            self.past_totals.add(report);
        }
        self.entries.clear();
        self.past_counters.clear();
        self.expected.clear();
        self.first = next;
    }

    /// Messages of a topic that bridges have neither sent nor lost yet.
    #[must_use]
    pub fn in_flight(&self, topic: u32) -> u64 {
        let index = topic.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        let routes =
            index.and_then(|index| self.entries.get(index)).into_iter().flat_map(|entry| &entry.routes);
        routes.map(|route| route.endpoint.counters.in_flight()).sum()
    }

    /// Messages routed so far.
    #[must_use]
    pub fn published(&self) -> u64 {
        self.past_totals.published() + self.entries.iter().map(|entry| entry.published).sum::<u64>()
    }

    /// Messages dropped so far.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.report().iter().map(|topic| topic.dropped).sum()
    }

    /// Totals per topic, ordered by vehicle and name.
    #[must_use]
    pub fn report(&self) -> Vec<TopicReport> {
        let mut all = self.past_totals.clone();
        for report in self.entries.iter().map(|entry| entry.report(self.past_counters.get(&entry.topic.id))) {
            all.add(report);
        }
        all.into_reports()
    }
}

fn entry(entries: &mut [TopicEntry], first: u32, topic: u32) -> Option<&mut TopicEntry> {
    entries.get_mut(usize::try_from(topic.checked_sub(first)?).ok()?)
}

impl TopicEntry {
    fn stamp(&mut self, stamp_ns: i64, payload: Payload, now: Moment) -> Delivery {
        let sequence = self.count(&payload);
        Delivery { stamp_ns, sequence, step: now.step, reset_epoch: now.reset_epoch, payload }
    }

    /// Counts a message; returns its sequence number.
    fn count(&mut self, payload: &Payload) -> u64 {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        self.published += 1;
        self.bytes += payload.stated_len() as u64;
        sequence
    }

    fn deliver(
        &mut self,
        delivery: &Delivery,
        from: Option<u32>,
        give_up: &dyn Fn() -> bool,
        overflowed: &mut Vec<u32>,
    ) {
        for subscription in &self.subscriptions {
            subscription.push(delivery.clone());
        }
        for route in self.routes.iter().filter(|route| Some(route.bridge) != from) {
            if !route.queue.push(Queued::new(&route.endpoint, delivery), give_up) {
                overflowed.push(route.bridge);
            }
        }
    }

    fn count_listeners(&mut self) {
        let others = self.subscriptions.len() + usize::from(self.topic.is_latched());
        let count = self.open_routes() + others;
        // A closed queue counts what it misses.
        self.is_wanted = others > 0 || !self.routes.is_empty();
        self.topic.listeners.store(u32::try_from(count).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// Number of bridges that receive its messages.
    fn open_routes(&self) -> usize {
        self.routes.iter().filter(|route| route.queue.is_open()).count()
    }

    fn report(&self, past_counters: Option<&[u64; 3]>) -> TopicReport {
        let [mut delivered, mut dropped, mut missed] = past_counters.copied().unwrap_or_default();
        for counters in self.routes.iter().map(|route| &route.endpoint.counters) {
            delivered += counters.delivered.load(Ordering::Relaxed);
            dropped += counters.dropped.load(Ordering::Relaxed);
            missed += counters.missed.load(Ordering::Relaxed);
        }
        let overflowed = self.topic.overflowed.load(Ordering::Relaxed);
        dropped += overflowed + self.refused;
        dropped += self.subscriptions.iter().map(|subscription| subscription.dropped()).sum::<u64>();
        TopicReport {
            vehicle: self.topic.vehicle.clone(),
            name: self.topic.name.clone(),
            type_name: self.topic.data_type.ros_name().to_owned(),
            published: self.published + overflowed,
            bytes: self.bytes,
            delivered,
            dropped,
            overflowed,
            missed,
            listeners: u32::try_from(self.open_routes() + self.subscriptions.len()).unwrap_or(u32::MAX),
        }
    }
}

mod endpoint;
mod kept;
mod latched;
mod removal;
mod stamps;
#[cfg(test)]
mod tests;

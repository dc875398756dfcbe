//! Hands messages to those who listen. Owned by the simulation thread.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi;

use super::totals::Totals;
use super::{Arrival, Bus, Kept, KeptTopic, Outgoing, Queued, Subscription, Topic, TopicReport, TxQueue};

/// A message with its place in the run.
#[derive(Clone)]
pub struct Delivery {
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// Number on its topic.
    pub sequence: u64,
    /// Step in which it was published or latched in.
    pub step: u64,
    /// Resets before it.
    pub reset_epoch: u32,
    /// The bytes.
    pub payload: Payload,
}

/// What happened to the messages of one outgoing end.
#[derive(Debug, Default)]
pub struct EndpointCounters {
    /// Taken by the bridge and not rejected.
    pub delivered: AtomicU64,
    /// Lost in the queue, or rejected by the bridge.
    pub dropped: AtomicU64,
    /// Published while the bridge was not connected.
    pub missed: AtomicU64,
    /// Payload bytes of the delivered ones.
    pub bytes: AtomicU64,
}

/// The outgoing end of one topic in one bridge instance.
pub struct Endpoint {
    /// The topic.
    pub topic: Arc<Topic>,
    /// The bridge's own object.
    pub ctx: *mut c_void,
    /// Turns payloads into the bridge's own form.
    pub converter: Option<abi::bridge::Converter>,
    /// What happened to its messages.
    pub counters: EndpointCounters,
}

// SAFETY: `ctx` and the converter's `user` belong to the plugin and are only passed back, to functions that
// the ABI allows on the threads they are called from.
unsafe impl Send for Endpoint {}
// SAFETY: as above; the counters are atomic.
unsafe impl Sync for Endpoint {}

/// A way to one bridge instance.
struct Route {
    bridge: u32,
    queue: Arc<TxQueue>,
    endpoint: Arc<Endpoint>,
}

/// Everything about one topic that only the simulation thread touches.
struct Lane {
    topic: Arc<Topic>,
    next_sequence: u64,
    routes: Vec<Route>,
    subscriptions: Vec<Arc<Subscription>>,
    latched: Option<Delivery>,
    published: u64,
    bytes: u64,
}

/// When a message happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Number of the step.
    pub step: u64,
    /// Simulated time, nanoseconds.
    pub time_ns: i64,
    /// Resets so far.
    pub reset_epoch: u32,
}

/// The routing table.
#[derive(Default)]
pub struct Router {
    /// Number of the topic of the first lane.
    first: u32,
    lanes: Vec<Lane>,
    /// Bridges that reported no room under [`super::Overflow::Error`].
    overflowed: Vec<u32>,
    /// Counters of endpoints that are gone, by topic.
    past: BTreeMap<u32, [u64; 3]>,
    /// What topics go on with, in a run that is restored.
    expected: Vec<KeptTopic>,
    /// Totals of topics that went with their worlds.
    gone: Totals,
}

impl Router {
    /// Learns of topics that were opened since the last call.
    pub fn sync(&mut self, bus: &Bus) {
        let next = |lanes: usize| self.first.checked_add(u32::try_from(lanes).ok()?);
        while let Some(topic) = next(self.lanes.len()).and_then(|id| bus.get(id)) {
            let subscriptions = self.subscriptions_of(&topic);
            let lane = Lane {
                topic,
                next_sequence: 0,
                routes: Vec::new(),
                subscriptions,
                latched: None,
                published: 0,
                bytes: 0,
            };
            lane.count_listeners();
            self.lanes.push(lane);
        }
    }

    /// Who subscribed to a topic of that name and type, whichever vehicle it belongs to.
    fn subscriptions_of(&self, topic: &Topic) -> Vec<Arc<Subscription>> {
        let mut all: Vec<Arc<Subscription>> = Vec::new();
        for lane in self.lanes.iter().filter(|lane| lane.topic.has_name_of(topic)) {
            let new = |one: &&Arc<Subscription>| !all.iter().any(|known| Arc::ptr_eq(known, one));
            let missing: Vec<_> = lane.subscriptions.iter().filter(new).cloned().collect();
            all.extend(missing);
        }
        all
    }

    fn lane(&mut self, topic: u32) -> Option<&mut Lane> {
        lane(&mut self.lanes, self.first, topic)
    }

    /// Adds a way to a bridge.
    pub fn connect(&mut self, bridge: u32, queue: &Arc<TxQueue>, endpoint: &Arc<Endpoint>) {
        if let Some(lane) = self.lane(endpoint.topic.id) {
            lane.routes.push(Route { bridge, queue: Arc::clone(queue), endpoint: Arc::clone(endpoint) });
            lane.count_listeners();
        }
    }

    /// Removes every way to a bridge; its counters stay in the totals.
    pub fn disconnect(&mut self, bridge: u32) {
        for lane in &mut self.lanes {
            for route in lane.routes.iter().filter(|route| route.bridge == bridge) {
                let counters = &route.endpoint.counters;
                let past = self.past.entry(lane.topic.id).or_default();
                for (sum, counter) in
                    past.iter_mut().zip([&counters.delivered, &counters.dropped, &counters.missed])
                {
                    *sum += counter.load(Ordering::Relaxed);
                }
            }
            lane.routes.retain(|route| route.bridge != bridge);
            lane.count_listeners();
        }
    }

    /// A bridge began or ceased to take messages: counts listeners anew and gives it what is latched.
    pub fn bridge_changed(&mut self, bridge: u32, is_open: bool) {
        for lane in
            self.lanes.iter_mut().filter(|lane| lane.routes.iter().any(|route| route.bridge == bridge))
        {
            lane.count_listeners();
            if is_open {
                lane.replay_latched(|route| route.bridge == bridge);
            }
        }
    }

    /// Adds a subscription of a plugin to the topics of that name, the other vehicles' and the world's too: an
    /// absolute name means one thing for all plugins. It gets what is latched at once.
    pub fn subscribe(&mut self, subscription: &Arc<Subscription>) {
        for lane in self.lanes.iter_mut().filter(|lane| lane.topic.has_name_of(&subscription.topic)) {
            if let Some(latched) = &lane.latched {
                subscription.push(latched.clone());
            }
            lane.subscriptions.push(Arc::clone(subscription));
            lane.count_listeners();
        }
    }

    /// Routes what one plugin published, in its order, and leaves `messages` empty.
    pub fn route(&mut self, messages: &mut Vec<Outgoing>, now: Moment, give_up: &dyn Fn() -> bool) {
        for message in messages.drain(..) {
            let Some(lane) = lane(&mut self.lanes, self.first, message.topic) else {
                continue;
            };
            let delivery = lane.stamp(message.stamp_ns, message.payload, now);
            lane.deliver(&delivery, None, give_up, &mut self.overflowed);
        }
    }

    /// Routes a message that came from a peer: to the plugins that subscribe, and to the other bridges.
    pub fn route_arrival(
        &mut self,
        arrival: Arrival,
        now: Moment,
        give_up: &dyn Fn() -> bool,
    ) -> Option<Delivery> {
        // A peer may still send on a topic of the world that was there before.
        let lane = lane(&mut self.lanes, self.first, arrival.topic)?;
        let delivery = lane.stamp(arrival.stamp_ns.unwrap_or(now.time_ns), arrival.payload, now);
        lane.deliver(&delivery, Some(arrival.source), give_up, &mut self.overflowed);
        Some(delivery)
    }

    /// Bridges whose queue refused a message since the last call.
    pub fn take_overflowed(&mut self) -> Vec<u32> {
        let mut bridges = std::mem::take(&mut self.overflowed);
        bridges.sort_unstable();
        bridges.dedup();
        bridges
    }

    /// What every topic goes on with in a run that is restored.
    pub fn keep(&self) -> Vec<KeptTopic> {
        let keep = |lane: &Lane| KeptTopic {
            vehicle: lane.topic.vehicle.clone(),
            name: lane.topic.name.clone(),
            type_name: lane.topic.data_type.full_name().to_owned(),
            next_sequence: lane.next_sequence,
            latched: lane.latched.as_ref().map(Kept::of),
        };
        self.lanes.iter().map(keep).collect()
    }

    /// Keeps what topics of this run go on with, until they are there.
    pub fn expect(&mut self, topics: Vec<KeptTopic>) {
        self.expected = topics;
    }

    /// Lets topics go on as they were kept. Subscriptions made before have had what was latched.
    pub fn restore(&mut self, now: Moment) {
        let topics = std::mem::take(&mut self.expected);
        for lane in &mut self.lanes {
            let is_of = |kept: &&KeptTopic| {
                let topic = &lane.topic;
                (&*kept.vehicle, &*kept.name, &*kept.type_name)
                    == (&*topic.vehicle, &*topic.name, topic.data_type.full_name())
            };
            if let Some(kept) = topics.iter().find(is_of) {
                lane.next_sequence = kept.next_sequence;
                lane.latched = kept.latched.as_ref().map(|latched| latched.delivery(now));
            }
        }
    }

    /// A reset: sequence numbers start again, and what waits for plugins is forgotten.
    pub fn reset(&mut self) {
        for lane in &mut self.lanes {
            lane.next_sequence = 0;
            lane.subscriptions.iter().for_each(|subscription| subscription.clear());
        }
    }

    /// The plugins are gone: nobody subscribes any more, and nothing is latched. Totals stay.
    pub fn forget_plugins(&mut self) {
        for lane in &mut self.lanes {
            lane.subscriptions.clear();
            lane.latched = None;
            lane.count_listeners();
        }
    }

    /// The topics went with their world; the next one has the number `next`. Totals stay.
    pub fn forget_topics(&mut self, next: u32) {
        for report in self.lanes.iter().map(|lane| lane.report(self.past.get(&lane.topic.id))) {
            self.gone.add(report);
        }
        self.lanes.clear();
        self.past.clear();
        self.expected.clear();
        self.first = next;
    }

    /// Messages routed so far.
    #[must_use]
    pub fn published(&self) -> u64 {
        self.gone.published() + self.lanes.iter().map(|lane| lane.published).sum::<u64>()
    }

    /// Messages that connected bridges lost so far.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.report().iter().map(|topic| topic.dropped).sum()
    }

    /// Totals per topic, ordered by vehicle and name.
    #[must_use]
    pub fn report(&self) -> Vec<TopicReport> {
        let mut all = self.gone.clone();
        for report in self.lanes.iter().map(|lane| lane.report(self.past.get(&lane.topic.id))) {
            all.add(report);
        }
        all.into_reports()
    }
}

fn lane(lanes: &mut [Lane], first: u32, topic: u32) -> Option<&mut Lane> {
    lanes.get_mut(usize::try_from(topic.checked_sub(first)?).ok()?)
}

impl Lane {
    fn stamp(&mut self, stamp_ns: i64, payload: Payload, now: Moment) -> Delivery {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        self.published += 1;
        self.bytes += payload.len() as u64;
        Delivery { stamp_ns, sequence, step: now.step, reset_epoch: now.reset_epoch, payload }
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
            if !route.queue.push(route.queued(delivery), give_up) {
                overflowed.push(route.bridge);
            }
        }
        if self.topic.is_latched() {
            self.latched = Some(delivery.clone());
        }
    }

    fn replay_latched(&self, is_meant: impl Fn(&Route) -> bool) {
        let Some(latched) = &self.latched else {
            return;
        };
        for route in self.routes.iter().filter(|route| is_meant(route)) {
            route.queue.push(route.queued(latched), &|| true);
        }
    }

    fn count_listeners(&self) {
        let bridges = self.routes.iter().filter(|route| route.queue.is_open()).count();
        let count = bridges + self.subscriptions.len() + usize::from(self.topic.is_latched());
        self.topic.listeners.store(u32::try_from(count).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    fn report(&self, past: Option<&[u64; 3]>) -> TopicReport {
        let [mut delivered, mut dropped, mut missed] = past.copied().unwrap_or_default();
        for counters in self.routes.iter().map(|route| &route.endpoint.counters) {
            delivered += counters.delivered.load(Ordering::Relaxed);
            dropped += counters.dropped.load(Ordering::Relaxed);
            missed += counters.missed.load(Ordering::Relaxed);
        }
        let overflowed = self.topic.overflowed.load(Ordering::Relaxed);
        dropped += overflowed;
        dropped += self.subscriptions.iter().map(|subscription| subscription.dropped()).sum::<u64>();
        TopicReport {
            vehicle: self.topic.vehicle.clone(),
            name: self.topic.name.clone(),
            type_name: self.topic.data_type.ros_name().to_owned(),
            published: self.published + overflowed,
            bytes: self.bytes,
            delivered,
            dropped,
            missed,
        }
    }
}

impl Route {
    fn queued(&self, delivery: &Delivery) -> Queued {
        Queued {
            endpoint: Arc::clone(&self.endpoint),
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            reset_epoch: delivery.reset_epoch,
            payload: delivery.payload.clone(),
        }
    }
}

mod leave;
#[cfg(test)]
pub(super) mod tests;

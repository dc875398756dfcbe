//! The state of one server, shared by all instances with equal options: what the run offers, and the clients.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::{Clock, ClockReading};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_websocket::{Bytes, Frame, Link, Protocol};

use crate::action::Goals;
use crate::client::Client;
use crate::codes::{CLIENT, LOST, REQUEST};
use crate::connection::Generation;
use crate::encode::encoder::Publication;
use crate::encode::relayed::Relayed;
use crate::endpoint::{HostService, Incoming, Outgoing};
use crate::fault::{Fault, Level};
use crate::lock::lock;
use crate::names::type_name;
use crate::operation;
use crate::relay::Relay;
use crate::subscription::Subscription;
use crate::wall_clock::{self, Limiter};

/// Subscriptions of a topic, replaced as a whole so that a message needs no lock while it is sent.
type Subscribers = Arc<Vec<Arc<Subscription>>>;

/// One server.
pub(crate) struct Hub {
    pub(crate) generation: Generation,
    /// Largest message of a client in bytes.
    pub(crate) limit: usize,
    clocks: Mutex<Vec<(usize, Clock)>>,
    topics: Mutex<Vec<Weak<Outgoing>>>,
    incoming: Mutex<Vec<Weak<Incoming>>>,
    services: Mutex<BTreeMap<String, Weak<HostService>>>,
    subscribers: Mutex<BTreeMap<String, Subscribers>>,
    pub(crate) goals: Goals,
    pub(crate) relay: Relay,
    requests: Limiter,
    losses: Limiter,
    /// Dropped frames that were not counted by [`Hub::publish`] yet.
    pub(crate) lost: Arc<AtomicU64>,
}

impl Hub {
    pub(crate) fn new(generation: Generation, limit: usize) -> Self {
        Hub {
            generation,
            limit,
            clocks: Mutex::default(),
            topics: Mutex::default(),
            incoming: Mutex::default(),
            services: Mutex::default(),
            subscribers: Mutex::default(),
            goals: Goals::default(),
            relay: Relay::default(),
            requests: Limiter::default(),
            losses: Limiter::default(),
            lost: Arc::default(),
        }
    }

    /// Adds the clock of an instance.
    pub(crate) fn add_clock(&self, instance: usize, clock: Clock) {
        lock(&self.clocks).push((instance, clock));
    }

    pub(crate) fn remove_clock(&self, instance: usize) {
        lock(&self.clocks).retain(|(of, _)| *of != instance);
    }

    /// Returns the time of the run.
    pub(crate) fn time(&self) -> Option<ClockReading> {
        let clock = lock(&self.clocks).last().map(|(_, clock)| *clock)?;
        Some(clock.read())
    }

    pub(crate) fn add_topic(&self, topic: &Arc<Outgoing>) {
        lock(&self.topics).push(Arc::downgrade(topic));
        // Clients may have subscribed before.
        self.repeat_to_all(topic);
    }

    pub(crate) fn remove_topic(&self, topic: &Arc<Outgoing>) {
        lock(&self.topics).retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(topic)));
    }

    pub(crate) fn add_incoming(&self, topic: &Arc<Incoming>) {
        lock(&self.incoming).push(Arc::downgrade(topic));
    }

    pub(crate) fn remove_incoming(&self, topic: &Arc<Incoming>) {
        lock(&self.incoming).retain(|other| !std::ptr::eq(other.as_ptr(), Arc::as_ptr(topic)));
    }

    /// Offers a service; returns false if another one has its name.
    pub(crate) fn add_service(&self, service: &Arc<HostService>) -> bool {
        let mut services = lock(&self.services);
        if services.get(&service.name).is_some_and(|other| other.strong_count() > 0) {
            return false;
        }
        services.insert(service.name.clone(), Arc::downgrade(service));
        true
    }

    pub(crate) fn remove_service(&self, service: &Arc<HostService>) {
        let mut services = lock(&self.services);
        let is_it = |other: &Weak<HostService>| std::ptr::eq(other.as_ptr(), Arc::as_ptr(service));
        if services.get(&service.name).is_some_and(is_it) {
            services.remove(&service.name);
        }
    }

    /// Returns the topics that the run publishes.
    pub(crate) fn outgoing(&self) -> Vec<Arc<Outgoing>> {
        let mut topics = lock(&self.topics);
        topics.retain(|topic| topic.strong_count() > 0);
        topics.iter().filter_map(Weak::upgrade).collect()
    }

    /// Returns the topics that the run subscribes to.
    pub(crate) fn incoming(&self) -> Vec<Arc<Incoming>> {
        let mut incoming = lock(&self.incoming);
        incoming.retain(|topic| topic.strong_count() > 0);
        incoming.iter().filter_map(Weak::upgrade).collect()
    }

    /// Returns the services of the run in the order of their names.
    pub(crate) fn services(&self) -> Vec<Arc<HostService>> {
        let mut services = lock(&self.services);
        services.retain(|_, service| service.strong_count() > 0);
        services.values().filter_map(Weak::upgrade).collect()
    }

    pub(crate) fn service(&self, name: &str) -> Option<Arc<HostService>> {
        lock(&self.services).get(name)?.upgrade()
    }

    /// Returns the actions of the run, each with the service that accepts its goals.
    pub(crate) fn actions(&self) -> Vec<(ActionDescription, Arc<HostService>)> {
        let of = |service: Arc<HostService>| Some((service.action.clone()?, service));
        self.services().into_iter().filter_map(of).collect()
    }

    pub(crate) fn action(&self, name: &str) -> Option<(ActionDescription, Arc<HostService>)> {
        self.actions().into_iter().find(|(action, _)| action.name == name)
    }

    /// Returns the type of a topic.
    pub(crate) fn topic_type(&self, name: &str) -> Option<String> {
        let outgoing = self.outgoing().into_iter().find(|topic| topic.name == name);
        let outgoing = outgoing.map(|topic| topic.ros_type().to_string());
        let incoming = || {
            let topic = self.incoming().into_iter().find(|topic| topic.name == name)?;
            Some(topic.ros_type().to_string())
        };
        outgoing.or_else(incoming)
    }

    /// Returns a type name in the form of this server's generation.
    pub(crate) fn type_name(&self, full: &str) -> String {
        type_name(full, self.generation)
    }

    /// Adds a subscription.
    pub(crate) fn subscribe(&self, topic: &str, subscription: &Arc<Subscription>) {
        let mut subscribers = lock(&self.subscribers);
        let list = Arc::make_mut(subscribers.entry(topic.to_owned()).or_default());
        list.push(Arc::clone(subscription));
    }

    /// Sends a new subscriber the last message of a latched topic.
    pub(crate) fn repeat(&self, topic: &str, subscription: &Subscription) {
        for outgoing in self.outgoing().iter().filter(|outgoing| outgoing.name == topic) {
            outgoing.repeat(self.generation, |publication| {
                if let Err(fault) = subscription.send_now(publication) {
                    outgoing.log(&fault);
                }
            });
        }
    }

    fn repeat_to_all(&self, topic: &Outgoing) {
        for subscription in self.subscribers(&topic.name).iter().flat_map(|all| all.iter()) {
            topic.repeat(self.generation, |publication| drop(subscription.send_now(publication)));
        }
    }

    pub(crate) fn unsubscribe(&self, topic: &str, subscription: &Arc<Subscription>) {
        let mut subscribers = lock(&self.subscribers);
        if let Some(list) = subscribers.get_mut(topic) {
            Arc::make_mut(list).retain(|other| !Arc::ptr_eq(other, subscription));
            if list.is_empty() {
                subscribers.remove(topic);
            }
        }
    }

    /// Returns true if no client has left anything behind.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn is_unused(&self) -> bool {
        lock(&self.subscribers).is_empty()
            && self.relay.is_unused()
            && self.relay.services().is_empty()
            && self.relay.actions().is_empty()
    }

    fn subscribers(&self, topic: &str) -> Option<Subscribers> {
        lock(&self.subscribers).get(topic).cloned()
    }

    /// Sends a message of the run to the clients that subscribe to it, and returns the number of messages that were
    /// dropped for it. Without subscribers it is not encoded. `[tx]`
    pub(crate) fn publish(
        &self,
        topic: &Outgoing,
        bytes: &[u8],
        payload: impl FnOnce() -> Payload,
        stamp_ns: i64,
    ) -> u64 {
        let sequence = topic.note(payload, stamp_ns);
        if topic.is_of_action {
            self.goals.pass_feedback(self, topic, bytes);
            self.goals.pass_status(self, topic, bytes);
        }
        let Some(subscribers) = self.subscribers(&topic.name) else { return 0 };
        let mut publication =
            Publication::new(&topic.encoder, &topic.name, bytes, stamp_ns, sequence, self.generation);
        let now = wall_clock::now();
        let mut dropped = self.lost.swap(0, Ordering::Relaxed);
        for subscription in subscribers.iter() {
            match subscription.offer(&mut publication, now) {
                Ok(count) => dropped += count,
                Err(fault) => topic.log(&fault),
            }
        }
        dropped
    }

    /// Returns true if a client subscribes to a topic.
    pub(crate) fn is_subscribed(&self, topic: &str) -> bool {
        lock(&self.subscribers).contains_key(topic)
    }

    /// Sends a message of a client to all clients that subscribe to its topic, as ROS does.
    pub(crate) fn pass_on(&self, message: &Relayed<'_>) {
        let now = wall_clock::now();
        for subscription in self.subscribers(message.topic).iter().flat_map(|all| all.iter()) {
            match subscription.offer_relayed(message, now) {
                Ok(dropped) => drop(self.lost.fetch_add(dropped, Ordering::Relaxed)),
                Err(fault) => self.requests.warn(&fault.to_string()),
            }
        }
    }

    /// Logs a failed request, at most one every ten seconds, and reports it to the client.
    pub(crate) fn fail(&self, client: &Client, id: Option<&str>, fault: &Fault) {
        self.requests.warn(&format!("{fault} (client {})", client.link.peer()));
        client.fail(id, fault);
    }
}

impl Protocol for Hub {
    type Client = Arc<Client>;

    fn opened(&self, link: &Link) -> Arc<Client> {
        log::debug!("a client at {} has connected", link.peer());
        Arc::new(Client::new(link))
    }

    fn text(&self, client: &Arc<Client>, text: &str) {
        operation::take(client, text);
    }

    fn binary(&self, client: &Arc<Client>, bytes: Bytes) {
        match std::str::from_utf8(&bytes) {
            Ok(text) => operation::take(client, text),
            Err(_) => {
                let fault = Fault::new(REQUEST, "a binary frame must contain JSON in UTF-8");
                self.fail(client, None, &fault);
            }
        }
    }

    fn proceed(&self, client: &Arc<Client>) -> bool {
        operation::proceed(self, client)
    }

    fn lost(&self, client: &Arc<Client>, count: u64) -> Option<Frame> {
        let peer = client.link.peer();
        self.losses
            .warn(&format!("[{LOST}] the client {peer} reads too slowly and has lost {count} messages"));
        let text = format!("[{LOST}] {count} messages were dropped, because this client reads too slowly");
        client.status_frame(Level::Warning, None, &text)
    }

    fn poll(&self, client: &Arc<Client>) -> Option<Duration> {
        client.poll(self, wall_clock::now())
    }

    fn warn(&self, text: &str) {
        log::warn!("[{CLIENT}] {text}");
    }

    fn closed(&self, client: &Arc<Client>) {
        log::debug!("the client at {} has disconnected", client.link.peer());
        let subscriptions = std::mem::take(&mut *lock(&client.subscriptions));
        for (topic, subscription) in &subscriptions {
            self.unsubscribe(topic, subscription);
        }
        lock(&client.calls).clear();
        self.goals.forget(client);
        self.relay.forget(client);
    }
}

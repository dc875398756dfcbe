//! The data path of a run: bridges, the router, received messages, and message rates.
//!
//! Belongs to the simulation thread.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_abi::bridge::{NOTICE_RESET, Notice};
use bridgehead_lifecycle::{Cause, Report, ResetScope};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{JsonPlan, Message as _, rosgraph_msgs};

use super::record::Record;
use super::topics::{InternalPublisher, PublishError, TopicRates};
use crate::api::shared::Shared;
use crate::bridge::{BridgeInstance, BridgeSet};
use crate::bus::{
    Arrival, BusError, Moment, Outgoing, RegisteredType, Role, Router, SavedTopic, Subscription, Topic,
    TopicReport, kept,
};
use crate::model_plugin::ModelSet;
use crate::report::{BridgeResult, BridgeStatus};

/// Maximum time of one wait for connections.
const POLL: Duration = Duration::from_millis(2);
/// How long bridges may take to send the time after a reset.
const ANNOUNCE: Duration = Duration::from_millis(50);
/// How long bridges may take to acknowledge a reset.
const ACKNOWLEDGE: Duration = Duration::from_secs(2);

/// Bridges, topics and messages.
pub struct Traffic {
    shared: Arc<Shared>,
    pub(super) bridges: BridgeSet,
    pub(super) router: Router,
    /// Received messages of the current step; empty between steps.
    arrivals: Vec<Arrival>,
    /// How many messages of each bridge were dropped because too many waited for a step.
    flooded: BTreeMap<u32, u64>,
    pub(super) rates: TopicRates,
}

impl Traffic {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Traffic {
            shared,
            bridges: BridgeSet::default(),
            router: Router::default(),
            arrivals: Vec::new(),
            flooded: BTreeMap::new(),
            rates: TopicRates::default(),
        }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Returns the message counts of each topic, ordered by vehicle and name.
    #[must_use]
    pub fn topics(&self) -> Vec<TopicReport> {
        self.router.report()
    }

    /// Returns the message counts of the topics that exist, without those of removed vehicles and unloaded worlds.
    #[must_use]
    pub fn present_topics(&self) -> Vec<TopicReport> {
        let all = self.shared.bus.all();
        let key = |topic: &Arc<Topic>| {
            (topic.vehicle.clone(), topic.name.clone(), topic.data_type.ros_name().to_owned())
        };
        let present: BTreeSet<(String, String, String)> = all.iter().map(key).collect();
        let mut reports = self.topics();
        reports.retain(|report| {
            present.contains(&(report.vehicle.clone(), report.name.clone(), report.type_name.clone()))
        });
        reports
    }

    /// Returns the messages per wall second of each topic.
    #[must_use]
    pub fn rates(&self) -> &TopicRates {
        &self.rates
    }

    /// Returns the attached bridges, in order of attachment.
    #[must_use]
    pub fn bridge_status(&self) -> Vec<BridgeStatus> {
        self.bridges.instances().iter().map(BridgeInstance::report).collect()
    }

    pub(super) fn bridge_results(&self) -> Vec<BridgeResult> {
        self.bridges.results()
    }

    /// Returns the topic of that full name; if several vehicles have one, the first.
    #[must_use]
    pub fn find_topic(&self, name: &str) -> Option<Arc<Topic>> {
        self.shared.bus.all().into_iter().find(|topic| topic.name == name)
    }

    /// Returns the topic of that full name for messages to its subscribers; if several vehicles have one, one with a
    /// subscriber.
    pub fn find_command_topic(&mut self, name: &str) -> Option<Arc<Topic>> {
        self.sync();
        self.topic_for(InternalPublisher::Control, name, None, Role::Publisher).ok()
    }

    /// Watches the newest message of a topic, until [`Self::unwatch`] or the end of the world. For its publishers, the
    /// topic has a listener.
    pub fn watch(&mut self, topic: Arc<Topic>) -> Arc<Subscription> {
        self.sync();
        let subscription = Arc::new(Subscription::of_latest(topic));
        self.router.subscribe(&subscription);
        subscription
    }

    /// Ends a watch.
    pub fn unwatch(&mut self, subscription: &Arc<Subscription>) {
        self.router.unsubscribe(std::slice::from_ref(subscription));
    }

    /// Adds new topics to the router.
    pub(super) fn sync(&mut self) {
        self.router.sync(&self.shared.bus);
    }

    /// Adds new topics, and new subscriptions of plugins, to the router.
    pub(super) fn sync_models(&mut self, models: &mut ModelSet) {
        self.sync();
        models.route_subscriptions(&mut self.router);
    }

    /// Creates the missing endpoints of bridges for new topics.
    pub(super) fn sync_endpoints(&mut self) {
        self.bridges.sync_endpoints(&self.shared, &mut self.router);
    }

    /// Starts the loops of connected bridges that have none.
    pub(super) fn start_loops(&mut self) {
        self.bridges.start_loops(&mut self.router);
    }

    /// Polls the connections of bridges. Returns the failure of a required bridge, if any.
    pub(super) fn poll_bridges(&mut self) -> Option<Cause> {
        self.bridges.poll(&mut self.router)
    }

    /// Polls the connections until every bridge has tried once. Required bridges must succeed.
    pub(super) fn poll_connect(&mut self, record: &mut Record) -> Option<Report> {
        if let Some(cause) = self.poll_bridges() {
            record.keep_error(cause.to_string());
            return Some(Report::ConnectFailed(cause));
        }
        if self.bridges.is_connecting() {
            self.shared.watchdog.waits_for(self.bridges.connecting());
            self.shared.requests.wait(POLL);
            return None;
        }
        Some(Report::BridgesConnected)
    }

    /// Sends a reset to the bridges and waits until they acknowledge it.
    pub(super) fn notify_reset(&self, now: Moment, scope: ResetScope, ticket: u64) {
        self.shared.lockstep.begin_epoch(now.reset_epoch);
        self.notify(&Notice {
            struct_size: Notice::SIZE,
            kind: NOTICE_RESET,
            scope: u32::from(scope.bits()),
            reset_epoch: now.reset_epoch,
            time_ns: now.time_ns,
            ticket,
        });
        let late = self.shared.lockstep.wait_for_acknowledgements(ACKNOWLEDGE);
        if !late.is_empty() {
            let late = self.bridges.labels(&late);
            log::warn!("[BH-BRG-033] no acknowledgement of the reset from {late}");
        }
    }

    /// Sends a notice of the lifecycle to every bridge.
    pub(super) fn notify(&self, notice: &Notice) {
        self.bridges.notice(notice);
    }

    /// Routes the messages that plugins published in this phase of a step.
    pub(super) fn route_published(&mut self, models: &mut ModelSet, now: Moment) {
        let shared = &self.shared;
        if shared.has_published.swap(false, Ordering::Acquire) {
            models.route(&mut self.router, now, &|| shared.requests.is_urgent());
        }
    }

    /// Routes one message of the host.
    pub(super) fn route(&mut self, topic: u32, now: Moment, payload: Payload) {
        let mut messages = vec![Outgoing { topic, stamp_ns: now.time_ns, payload: kept(payload) }];
        let shared = &self.shared;
        self.router.route("", &mut messages, now, &|| shared.requests.is_urgent());
    }

    /// Publishes the time on the topics on which plugins publish it: after a reset, no step may follow that does. Waits
    /// shortly until bridges have sent it, so that clients know the time before they get the answer to the reset.
    pub(super) fn announce_time(&mut self, now: Moment) {
        let time = rosgraph_msgs::Clock { clock: Some(Time::from_nanos(now.time_ns)) };
        let mut clocks = self.shared.bus.all();
        clocks.retain(|topic| {
            topic.data_type.full_name() == rosgraph_msgs::Clock::FULL_NAME
                && topic.is_published()
                && topic.listeners.load(Ordering::Relaxed) > 0
        });
        for topic in &clocks {
            self.route(topic.id, now, Payload::from_vec(time.encode_to_vec()));
        }
        let deadline = crate::clock::now() + ANNOUNCE;
        let is_sending = |topic: &Arc<Topic>| self.router.in_flight(topic.id) > 0;
        while clocks.iter().any(is_sending) && crate::clock::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Routes the messages that were received for this step, and records the commands of peers.
    pub(super) fn latch(&mut self, now: Moment, record: &mut Record) {
        let shared = &self.shared;
        let wants_commands = record.wants_commands();
        shared.inbox.latch(now.step, &mut self.arrivals);
        for arrival in self.arrivals.drain(..) {
            // Triggers publish again when a recorded run is replayed.
            let is_recorded = wants_commands && arrival.source != InternalPublisher::Triggers.number();
            let topic = arrival.topic;
            let delivery = self.router.route_arrival(arrival, now, &|| shared.requests.is_urgent());
            if let (Some(delivery), true) = (delivery, is_recorded)
                && let Some(topic) = shared.bus.get(topic)
            {
                record.write_command(&topic, &delivery);
            }
        }
    }

    /// Logs, at powers of ten, the bridges that deliver more than the steps take.
    fn report_floods(&mut self) {
        for (source, count) in self.shared.inbox.take_dropped() {
            let total = self.flooded.entry(source).or_default();
            let before = total.checked_ilog10();
            *total += count;
            if total.checked_ilog10() != before {
                let (label, total) = (self.bridges.labels(&[source]), *total);
                log::error!(
                    "[BH-BRG-034] `{label}` delivers more messages than the steps take; {total} were dropped so far"
                );
            }
        }
    }

    /// Logs the bridges whose queue refused a message.
    pub(super) fn report_overflows(&mut self) {
        self.report_floods();
        let ids = self.router.take_overflowed();
        if !ids.is_empty() {
            let labels = self.bridges.labels(&ids);
            log::error!("[BH-BRG-032] the queue of {labels} is full and set to `error`: messages are lost");
        }
    }

    /// Publishes a message of the host on a topic of the world, which is opened if it is missing.
    pub(super) fn publish(
        &mut self,
        now: Moment,
        name: &str,
        data_type: &Arc<RegisteredType>,
        qos: Qos,
        payload: Vec<u8>,
    ) -> Result<(), BusError> {
        let owner = InternalPublisher::Control.name();
        let topic = self.shared.bus.open("", name, data_type, qos, Role::Publisher, owner)?;
        self.sync();
        self.sync_endpoints();
        self.route(topic.id, now, Payload::from_vec(payload));
        Ok(())
    }

    /// Injects a message as if a peer had sent it: the next step latches it in. If its type is given, a missing topic
    /// is opened as a topic of the world.
    pub(super) fn inject(
        &mut self,
        publisher: InternalPublisher,
        topic: &str,
        type_name: Option<&str>,
        json: &str,
    ) -> Result<(), PublishError> {
        let topic = self.topic_for(publisher, topic, type_name, Role::Publisher)?;
        self.sync();
        let mut payload = Vec::new();
        let decoded = JsonPlan::compile(&topic.data_type.message).decode(json, &mut payload);
        let has = || topic.data_type.ros_name().to_owned();
        decoded.map_err(|error| PublishError::Message { has: has(), error })?;
        self.inject_payload(publisher, topic.id, payload);
        Ok(())
    }

    /// Injects an encoded message, as [`Self::inject`] does.
    pub(super) fn inject_payload(&self, publisher: InternalPublisher, topic: u32, payload: Vec<u8>) {
        self.shared.inbox.push(Arrival {
            topic,
            source: publisher.number(),
            at_step: None,
            stamp_ns: None,
            payload: kept(Payload::from_vec(payload)),
        });
    }

    /// Returns the topic of that name; if it is missing and its type is given, a new one of the world.
    pub(super) fn topic_for(
        &self,
        publisher: InternalPublisher,
        name: &str,
        type_name: Option<&str>,
        role: Role,
    ) -> Result<Arc<Topic>, PublishError> {
        let all = self.shared.bus.all();
        let has_name = |topic: &&Arc<Topic>| topic.name == name;
        // If several vehicles have the topic, one with a subscriber is preferred.
        let subscribed =
            all.iter().filter(has_name).find(|topic| role == Role::Publisher && topic.is_subscribed());
        if let Some(topic) = subscribed.or_else(|| all.iter().find(has_name)) {
            let data_type = &topic.data_type;
            return match type_name {
                Some(asked) if ![data_type.ros_name(), data_type.full_name()].contains(&asked) => {
                    let (has, asked) = (data_type.ros_name().to_owned(), asked.to_owned());
                    Err(PublishError::OtherType { topic: topic.name.clone(), has, asked })
                }
                _ => Ok(Arc::clone(topic)),
            };
        }
        let Some(type_name) = type_name else {
            return Err(PublishError::no_topic(name, &all));
        };
        let data_type =
            self.shared.types.find(type_name).ok_or_else(|| PublishError::NoType(type_name.to_owned()))?;
        Ok(self.shared.bus.open("", name, &data_type, Qos::default(), role, publisher.name())?)
    }

    /// Returns the state of topics for a snapshot.
    pub(super) fn saved_topics(&self) -> Vec<SavedTopic> {
        self.router.keep()
    }

    /// Drops queued messages and sequence numbers, at a reset.
    pub(super) fn reset(&mut self) {
        self.shared.inbox.clear();
        self.router.reset();
    }

    /// Withdraws the services and subscriptions of a removed entity.
    pub(super) fn withdraw_services(&mut self, entity: &str, subscriptions: &[Arc<Subscription>]) {
        self.router.unsubscribe(subscriptions);
        self.shared.services.withdraw(entity);
    }

    /// Withdraws the topics of a removed entity, once its bridges are removed.
    pub(super) fn withdraw_topics(&mut self, entity: &str) {
        let topics = self.shared.bus.withdraw(entity);
        self.router.withdraw(&topics);
        self.shared.inbox.forget(&topics);
    }

    /// Disconnects and removes the bridges for which `which` returns true. Returns the problems.
    #[must_use]
    pub(super) fn end_bridges(&mut self, which: impl Fn(&BridgeInstance) -> bool) -> Vec<String> {
        self.bridges.terminate(&mut self.router, which)
    }

    /// Removes all topics, services and messages of the world. `is_last` means that the host quits: then bridges of the
    /// world still send their queued messages, which are counted when these bridges end.
    pub(super) fn forget_world(&mut self, is_last: bool) {
        self.shared.services.clear();
        if is_last {
            self.router.forget_plugins();
            self.shared.bus.clear();
        } else {
            self.bridges.withdraw();
            self.router.forget_topics(self.shared.bus.clear());
        }
        self.shared.inbox.clear();
        self.arrivals.clear();
    }
}

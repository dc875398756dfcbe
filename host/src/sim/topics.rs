//! Topics as those see them who control a run: what flows, the newest message, and messages from outside.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::{JsonPlan, PayloadError};
use thiserror::Error;

use super::Simulation;
use crate::bus::{Arrival, BusError, Outgoing, RegisteredType, Role, Subscription, Topic, TopicReport};

/// Who sends and hears messages without a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Insider {
    /// Those who control the run.
    Control,
    /// The triggers of the run.
    Triggers,
}

impl Insider {
    /// Its number among those who send messages; bridges have smaller ones.
    pub(super) fn number(self) -> u32 {
        match self {
            Insider::Control => u32::MAX - 1,
            Insider::Triggers => u32::MAX,
        }
    }

    /// What it is called as the owner of topics.
    fn name(self) -> &'static str {
        match self {
            Insider::Control => "control",
            Insider::Triggers => "triggers",
        }
    }
}

/// How many topics are named where one was not found.
const MOST_NAMED: usize = 20;

/// Why a message was not published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A topic that nobody has, without a type.
    #[error("[BH-CTL-010] there is no topic {asked}, there are {found}; give its type to open it")]
    NoTopic {
        /// The topic.
        asked: String,
        /// Those that there are.
        found: String,
    },
    /// A type that nobody registered.
    #[error("[BH-CTL-011] there is no message type `{0}`; it is a ROS name such as `std_msgs/msg/Bool`")]
    NoType(String),
    /// The topic has another type.
    #[error("[BH-CTL-012] topic `{topic}` carries {has}, not {asked}")]
    OtherType {
        /// The topic.
        topic: String,
        /// Its type.
        has: String,
        /// What was given.
        asked: String,
    },
    /// No world, so no topics.
    #[error("[BH-CTL-013] no world is loaded, so there are no topics")]
    NoWorld,
    /// The text is no message of the type.
    #[error("the message does not fit {has}: {error}")]
    Message {
        /// The type of the topic.
        has: String,
        /// What is wrong with it.
        error: PayloadError,
    },
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] BusError),
}

/// Messages per wall second of each topic; of one that falls silent it decays to 0.
#[derive(Debug, Default)]
pub struct TopicRates {
    topics: BTreeMap<(String, String), Rate>,
}

#[derive(Debug, Default)]
struct Rate {
    published: u64,
    per_second: f64,
}

impl TopicRates {
    /// Takes note of what was published during the last `elapsed`.
    pub(super) fn sample(&mut self, reports: &[TopicReport], elapsed: Duration) {
        for report in reports {
            let rate = self.topics.entry((report.vehicle.clone(), report.name.clone())).or_default();
            let new = report.published.saturating_sub(rate.published);
            rate.published = report.published;
            #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
            let seen = new as f64 / elapsed.as_secs_f64().max(1e-3);
            // Half of the old value goes with every sample, and the last tenth of a message at once.
            let mixed = if rate.per_second == 0.0 { seen } else { (rate.per_second + seen) / 2.0 };
            rate.per_second = if mixed < 0.1 { 0.0 } else { mixed };
        }
    }

    /// The rate of a topic.
    #[must_use]
    pub fn of(&self, report: &TopicReport) -> f64 {
        let key = (report.vehicle.clone(), report.name.clone());
        self.topics.get(&key).map_or(0.0, |rate| rate.per_second)
    }
}

impl Simulation {
    /// What went over each topic, ordered by vehicle and name.
    #[must_use]
    pub fn topics(&self) -> Vec<TopicReport> {
        self.router.report()
    }

    /// How much flows.
    #[must_use]
    pub fn rates(&self) -> &TopicRates {
        &self.rates
    }

    /// The topic of that full name; of several vehicles the first.
    #[must_use]
    pub fn find_topic(&self, name: &str) -> Option<Arc<Topic>> {
        self.shared.bus.all().into_iter().find(|topic| topic.name == name)
    }

    /// Watches the newest message of a topic, until [`Self::unwatch`] or the end of the world. Its publishers learn
    /// that somebody listens.
    pub fn watch(&mut self, topic: Arc<Topic>) -> Arc<Subscription> {
        self.router.sync(&self.shared.bus);
        let subscription = Arc::new(Subscription::of_latest(topic));
        self.router.subscribe(&subscription);
        subscription
    }

    /// Ends a watch.
    pub fn unwatch(&mut self, subscription: &Arc<Subscription>) {
        self.router.unsubscribe(std::slice::from_ref(subscription));
    }

    /// Puts a message on a topic as if a peer had sent it: it is latched in by the next step.
    ///
    /// # Errors
    /// Where there is no such topic or type, or the text is no message of it.
    pub fn publish_json(&mut self, topic: &str, type_name: &str, json: &str) -> Result<(), PublishError> {
        let type_name = Some(type_name).filter(|name| !name.is_empty());
        self.inject(Insider::Control, topic, type_name, json)
    }

    /// Sends a message as a peer would, on a topic that is there or, where its type is given, on a new one of the world.
    pub(super) fn inject(
        &mut self,
        insider: Insider,
        topic: &str,
        type_name: Option<&str>,
        json: &str,
    ) -> Result<(), PublishError> {
        if self.world.is_none() {
            return Err(PublishError::NoWorld);
        }
        let topic = self.topic_for(insider, topic, type_name, Role::Publisher)?;
        self.router.sync(&self.shared.bus);
        let mut payload = Vec::new();
        let decoded = JsonPlan::compile(&topic.data_type.message).decode(json, &mut payload);
        let has = || topic.data_type.ros_name().to_owned();
        decoded.map_err(|error| PublishError::Message { has: has(), error })?;
        self.shared.inbox.push(Arrival {
            topic: topic.id,
            source: insider.number(),
            at_step: None,
            stamp_ns: None,
            payload: Payload::from_vec(payload),
        });
        Ok(())
    }

    /// The topic of that name, or a new one of the world where its type is given.
    pub(super) fn topic_for(
        &self,
        insider: Insider,
        name: &str,
        type_name: Option<&str>,
        role: Role,
    ) -> Result<Arc<Topic>, PublishError> {
        let all = self.shared.bus.all();
        let has_name = |topic: &&Arc<Topic>| topic.name == name;
        // Of several vehicles' topics of one name, one that a plugin listens to is the one that is meant.
        let heard =
            all.iter().filter(has_name).find(|topic| role == Role::Publisher && topic.is_subscribed());
        if let Some(topic) = heard.or_else(|| all.iter().find(has_name)) {
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
            return Err(PublishError::NoTopic { asked: name.to_owned(), found: some_of(&all) });
        };
        let data_type =
            self.shared.types.find(type_name).ok_or_else(|| PublishError::NoType(type_name.to_owned()))?;
        Ok(self.shared.bus.open("", name, &data_type, Qos::default(), role, insider.name())?)
    }

    fn open_topic(
        &mut self,
        name: &str,
        data_type: &Arc<RegisteredType>,
        qos: Qos,
    ) -> Result<Arc<Topic>, BusError> {
        let owner = Insider::Control.name();
        let topic = self.shared.bus.open("", name, data_type, qos, Role::Publisher, owner)?;
        self.router.sync(&self.shared.bus);
        Ok(topic)
    }

    /// Publishes a message of the host on a topic of the world, which is opened where it is not there.
    ///
    /// # Errors
    /// Where the name is no name.
    pub fn publish(
        &mut self,
        name: &str,
        data_type: &Arc<RegisteredType>,
        qos: Qos,
        payload: Vec<u8>,
    ) -> Result<(), BusError> {
        if self.world.is_none() {
            return Ok(());
        }
        let topic = self.open_topic(name, data_type, qos)?;
        self.bridges.sync_endpoints(&self.shared, &mut self.router);
        let payload = Payload::from_vec(payload);
        let mut messages = vec![Outgoing { topic: topic.id, stamp_ns: self.now().time_ns, payload }];
        let shared = Arc::clone(&self.shared);
        self.router.route(&mut messages, self.now(), &|| shared.requests.is_urgent());
        Ok(())
    }
}

/// The names of topics, for people.
fn some_of(all: &[Arc<Topic>]) -> String {
    let names: Vec<&str> = all.iter().map(|topic| topic.name.as_str()).take(MOST_NAMED).collect();
    let more = if all.len() > MOST_NAMED { " and others" } else { "" };
    if names.is_empty() { "none".to_owned() } else { format!("{}{more}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(published: u64) -> TopicReport {
        TopicReport {
            vehicle: String::new(),
            name: "/clock".to_owned(),
            type_name: String::new(),
            published,
            bytes: 0,
            delivered: 0,
            dropped: 0,
            missed: 0,
        }
    }

    #[test]
    fn rates_follow_what_flows_and_decay_to_nothing() {
        let mut rates = TopicRates::default();
        let second = Duration::from_secs(1);
        rates.sample(&[report(100)], second);
        assert!((rates.of(&report(0)) - 100.0).abs() < 1e-9);
        for _ in 0..12 {
            rates.sample(&[report(100)], second);
        }
        assert!(rates.of(&report(0)).abs() < f64::EPSILON);
    }
}

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

/// The bridge number of what comes in without a bridge.
const FROM_CONTROL: u32 = u32::MAX;

/// Why a message was not published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A topic that nobody has, without a type.
    #[error("[BH-CTL-010] there is no topic `{0}`; give its type to open it")]
    NoTopic(String),
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
    #[error(transparent)]
    Message(#[from] PayloadError),
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
        if self.world.is_none() {
            return Err(PublishError::NoWorld);
        }
        let topic = self.topic_for(topic, type_name)?;
        let mut payload = Vec::new();
        JsonPlan::compile(&topic.data_type.message).decode(json, &mut payload)?;
        self.shared.inbox.push(Arrival {
            topic: topic.id,
            source: FROM_CONTROL,
            at_step: None,
            stamp_ns: None,
            payload: Payload::from_vec(payload),
        });
        Ok(())
    }

    fn topic_for(&mut self, name: &str, type_name: &str) -> Result<Arc<Topic>, PublishError> {
        if let Some(topic) = self.find_topic(name) {
            let is_same = type_name.is_empty()
                || [topic.data_type.ros_name(), topic.data_type.full_name()].contains(&type_name);
            return if is_same {
                Ok(topic)
            } else {
                let (has, asked) = (topic.data_type.ros_name().to_owned(), type_name.to_owned());
                Err(PublishError::OtherType { topic: topic.name.clone(), has, asked })
            };
        }
        if type_name.is_empty() {
            return Err(PublishError::NoTopic(name.to_owned()));
        }
        let data_type =
            self.shared.types.find(type_name).ok_or_else(|| PublishError::NoType(type_name.to_owned()))?;
        Ok(self.open_topic(name, &data_type, Qos::default())?)
    }

    fn open_topic(
        &mut self,
        name: &str,
        data_type: &Arc<RegisteredType>,
        qos: Qos,
    ) -> Result<Arc<Topic>, BusError> {
        let topic = self.shared.bus.open("", name, data_type, qos, Role::Publisher, "control")?;
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
        let mut messages = vec![Outgoing { topic: topic.id, stamp_ns: self.now.time_ns, payload }];
        let shared = Arc::clone(&self.shared);
        self.router.route(&mut messages, self.now, &|| shared.asks.is_urgent());
        Ok(())
    }
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

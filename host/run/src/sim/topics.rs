//! Publishing without a bridge, and the message rate of each topic.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bridgehead_plugin_api::messages::PayloadError;
use thiserror::Error;

use crate::bus::{BusError, Topic, TopicReport};
use crate::config::nearest;

/// A part of the host that publishes and subscribes without a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InternalPublisher {
    /// Clients of the control plane.
    Control,
    /// The triggers of the run.
    Triggers,
}

impl InternalPublisher {
    /// Its number as a source of messages; bridges have smaller ones.
    pub(super) fn number(self) -> u32 {
        match self {
            InternalPublisher::Control => u32::MAX - 1,
            InternalPublisher::Triggers => u32::MAX,
        }
    }

    /// Its name as the owner of topics.
    pub(super) fn name(self) -> &'static str {
        match self {
            InternalPublisher::Control => "control",
            InternalPublisher::Triggers => "triggers",
        }
    }
}

/// Maximum number of topics in an error.
const MAX_NAMED: usize = 20;

/// Why a message was not published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The topic is missing, and the request does not create it.
    #[error(
        "[BH-CTL-010] there is no topic `{asked}`{near}; there are {found}; to create it, give its type, and for `publish_message` `create` too"
    )]
    NoTopic {
        /// The topic.
        asked: String,
        /// The most similar topic, as a question, or nothing.
        near: String,
        /// Topics that exist.
        found: String,
    },
    /// The type is not registered.
    #[error("[BH-CTL-011] there is no message type `{0}`; it is a ROS name such as `std_msgs/msg/Bool`")]
    NoType(String),
    /// The topic has another type.
    #[error("[BH-CTL-012] topic `{topic}` carries {has}, not {asked}")]
    OtherType {
        /// The topic.
        topic: String,
        /// Its type.
        has: String,
        /// The given type.
        asked: String,
    },
    /// No world is loaded.
    #[error("[BH-CTL-013] no world is loaded, so there are no topics")]
    NoWorld,
    /// The text is not a message of the type.
    #[error("[{}] the message does not fit {has}: {}", error.code(), error.detail())]
    Message {
        /// The type of the topic.
        has: String,
        /// The difference.
        error: PayloadError,
    },
    /// The name is malformed.
    #[error(transparent)]
    Name(#[from] BusError),
}

/// Messages per wall second of each topic. The rate of a topic without messages decays to 0.
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
    /// Adds the messages that were published during the last `elapsed`.
    pub(super) fn sample(&mut self, reports: &[TopicReport], elapsed: Duration) {
        for report in reports {
            let rate = self.topics.entry((report.vehicle.clone(), report.name.clone())).or_default();
            let new = report.published.saturating_sub(rate.published);
            rate.published = report.published;
            #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
            let seen = new as f64 / elapsed.as_secs_f64().max(1e-3);
            // Every sample halves the old value; below a tenth of a message it is 0.
            let mixed = if rate.per_second == 0.0 { seen } else { (rate.per_second + seen) / 2.0 };
            rate.per_second = if mixed < 0.1 { 0.0 } else { mixed };
        }
    }

    /// Returns the rate of a topic.
    #[must_use]
    pub fn of(&self, report: &TopicReport) -> f64 {
        let key = (report.vehicle.clone(), report.name.clone());
        self.topics.get(&key).map_or(0.0, |rate| rate.per_second)
    }
}

impl PublishError {
    /// A topic that is missing among `all`.
    pub(super) fn no_topic(asked: &str, all: &[Arc<Topic>]) -> Self {
        let names: Vec<&str> = all.iter().map(|topic| topic.name.as_str()).collect();
        let near = nearest(asked, &names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        PublishError::NoTopic { asked: asked.to_owned(), near, found: some_of(all) }
    }
}

/// Returns the names of topics, for an error.
fn some_of(all: &[Arc<Topic>]) -> String {
    // Several vehicles may have one of the same name.
    let names: BTreeSet<&str> = all.iter().map(|topic| topic.name.as_str()).collect();
    let more = if names.len() > MAX_NAMED { " and others" } else { "" };
    let names: Vec<&str> = names.into_iter().take(MAX_NAMED).collect();
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
            overflowed: 0,
            missed: 0,
            listeners: 0,
        }
    }

    #[test]
    fn rates_follow_the_number_of_messages_and_decay_to_zero() {
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

//! Subscriptions of triggers that wait for messages. All other topics cost nothing.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::{FieldPath, FieldValue, Wire};

use crate::bus::{Bus, Moment, Role, Subscription, Topic};
use crate::sim::topics::{InternalPublisher, PublishError};
use crate::sim::traffic::Traffic;
use crate::trigger::{Condition, Engine, TopicEvent};

/// Maximum number of messages of one topic in one step; if there are more, the oldest are dropped.
const DEPTH: u32 = 1024;

/// The subscriptions of the triggers of a world.
#[derive(Default)]
pub(in crate::sim) struct TriggerSubscriptions {
    all: Vec<TriggerSubscription>,
    /// The generations of triggers and topics that they are up to date with.
    synced: Option<(u64, u64)>,
}

/// The subscription of one trigger.
struct TriggerSubscription {
    /// Number of the trigger.
    id: u64,
    subscription: Arc<Subscription>,
    test: Test,
}

/// The test of a message.
enum Test {
    /// Every message passes.
    Any,
    /// A field must be true.
    True(FieldPath),
    /// A field must meet a condition.
    Field(FieldPath, Condition),
    /// The message cannot be compared, which has been reported.
    Never,
}

impl Test {
    fn of(event: &TopicEvent, topic: &Topic) -> Result<Self, String> {
        let message = &topic.data_type.message;
        let compiled = |field| FieldPath::compile(message, field).map_err(|error| error.to_string());
        match &event.field {
            Some(field) => {
                let path = compiled(field)?;
                event.is.check_kind(path.kind()).map_err(|error| error.to_string())?;
                Ok(Test::Field(path, event.is.clone()))
            }
            None if is_flag(topic) => Ok(Test::True(compiled("data")?)),
            None => Ok(Test::Any),
        }
    }

    /// Returns true if a message passes. A malformed message does not pass.
    fn passes(&self, payload: &Payload) -> bool {
        match self {
            Test::Any => true,
            Test::True(path) => path.read(payload) == Ok(Some(FieldValue::Bool(true))),
            Test::Field(path, condition) => {
                path.read(payload).is_ok_and(|value| value.is_some_and(|value| condition.holds(value)))
            }
            Test::Never => false,
        }
    }
}

/// Returns true if the only field of a message is a flag, as in `std_msgs/msg/Bool`.
fn is_flag(topic: &Topic) -> bool {
    let [field] = topic.data_type.message.fields() else { return false };
    field.wire() == Wire::Bool && field.name() == "data"
}

impl TriggerSubscriptions {
    /// Subscribes for new triggers, and ends the subscriptions of removed ones. Returns the problems.
    pub(super) fn sync(&mut self, engine: &Engine, bus: &Bus, traffic: &mut Traffic) -> Vec<String> {
        let present = Some((engine.generation(), bus.generation()));
        if self.synced == present {
            return Vec::new();
        }
        // An earlier trigger may wait for a topic that this call opens: the next call finds it.
        self.synced = present;
        // Without subscriptions, changes of topics do not matter.
        if self.all.is_empty() && engine.watched().next().is_none() {
            return Vec::new();
        }
        traffic.sync();
        let is_removed = |known: &mut TriggerSubscription| !engine.watched().any(|(id, _)| id == known.id);
        for removed in self.all.extract_if(.., is_removed) {
            traffic.unwatch(&removed.subscription);
        }
        let mut problems = Vec::new();
        for (id, event) in engine.watched() {
            if !self.has(id) {
                problems.extend(self.subscribe(id, event, traffic));
            }
        }
        problems
    }

    fn has(&self, id: u64) -> bool {
        self.all.iter().any(|known| known.id == id)
    }

    /// Subscribes for one trigger, if its topic exists. Returns the problem.
    fn subscribe(&mut self, id: u64, event: &TopicEvent, traffic: &mut Traffic) -> Option<String> {
        let topic = topic_of(event, traffic).ok()?;
        traffic.sync();
        let test = Test::of(event, &topic);
        let subscription = Arc::new(Subscription::new(topic, DEPTH));
        if test.is_ok() {
            traffic.router.subscribe(&subscription);
        }
        let problem = test
            .as_ref()
            .err()
            .map(|why| format!("[BH-TRG-031] a trigger cannot compare messages of {}: {why}", event.topic));
        self.all.push(TriggerSubscription { id, subscription, test: test.unwrap_or(Test::Never) });
        problem
    }

    /// Reports the messages of this step to the engine.
    pub(super) fn deliver(&self, engine: &mut Engine, now: Moment) {
        for known in &self.all {
            while let Some(passes) = known.subscription.take(|delivery| known.test.passes(&delivery.payload))
            {
                engine.observe(known.id, passes, now);
            }
        }
    }

    /// Warns about triggers whose topic does not exist, as a run begins.
    pub(super) fn warn_missing_topics(&self, engine: &Engine, traffic: &Traffic) {
        for (_, event) in engine.watched().filter(|(id, _)| !self.has(*id)) {
            if let Err(why) = topic_of(event, traffic) {
                log::warn!("[BH-TRG-030] no topic for the messages that a trigger waits for: {why}");
            }
        }
    }
}

/// Returns the topic that a trigger waits for.
fn topic_of(event: &TopicEvent, traffic: &Traffic) -> Result<Arc<Topic>, PublishError> {
    let type_name = event.type_name.as_deref();
    traffic.topic_for(InternalPublisher::Triggers, &event.topic, type_name, Role::Subscriber)
}

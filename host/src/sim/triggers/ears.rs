//! What triggers listen to: a subscription for each that waits for messages, and no work for any other topic.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::{FieldPath, FieldValue, Wire};

use crate::bus::{Role, Subscription, Topic};
use crate::sim::Simulation;
use crate::sim::topics::{Insider, PublishError};
use crate::trigger::{Condition, TopicEvent};

/// Most messages of one topic in one step; of more the first are not compared.
const DEPTH: u32 = 1024;

/// The subscriptions of triggers.
#[derive(Default)]
pub(super) struct Ears {
    ears: Vec<Ear>,
    /// The state of triggers and of topics that these are for.
    heard: Option<(u64, u64)>,
}

/// The subscription of one trigger.
struct Ear {
    /// Number of the trigger.
    id: u64,
    subscription: Arc<Subscription>,
    sense: Sense,
}

/// What is looked for in a message.
enum Sense {
    /// Nothing: any will do.
    Any,
    /// A field that is true.
    True(FieldPath),
    /// A field that is as it should be.
    Field(FieldPath, Condition),
    /// The message cannot be compared, which has been said.
    Deaf,
}

impl Sense {
    fn of(event: &TopicEvent, topic: &Topic) -> Result<Self, String> {
        let message = &topic.data_type.message;
        let compiled = |field| FieldPath::compile(message, field).map_err(|error| error.to_string());
        match &event.field {
            Some(field) => {
                let path = compiled(field)?;
                event.is.check_kind(path.kind()).map_err(|error| error.to_string())?;
                Ok(Sense::Field(path, event.is.clone()))
            }
            None if is_flag(topic) => Ok(Sense::True(compiled("data")?)),
            None => Ok(Sense::Any),
        }
    }

    /// Whether a message is as it should be. One that cannot be read is not.
    fn judge(&self, payload: &Payload) -> bool {
        match self {
            Sense::Any => true,
            Sense::True(path) => path.read(payload) == Ok(Some(FieldValue::Bool(true))),
            Sense::Field(path, condition) => {
                path.read(payload).is_ok_and(|value| value.is_some_and(|value| condition.holds(value)))
            }
            Sense::Deaf => false,
        }
    }
}

/// Whether a message is nothing but a flag, as `std_msgs/msg/Bool` is.
fn is_flag(topic: &Topic) -> bool {
    let [field] = topic.data_type.message.fields() else { return false };
    field.wire() == Wire::Bool && field.name() == "data"
}

impl Simulation {
    /// Subscribes for triggers that are new, and ends the subscriptions of those that are gone.
    pub(super) fn listen(&mut self) {
        let present = Some((self.triggers.engine.generation(), self.shared.bus.generation()));
        if self.triggers.ears.heard == present {
            return;
        }
        // Where nobody listens and nobody is to, topics may come and go.
        if self.triggers.ears.ears.is_empty() && self.triggers.engine.watched().next().is_none() {
            self.triggers.ears.heard = present;
            return;
        }
        self.router.sync(&self.shared.bus);
        let watched: Vec<(u64, TopicEvent)> =
            self.triggers.engine.watched().map(|(id, event)| (id, event.clone())).collect();
        let is_gone = |ear: &mut Ear| !watched.iter().any(|(id, _)| *id == ear.id);
        for ear in self.triggers.ears.ears.extract_if(.., is_gone) {
            self.router.unsubscribe(std::slice::from_ref(&ear.subscription));
        }
        for (id, event) in watched {
            if !self.triggers.ears.ears.iter().any(|ear| ear.id == id) {
                self.subscribe(id, &event);
            }
        }
        // A topic that was opened just now may be the one that a trigger before it waits for: the next look finds it.
        self.triggers.ears.heard = present;
    }

    /// The topic that a trigger listens to.
    fn topic_of(&self, event: &TopicEvent) -> Result<Arc<Topic>, PublishError> {
        self.topic_for(Insider::Triggers, &event.topic, event.type_name.as_deref(), Role::Subscriber)
    }

    /// Subscribes for one trigger, if its topic is there.
    fn subscribe(&mut self, id: u64, event: &TopicEvent) {
        let Ok(topic) = self.topic_of(event) else { return };
        self.router.sync(&self.shared.bus);
        let sense = Sense::of(event, &topic).unwrap_or_else(|why| {
            self.note_error(format!("[BH-TRG-031] a trigger cannot listen to {}: {why}", event.topic));
            Sense::Deaf
        });
        let subscription = Arc::new(Subscription::new(topic, DEPTH));
        if !matches!(sense, Sense::Deaf) {
            self.router.subscribe(&subscription);
        }
        self.triggers.ears.ears.push(Ear { id, subscription, sense });
    }

    /// Tells the engine what messages of this step say.
    pub(super) fn hear(&mut self) {
        let now = self.now;
        let (ears, engine) = (&self.triggers.ears.ears, &mut self.triggers.engine);
        for ear in ears {
            while let Some(holds) = ear.subscription.take(|delivery| ear.sense.judge(&delivery.payload)) {
                engine.observe(ear.id, holds, now);
            }
        }
    }

    /// Names the topics that triggers wait for and nobody has, as a run begins.
    pub(super) fn warn_of_silence(&self) {
        for (id, event) in self.triggers.engine.watched() {
            if self.triggers.ears.ears.iter().any(|ear| ear.id == id) {
                continue;
            }
            if let Err(why) = self.topic_of(event) {
                log::warn!("[BH-TRG-030] a trigger waits for messages that nobody sends: {why}");
            }
        }
    }
}

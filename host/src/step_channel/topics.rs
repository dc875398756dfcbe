//! The topics that a client reads: the newest message of each. Simulation thread only.

use std::sync::Arc;

use super::error::Refusal;
use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// The topics that are read.
#[derive(Default)]
pub(super) struct ReadTopics {
    topics: Vec<ReadTopic>,
    /// The topics of the bus when they were last compared.
    generation: u64,
}

/// One of them.
pub(super) struct ReadTopic {
    name: String,
    type_name: String,
    /// `None` if the topic does not exist any more.
    subscription: Option<Arc<Subscription>>,
    newest: Option<Delivery>,
    /// True if `newest` is another message than at the last reading.
    pub(super) has_changed: bool,
}

/// The newest messages at one moment, in the order of the topics.
pub(super) type Newest = Vec<Option<Delivery>>;

impl ReadTopics {
    /// Subscribes to a topic, unless it is read already. Returns its index and the topic.
    pub(super) fn add(
        &mut self,
        simulation: &mut Simulation,
        name: &str,
    ) -> Result<(usize, Arc<Topic>), Refusal> {
        self.generation = simulation.shared().bus.generation();
        let known = self.topics.iter().position(|known| known.name == name);
        if let Some((index, known)) = known.and_then(|index| Some((index, self.topics.get(index)?)))
            && let Some(subscription) = &known.subscription
        {
            return Ok((index, Arc::clone(&subscription.topic)));
        }
        let topic = simulation.traffic.find_topic(name).ok_or_else(|| no_topic(simulation, name))?;
        let subscription = Some(simulation.traffic.watch(Arc::clone(&topic)));
        let (name, type_name) = (name.to_owned(), topic.data_type.full_name().to_owned());
        self.topics.push(ReadTopic { name, type_name, subscription, newest: None, has_changed: true });
        Ok((self.topics.len() - 1, topic))
    }

    /// Takes new messages. Those before the last reset do not count.
    pub(super) fn update(&mut self, simulation: &mut Simulation) {
        let generation = simulation.shared().bus.generation();
        if self.generation != generation {
            self.generation = generation;
            self.topics.iter_mut().for_each(|topic| topic.find_again(simulation));
        }
        let reset_epoch = simulation.now().reset_epoch;
        self.topics.iter_mut().for_each(|topic| topic.update(reset_epoch));
    }

    pub(super) fn get(&self, index: usize) -> Option<&ReadTopic> {
        self.topics.get(index)
    }

    /// The content has been read.
    pub(super) fn mark_read(&mut self) {
        self.topics.iter_mut().for_each(|topic| topic.has_changed = false);
    }

    /// Returns true if one of the topics does not exist any more.
    pub(super) fn lacks_topics(&self) -> bool {
        self.topics.iter().any(|topic| topic.subscription.is_none())
    }

    /// Returns the newest messages.
    pub(super) fn newest(&mut self, simulation: &mut Simulation) -> Newest {
        self.update(simulation);
        self.topics.iter().map(|topic| topic.newest.clone()).collect()
    }

    /// Returns to messages that were the newest ones before, after a reset.
    pub(super) fn return_to(&mut self, newest: &Newest, reset_epoch: u32) {
        for (topic, newest) in self.topics.iter_mut().zip(newest) {
            topic.newest = newest.clone().map(|delivery| Delivery { reset_epoch, ..delivery });
            topic.has_changed = true;
        }
    }

    /// Ends all subscriptions.
    pub(super) fn end(&mut self, simulation: &mut Simulation) {
        let subscriptions = self.topics.drain(..).filter_map(|topic| topic.subscription);
        subscriptions.for_each(|subscription| simulation.traffic.unwatch(&subscription));
    }
}

impl ReadTopic {
    fn find_again(&mut self, simulation: &mut Simulation) {
        // A topic of another type has other fields.
        let is_known = |topic: &Arc<Topic>| topic.data_type.full_name() == self.type_name;
        let found = simulation.traffic.find_topic(&self.name).filter(is_known);
        let known = self.subscription.as_ref().map(|subscription| subscription.topic.id);
        if found.as_ref().map(|topic| topic.id) != known {
            if let Some(former) = self.subscription.take() {
                simulation.traffic.unwatch(&former);
            }
            self.subscription = found.map(|topic| simulation.traffic.watch(topic));
            self.newest = None;
            self.has_changed = true;
        }
    }

    fn update(&mut self, reset_epoch: u32) {
        while let Some(newer) = self.subscription.as_ref().and_then(|topic| topic.take(Delivery::clone)) {
            self.newest = Some(newer);
            self.has_changed = true;
        }
        if self.newest.as_ref().is_some_and(|newest| newest.reset_epoch != reset_epoch) {
            self.newest = None;
            self.has_changed = true;
        }
    }

    pub(super) fn newest(&self) -> Option<&Delivery> {
        self.newest.as_ref()
    }
}

/// Returns the error for a topic that does not exist.
pub(super) fn no_topic(simulation: &Simulation, name: &str) -> Refusal {
    let all = simulation.shared().bus.all();
    let names: Vec<&str> = all.iter().map(|topic| topic.name.as_str()).collect();
    Refusal::unknown("topic", name, &names)
}

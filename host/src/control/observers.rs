//! Observers of topics: they receive the messages without a service.
//!
//! An observer outlives worlds: it waits for its topic, and finds the topic of the next world. Without observers, nothing is
//! checked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::listeners::Listeners;
use super::ongoing::Ongoing;
use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// Interval at which an observer looks up its topic by name, because another world has another topic of that name.
pub(super) const LOOKUP_INTERVAL: Duration = Duration::from_millis(100);

/// Receives the messages of a topic.
pub trait TopicObserver: Send {
    /// Receives a message. Called on the simulation thread: must not block.
    fn hear(&self, topic: &Arc<Topic>, delivery: &Delivery);
    /// Returns true if it takes further messages.
    fn is_open(&self) -> bool;
}

/// The observers of a run.
#[derive(Default)]
pub(super) struct TopicObservers {
    all: Vec<Observed>,
}

pub(super) struct Observed {
    name: String,
    observer: Box<dyn TopicObserver>,
    subscription: Option<Arc<Subscription>>,
    next_lookup: Instant,
}

impl TopicObservers {
    /// Adds observers.
    pub(super) fn add(&mut self, observers: Vec<(String, Box<dyn TopicObserver>)>) {
        let next_lookup = crate::clock::now();
        let observed = |(name, observer)| Observed { name, observer, subscription: None, next_lookup };
        self.all.extend(observers.into_iter().map(observed));
    }
}

impl Ongoing for TopicObservers {
    fn is_idle(&self) -> bool {
        self.all.is_empty()
    }

    /// Delivers the messages since the last step.
    fn go_on(&mut self, simulation: &mut Simulation, _: &mut Listeners) {
        let now = crate::clock::now();
        for observed in &mut self.all {
            if now >= observed.next_lookup {
                observed.next_lookup = now + LOOKUP_INTERVAL;
                observed.look_up(simulation);
            }
            observed.deliver();
        }
        self.all.retain_mut(|observed| {
            let stays = observed.observer.is_open();
            if !stays {
                observed.unsubscribe(simulation);
            }
            stays
        });
    }
}

impl Observed {
    /// Subscribes to the topic that has the name now, if it is another one than before.
    fn look_up(&mut self, simulation: &mut Simulation) {
        let topic =
            if simulation.world().is_some() { simulation.traffic.find_topic(&self.name) } else { None };
        let known = self.subscription.as_ref().map(|subscription| &subscription.topic);
        let is_same = match (&topic, known) {
            (Some(topic), Some(known)) => Arc::ptr_eq(topic, known),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_same {
            self.unsubscribe(simulation);
            self.subscription = topic.map(|topic| simulation.traffic.watch(topic));
        }
    }

    fn unsubscribe(&mut self, simulation: &mut Simulation) {
        if let Some(subscription) = self.subscription.take() {
            simulation.traffic.unwatch(&subscription);
        }
    }

    fn deliver(&self) {
        let Some(subscription) = &self.subscription else { return };
        while subscription.take(|delivery| self.observer.hear(&subscription.topic, delivery)).is_some() {}
    }
}

//! Taps: somebody outside hears the messages of a topic as they come.
//!
//! A tap outlives worlds: it waits for its topic, and finds the topic of the next world. While there is none, nothing
//! is looked at, step by step or otherwise.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// How often a tap looks whether its topic is still the one of that name.
const LOOK: Duration = Duration::from_millis(100);

/// Somebody who hears a topic.
pub trait Tap: Send {
    /// A message. Called on the simulation thread: must not block.
    fn hear(&self, topic: &Arc<Topic>, delivery: &Delivery);
    /// Whether it goes on.
    fn is_open(&self) -> bool;
}

/// The taps of a run.
#[derive(Default)]
pub(super) struct Taps {
    all: Vec<Tapped>,
}

struct Tapped {
    name: String,
    tap: Box<dyn Tap>,
    subscription: Option<Arc<Subscription>>,
    look_at: Instant,
}

impl Taps {
    /// Whether nobody hears anything.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Takes taps in.
    pub(super) fn add(&mut self, taps: Vec<(String, Box<dyn Tap>)>) {
        let look_at = crate::clock::now();
        let tapped = |(name, tap)| Tapped { name, tap, subscription: None, look_at };
        self.all.extend(taps.into_iter().map(tapped));
    }

    /// Hands on what came since the last step.
    pub(super) fn follow(&mut self, simulation: &mut Simulation) {
        if self.all.is_empty() {
            return;
        }
        let now = crate::clock::now();
        for tapped in &mut self.all {
            if now >= tapped.look_at {
                tapped.look_at = now + LOOK;
                tapped.look(simulation);
            }
            tapped.follow();
        }
        self.all.retain_mut(|tapped| {
            let stays = tapped.tap.is_open();
            if !stays {
                tapped.leave(simulation);
            }
            stays
        });
    }
}

impl Tapped {
    /// Subscribes to the topic of that name, where it is another one than before.
    fn look(&mut self, simulation: &mut Simulation) {
        let topic =
            if simulation.world().is_some() { simulation.traffic.find_topic(&self.name) } else { None };
        let known = self.subscription.as_ref().map(|subscription| &subscription.topic);
        let is_same = match (&topic, known) {
            (Some(topic), Some(known)) => Arc::ptr_eq(topic, known),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_same {
            self.leave(simulation);
            self.subscription = topic.map(|topic| simulation.traffic.watch(topic));
        }
    }

    fn leave(&mut self, simulation: &mut Simulation) {
        if let Some(subscription) = self.subscription.take() {
            simulation.traffic.unwatch(&subscription);
        }
    }

    fn follow(&self) {
        let Some(subscription) = &self.subscription else { return };
        while subscription.take(|delivery| self.tap.hear(&subscription.topic, delivery)).is_some() {}
    }
}

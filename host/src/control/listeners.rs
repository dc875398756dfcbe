//! Data that clients receive without calling a service: events, and the messages of topics.
//!
//! An observer outlives worlds: it waits for its topic, and finds the topic of the next world. Without observers, nothing is
//! checked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_lifecycle::{SimulationState, State};

use super::ongoing::Ongoing;
use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// Interval at which an observer looks up its topic by name, because another world has another topic of that name.
const LOOKUP_INTERVAL: Duration = Duration::from_millis(100);

/// Something that happened in the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The lifecycle changed its state. The phases of a step are one state here.
    State {
        /// State of the lifecycle.
        state: State,
        /// The same state in terms of `simulation_interfaces`.
        simulation_state: SimulationState,
        /// Steps since the last reset of time.
        step: u64,
        /// Simulated time, nanoseconds.
        time_ns: i64,
        /// Resets so far.
        reset_epoch: u32,
    },
    /// A goal of `simulate_steps` made progress.
    Feedback {
        /// The goal.
        goal: [u8; 16],
        /// Completed steps.
        completed_steps: u64,
        /// Remaining steps.
        remaining_steps: u64,
        /// Resets so far.
        reset_epoch: u32,
    },
    /// A goal of `simulate_steps` changed its state.
    Goal {
        /// The goal.
        goal: [u8; 16],
        /// One of the `STATUS_` constants of `action_msgs/msg/GoalStatus`.
        status: i32,
        /// Resets so far.
        reset_epoch: u32,
    },
}

/// Receives events. Called on the simulation thread: must not block. Returns false to end the subscription.
pub type Listener = Box<dyn Fn(&Event) -> bool + Send>;

/// Those who receive the events of a run.
#[derive(Default)]
pub(super) struct Listeners(Vec<Listener>);

impl Listeners {
    pub(super) fn append(&mut self, new: &mut Vec<Listener>) {
        self.0.append(new);
    }

    pub(super) fn send(&mut self, event: &Event) {
        self.0.retain(|listener| listener(event));
    }
}

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

struct Observed {
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

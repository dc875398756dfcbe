//! Data that clients receive without calling a service: events, and the messages of topics.
//!
//! A tap outlives worlds: it waits for its topic, and finds the topic of the next world. Without taps, nothing is
//! checked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_lifecycle::{SimulationState, State};

use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// Interval at which a tap looks up its topic by name, because another world has another topic of that name.
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

/// Receives the messages of a topic.
pub trait Tap: Send {
    /// Receives a message. Called on the simulation thread: must not block.
    fn hear(&self, topic: &Arc<Topic>, delivery: &Delivery);
    /// Returns true if it takes further messages.
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
    next_lookup: Instant,
}

impl Taps {
    /// Returns true if there are no taps.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds taps.
    pub(super) fn add(&mut self, taps: Vec<(String, Box<dyn Tap>)>) {
        let next_lookup = crate::clock::now();
        let tapped = |(name, tap)| Tapped { name, tap, subscription: None, next_lookup };
        self.all.extend(taps.into_iter().map(tapped));
    }

    /// Delivers the messages since the last step.
    pub(super) fn follow(&mut self, simulation: &mut Simulation) {
        if self.all.is_empty() {
            return;
        }
        let now = crate::clock::now();
        for tapped in &mut self.all {
            if now >= tapped.next_lookup {
                tapped.next_lookup = now + LOOKUP_INTERVAL;
                tapped.look_up(simulation);
            }
            tapped.deliver();
        }
        self.all.retain_mut(|tapped| {
            let stays = tapped.tap.is_open();
            if !stays {
                tapped.unsubscribe(simulation);
            }
            stays
        });
    }
}

impl Tapped {
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
        while subscription.take(|delivery| self.tap.hear(&subscription.topic, delivery)).is_some() {}
    }
}

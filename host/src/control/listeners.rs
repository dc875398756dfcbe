//! Data that clients receive without calling a service: events, and the messages of topics.
//!
//! An observer outlives worlds: it waits for its topic, and finds the topic of the next world. Without observers, nothing is
//! checked.

use bridgehead_lifecycle::{SimulationState, State};

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

//! What clients may hear of without asking.

use bridgehead_lifecycle::{SimulationState, State};

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The lifecycle is in another state; the phases of a step do not count as states here.
    State {
        /// State of the lifecycle.
        state: State,
        /// The same, as `simulation_interfaces` has it.
        simulation_state: SimulationState,
        /// Steps since the last reset of time.
        step: u64,
        /// Simulated time, nanoseconds.
        time_ns: i64,
        /// Resets so far.
        reset_epoch: u32,
    },
    /// A goal of `simulate_steps` has come so far.
    Feedback {
        /// The goal.
        goal: [u8; 16],
        /// Steps that are done.
        completed_steps: u64,
        /// Steps that are left.
        remaining_steps: u64,
        /// Resets so far.
        reset_epoch: u32,
    },
    /// A goal of `simulate_steps` is in another state.
    Goal {
        /// The goal.
        goal: [u8; 16],
        /// One of the `STATUS_` constants of `action_msgs/msg/GoalStatus`.
        status: i32,
        /// Resets so far.
        reset_epoch: u32,
    },
}

/// Hears events. Called on the simulation thread: must not block. False ends the subscription.
pub type Listener = Box<dyn Fn(&Event) -> bool + Send>;

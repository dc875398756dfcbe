//! Calls of passengers: from the request until the elevator that came for them leaves.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ElevatorCall;
use serde::{Deserialize, Serialize};

use crate::lift::Lift;

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Call {
    /// Index of the floor where the passenger waits.
    pub(super) from: usize,
    /// Index of the floor to go to.
    pub(super) to: usize,
    /// Index of the elevator that serves it.
    pub(super) elevator: usize,
    /// True after the doors opened at the passenger's floor.
    pub(super) has_arrived: bool,
}

impl Call {
    pub(super) fn message(&self, floor: impl Fn(usize) -> String, elevator: String) -> ElevatorCall {
        ElevatorCall {
            current_floor: floor(self.from),
            target_floor: floor(self.to),
            elevator,
            has_arrived: self.has_arrived,
        }
    }
}

/// Adds a call, or replaces an equal one.
pub(super) fn add(calls: &mut Vec<Call>, call: Call) {
    calls.retain(|other| (other.from, other.to) != (call.from, call.to));
    calls.push(call);
}

/// Notes arrivals, and ends calls whose elevator left again.
///
/// Doors that closed do not end a call: a client that asks late must still learn which elevator has come.
pub(super) fn advance<'a>(calls: &mut Vec<Call>, lift: impl Fn(&Call) -> Option<&'a Lift>) {
    calls.retain_mut(|call| {
        let Some(lift) = lift(call) else { return false };
        let is_here = lift.floor() == call.from;
        let has_left = call.has_arrived && !is_here;
        call.has_arrived |= is_here && lift.is_open();
        !has_left
    });
}

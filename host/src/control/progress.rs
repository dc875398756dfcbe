//! What goes on between steps: calls that are answered later, and what several calls share.
//!
//! [`Progress::parts`] is the list, in the order in which they go on. Who adds something to the control plane that takes
//! longer than a call adds a row.

use super::late_call::LateCalls;
use super::listeners::{Listeners, TopicObservers};
use super::spawning::Spawns;
use super::steps::Steps;
use super::topics::Watches;
use crate::sim::Simulation;

/// Something that goes on between steps.
pub(super) trait Ongoing {
    /// Returns true if there is nothing to do.
    fn is_idle(&self) -> bool;

    /// Goes on as far as the run allows. Must not block.
    fn go_on(&mut self, simulation: &mut Simulation, listeners: &mut Listeners);

    /// Returns true if it may change what readers see, besides through steps.
    fn may_change_view(&self) -> bool {
        false
    }
}

/// Everything that goes on.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) spawns: Spawns,
    pub(super) calls: LateCalls,
    pub(super) steps: Steps,
    pub(super) watches: Watches,
    pub(super) observers: TopicObservers,
}

impl Progress {
    fn parts(&self) -> [&dyn Ongoing; 5] {
        let Progress { spawns, calls, steps, watches, observers } = self;
        [spawns, calls, steps, watches, observers]
    }

    fn parts_mut(&mut self) -> [&mut dyn Ongoing; 5] {
        let Progress { spawns, calls, steps, watches, observers } = self;
        [spawns, calls, steps, watches, observers]
    }

    /// Returns true if nothing goes on.
    pub(super) fn is_idle(&self) -> bool {
        self.parts().iter().all(|part| part.is_idle())
    }

    /// Returns true if going on may change what readers see.
    pub(super) fn may_change_view(&self) -> bool {
        self.parts().iter().any(|part| !part.is_idle() && part.may_change_view())
    }

    /// Lets everything go on.
    pub(super) fn go_on(&mut self, simulation: &mut Simulation, listeners: &mut Listeners) {
        for part in self.parts_mut() {
            if !part.is_idle() {
                part.go_on(simulation, listeners);
            }
        }
    }
}

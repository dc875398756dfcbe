//! What goes on between steps: calls that are answered later, and what several calls share.
//!
//! [`Progress::parts`] is the list, in the order in which they go on. Who adds something to the control plane that takes
//! longer than a call adds a row.

use super::goals::Goals;
use super::kept::Kept;
use super::late_call::LateCalls;
use super::listeners::Listeners;
use super::observers::TopicObservers;
use super::ongoing::Ongoing;
use super::spawning::Spawns;
use super::watches::Watches;
use crate::sim::Simulation;

/// Everything that goes on.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) spawns: Spawns,
    pub(super) calls: LateCalls,
    pub(super) goals: Goals,
    pub(super) watches: Watches,
    pub(super) kept: Kept,
    pub(super) observers: TopicObservers,
}

impl Progress {
    fn parts(&self) -> [&dyn Ongoing; 5] {
        let Progress { spawns, calls, goals, watches, observers, kept: _ } = self;
        [spawns, calls, goals, watches, observers]
    }

    fn parts_mut(&mut self) -> [&mut dyn Ongoing; 5] {
        let Progress { spawns, calls, goals, watches, observers, kept: _ } = self;
        [spawns, calls, goals, watches, observers]
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

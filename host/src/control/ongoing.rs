//! What goes on between steps, as the control plane sees it.

use super::listeners::Listeners;
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

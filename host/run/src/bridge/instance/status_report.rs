//! The status report of an instance while the run is in progress.

use bridgehead_abi::bridge as raw;

use super::BridgeInstance;
use crate::bridge::phase::Phase;
use crate::report::BridgeStatus;

impl BridgeInstance {
    /// Enters a phase of the connection, which sensors see as a status.
    pub(super) fn enter(&mut self, phase: Phase) -> Phase {
        let before = std::mem::replace(&mut self.phase, phase);
        self.context.shared.bridges.set(self.id, self.known_status());
        before
    }

    /// One of the `STATUS_` constants, as the host knows it.
    fn known_status(&self) -> u32 {
        match self.phase {
            Phase::Connecting { .. } => raw::STATUS_CONNECTING,
            Phase::Connected => raw::STATUS_CONNECTED,
            Phase::Idle { .. } | Phase::Ended if self.connections > 0 => {
                raw::STATUS_UNEXPECTEDLY_DISCONNECTED
            }
            Phase::Idle { .. } | Phase::Ended => raw::STATUS_DISCONNECTED,
        }
    }

    /// The current status.
    #[must_use]
    pub fn report(&self) -> BridgeStatus {
        let (vehicle, bridge) = (self.vehicle.clone(), self.request.name.clone());
        BridgeStatus {
            vehicle,
            bridge,
            status: self.known_status(),
            result: self.result(),
            endpoints: self.context.report.endpoints(),
        }
    }
}

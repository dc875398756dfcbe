//! An instance as those see it who ask while the run goes on.

use bridgehead_abi::bridge as raw;

use super::{BridgeInstance, Phase};
use crate::report::BridgeStatus;

impl BridgeInstance {
    /// How it is now.
    #[must_use]
    pub fn report(&self) -> BridgeStatus {
        let status = match self.phase {
            Phase::Connecting { .. } => raw::STATUS_CONNECTING,
            Phase::Connected => raw::STATUS_CONNECTED,
            Phase::Idle { .. } | Phase::Ended if self.connections > 0 => {
                raw::STATUS_UNEXPECTEDLY_DISCONNECTED
            }
            Phase::Idle { .. } | Phase::Ended => raw::STATUS_DISCONNECTED,
        };
        let (vehicle, bridge) = (self.vehicle.clone(), self.request.name.clone());
        BridgeStatus {
            vehicle,
            bridge,
            status,
            result: self.result(),
            endpoints: self.context.report.endpoints(),
        }
    }
}

//! The status report of an instance while the run is in progress.

use bridgehead_abi::bridge as raw;

use super::{BridgeInstance, Phase};
use crate::report::BridgeStatus;

impl BridgeInstance {
    /// The current status.
    #[must_use]
    pub fn report(&self) -> BridgeStatus {
        let status = match self.phase {
            Phase::Connecting { .. } => raw::STATUS_CONNECTING,
            Phase::Connected => raw::STATUS_CONNECTED,
            Phase::Idle { .. } | Phase::LoopThread if self.connections > 0 => {
                raw::STATUS_UNEXPECTEDLY_DISCONNECTED
            }
            Phase::Idle { .. } | Phase::LoopThread => raw::STATUS_DISCONNECTED,
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

//! The bridges of a vehicle as its sensors see them.

use bridgehead_abi::{bridges as abi, extension};

use crate::bridge::BridgeStatus;
use crate::error::Result;
use crate::host::{extension_handle, text_of};
use crate::hosting::found;

extension_handle! {
    /// The bridges of the vehicle that the instance belongs to. `[sim]`
    ///
    /// Peers decide about their status: a plugin whose messages depend on it makes runs differ.
    Bridges, abi::HostBridges, extension::BRIDGES
}

/// One bridge of a vehicle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeState {
    /// Short name of the plugin, the family of the bridge: `ros2`.
    pub name: String,
    /// Name of the instance: `car1/ros2`.
    pub label: String,
    /// As the host has found it in this step.
    pub status: BridgeStatus,
}

impl Bridges {
    /// The bridges, in the order of their attachment. `[sim]`
    ///
    /// # Errors
    /// Returns an error if the call comes from another thread.
    pub fn all(self) -> Result<Vec<BridgeState>> {
        let _entered = self.host().enter()?;
        let mut all = Vec::new();
        for index in 0.. {
            let Some(raw) = found(self.extension.at(index))? else { break };
            let [name, label] = [raw.name, raw.label].map(text_of);
            all.push(BridgeState { name, label, status: BridgeStatus::from_number(raw.status) });
        }
        Ok(all)
    }
}

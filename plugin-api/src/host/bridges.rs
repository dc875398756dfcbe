//! The bridges of a vehicle as its sensors see them.

use bridgehead_abi::{bridges as abi, extension, status};

use crate::bridge::BridgeStatus;
use crate::error::{Error, Result};
use crate::host::extension_handle;

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
        let mut all = Vec::new();
        for index in 0.. {
            let mut out = abi::BridgeState {
                struct_size: abi::BridgeState::SIZE,
                status: 0,
                name: bridgehead_abi::Str::EMPTY,
                label: bridgehead_abi::Str::EMPTY,
            };
            // SAFETY: `out` is writable for the call.
            let code = self.call(|table, host| unsafe { (table.at)(host, index, &raw mut out) })?;
            if code == status::NOT_FOUND {
                break;
            }
            Error::check(code, "bridges")?;
            // SAFETY: the host fills in texts that live until the next step.
            let [name, label] =
                [out.name, out.label].map(|text| unsafe { text.as_str() }.unwrap_or_default().to_owned());
            all.push(BridgeState { name, label, status: BridgeStatus::from_number(out.status) });
        }
        Ok(all)
    }
}

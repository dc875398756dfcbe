//! `bridgehead.bridges/1`: the bridges of a vehicle as its sensors see them.

use bridgehead_abi::bridges::BridgeState;
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::hosting::BridgesHost;

use super::context::Context;
use crate::thread::lock;

impl BridgesHost for Context {
    fn at(&self, index: u32) -> Result<BridgeState, Status> {
        let rows = lock(&self.shared.bridges.rows);
        let mut own = rows.iter().filter(|row| row.vehicle == self.attachment.vehicle);
        let row = own.nth(index as usize).ok_or(status::NOT_FOUND)?;
        // The texts stay until the simulation thread removes the row, after the step.
        let (name, label) = (Str::new(&row.name), Str::new(&row.label));
        Ok(BridgeState { struct_size: BridgeState::SIZE, status: row.status, name, label })
    }
}

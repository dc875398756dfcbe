//! `bridgehead.bridges/1`: the bridges of a vehicle as its sensors see them.

use std::sync::Mutex;

use bridgehead_abi::bridges::{BridgeState, HostBridges};
use bridgehead_abi::{Host, Status, status};

use super::caller::{caller, check_out, checked, wrong_thread};
use super::context::lend;
use crate::guard::host_call;
use crate::thread::lock;

/// The bridges of a run. Only the simulation thread changes it, between two steps.
#[derive(Debug, Default)]
pub struct BridgeBoard {
    rows: Mutex<Vec<BridgeRow>>,
}

/// One bridge of a vehicle or of the world.
#[derive(Debug)]
pub struct BridgeRow {
    /// Number of the instance.
    pub id: u32,
    /// Vehicle; empty for the world.
    pub vehicle: String,
    /// Short name of the plugin.
    pub name: String,
    /// Name of the instance.
    pub label: String,
    /// One of the `STATUS_` constants.
    pub status: u32,
}

impl BridgeBoard {
    /// Adds a bridge.
    pub fn add(&self, row: BridgeRow) {
        lock(&self.rows).push(row);
    }

    /// Notes the status of a bridge.
    pub fn set(&self, id: u32, status: u32) {
        lock(&self.rows).iter_mut().filter(|row| row.id == id).for_each(|row| row.status = status);
    }

    /// Removes a bridge.
    pub fn remove(&self, id: u32) {
        lock(&self.rows).retain(|row| row.id != id);
    }
}

pub(super) static TABLE: HostBridges = HostBridges { struct_size: HostBridges::SIZE, reserved: 0, at };

unsafe extern "C" fn at(host: *const Host, index: u32, out: *mut BridgeState) -> Status {
    host_call("bridges.at", status::PANIC, || {
        let context = caller!(host, "bridges.at");
        // SAFETY: `out` is memory for a result.
        checked!(unsafe { check_out(&context.label, out, "bridges.at") });
        if !super::scope::is_open() {
            return wrong_thread(&context.label, "bridges.at");
        }
        let rows = lock(&context.shared.bridges.rows);
        let mut own = rows.iter().filter(|row| row.vehicle == context.attachment.vehicle);
        let Some(row) = own.nth(index as usize) else { return status::NOT_FOUND };
        let (name, label) = (lend(&row.name), lend(&row.label));
        // SAFETY: `out` is writable. The texts stay until the simulation thread removes the row, after the step.
        unsafe { out.write(BridgeState { struct_size: BridgeState::SIZE, status: row.status, name, label }) };
        status::OK
    })
}

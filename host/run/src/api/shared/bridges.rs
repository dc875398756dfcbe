//! The bridges of a run, as sensors see them.

use std::sync::Mutex;

use crate::thread::lock;

/// The bridges of a run. Only the simulation thread changes it, between two steps.
#[derive(Debug, Default)]
pub struct BridgeBoard {
    pub(crate) rows: Mutex<Vec<BridgeRow>>,
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

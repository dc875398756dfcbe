//! `bridgehead.bridges/1` of a test: the bridges that the test says there are.

use bridgehead_abi::bridges::{BridgeState as RawState, HostBridges};
use bridgehead_abi::{Host, Status, Str, status};

use super::calls::Class;
use super::host::{Shared, TestHost, lock};
use crate::host::BridgeState;

impl TestHost {
    /// Says which bridges the vehicle has from now on.
    pub fn set_bridges(self, bridges: Vec<BridgeState>) {
        // Texts stay valid until the next step, which a test may begin at any time.
        let bridges: &'static [BridgeState] = Box::leak(bridges.into_boxed_slice());
        *lock(&self.shared.bridges) = bridges;
    }
}

pub(super) static TABLE: HostBridges = HostBridges { struct_size: HostBridges::SIZE, reserved: 0, at };

unsafe extern "C" fn at(host: *const Host, index: u32, out: *mut RawState) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let shared = unsafe { Shared::of(host) };
    if let Err(code) = shared.calls.require("bridges.at", Class::Sim) {
        return code;
    }
    let bridges = *lock(&shared.bridges);
    let Some(bridge) = bridges.get(index as usize) else { return status::NOT_FOUND };
    let (name, label) = (Str::new(&bridge.name), Str::new(&bridge.label));
    let raw = RawState { struct_size: RawState::SIZE, status: bridge.status as u32, name, label };
    // SAFETY: `out` is writable.
    unsafe { out.write(raw) };
    status::OK
}

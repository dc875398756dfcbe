//! `bridgehead.bridges/1` in a worker.

use bridgehead_abi::bridges::{BridgeState, HostBridges};
use bridgehead_abi::{Host, Status, status};

use super::super::wire::ModelRequest;
use super::world::ask_named;
use crate::guard::host_call;

pub(super) static TABLE: HostBridges = HostBridges { struct_size: HostBridges::SIZE, reserved: 0, at };

unsafe extern "C" fn at(_: *const Host, index: u32, out: *mut BridgeState) -> Status {
    host_call("bridges.at", status::PANIC, || {
        // SAFETY: plugins pass memory for a result.
        unsafe {
            ask_named(
                "bridges.at",
                ModelRequest::Bridge { index },
                out,
                |state: &mut BridgeState, [name, label]| {
                    (state.name, state.label) = (name, label);
                },
            )
        }
    })
}

//! `bridgehead.actions/1`: which services and topics are an action.

use bridgehead_abi::actions::HostActions;
use bridgehead_abi::{Buffer, Host, Status, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::caller::{caller, check_pointer, checked};
use crate::bus::{actions, give};
use crate::guard::host_call;

pub(super) static TABLE: HostActions = HostActions { struct_size: HostActions::SIZE, reserved: 0, read };

unsafe extern "C" fn read(host: *const Host, out: *mut *const Buffer) -> Status {
    host_call("actions.read", status::PANIC, || {
        let context = caller!(host, "actions.read");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "actions.read"));
        let described = actions::describe(&context.shared.services);
        // SAFETY: `out` is writable; the reference is the caller's from here on.
        unsafe { out.write(give(Payload::from_vec(described.encode_to_vec()))) };
        status::OK
    })
}

//! `bridgehead.actions/1` of a test: the actions that the test names.

use bridgehead_abi::actions::HostActions;
use bridgehead_abi::{Buffer, Host, Status, status};

use super::host::{Shared, TestHost, lock};
use crate::messages::bridgehead_simulation_interfaces::{ActionDescription, ActionDescriptions};
use crate::messages::prost::Message as _;
use crate::payload::Payload;

pub(super) static TABLE: HostActions = HostActions { struct_size: HostActions::SIZE, reserved: 0, read };

impl TestHost {
    /// Names the actions that the host offers; none at first.
    pub fn set_actions(self, actions: Vec<ActionDescription>) {
        lock(&self.shared.actions).actions = actions;
    }
}

/// The actions of a test.
pub(super) type ActionRecord = ActionDescriptions;

unsafe extern "C" fn read(host: *const Host, out: *mut *const Buffer) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let bytes = lock(&unsafe { Shared::of(host) }.actions).encode_to_vec();
    // SAFETY: `out` is writable; the reference is the caller's from here on.
    unsafe { out.write(Payload::from_vec(bytes).into_raw()) };
    status::OK
}

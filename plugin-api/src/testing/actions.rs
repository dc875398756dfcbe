//! `bridgehead.actions/1` of a test: the actions that the test names.

use bridgehead_abi::Status;

use super::host::{Shared, TestHost, lock};
use crate::hosting::ActionsHost;
use crate::messages::bridgehead_simulation_interfaces::{ActionDescription, ActionDescriptions};
use crate::messages::prost::Message as _;
use crate::payload::Payload;

impl TestHost {
    /// Names the actions that the host offers; none at first.
    pub fn set_actions(self, actions: Vec<ActionDescription>) {
        lock(&self.shared.actions).actions = actions;
    }
}

/// The actions of a test.
pub(super) type ActionRecord = ActionDescriptions;

impl ActionsHost for Shared {
    fn read(&self) -> Result<Payload, Status> {
        Ok(Payload::from_vec(lock(&self.actions).encode_to_vec()))
    }
}

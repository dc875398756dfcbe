//! The actions of the run: which services and topics belong together.

use bridgehead_abi::actions as abi;
use bridgehead_abi::extension;

use crate::error::{Error, Result};
use crate::host::extension_handle;
use crate::messages::bridgehead_simulation_interfaces::{ActionDescription, ActionDescriptions};
use crate::messages::prost::Message as _;

extension_handle! {
    /// Describes the actions that the host and its plugins offer. `[any]`
    ///
    /// An action is three services and two topics, which a bridge gets like all others. When it gets the service that
    /// accepts goals, [`HostHandle::action_of_service`](super::HostHandle::action_of_service) returns the action.
    Actions, abi::HostActions, extension::ACTIONS
}

impl Actions {
    /// Returns all actions of this moment, in the order of their names. `[any]`
    ///
    /// # Errors
    /// Returns an error if the host has no description of them, or one that cannot be decoded.
    pub fn read(self) -> Result<Vec<ActionDescription>> {
        let read = ActionDescriptions::decode(&*self.extension.read()?);
        read.map(|read| read.actions)
            .map_err(|error| Error::new(format!("the actions of the host cannot be decoded: {error}")))
    }

    /// Returns the action whose goals a service accepts; `None` for all other services. `[any]`
    ///
    /// # Errors
    /// Returns the errors of [`Actions::read`].
    pub fn of_service(self, service: &str) -> Result<Option<ActionDescription>> {
        Ok(self.read()?.into_iter().find(|action| action.send_goal == service))
    }
}

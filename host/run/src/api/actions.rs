//! `bridgehead.actions/1`: which services and topics are an action.

use bridgehead_abi::Status;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::hosting::ActionsHost;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::context::Context;
use crate::bus::actions;

impl ActionsHost for Context {
    fn read(&self) -> Result<Payload, Status> {
        Ok(Payload::from_vec(actions::describe(&self.shared.services).encode_to_vec()))
    }
}

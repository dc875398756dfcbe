//! Devices that answer requests from what the host publishes: elevators and actors.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ElevatorSystemState;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::{ConversionError, Converter, Outputs};
use crate::control::{self, Served};
use crate::device::{Key, Slot};
use crate::msgs::Param;

/// A system of elevators.
pub(super) struct Elevators {
    pub(super) system: String,
    pub(super) state: Option<ElevatorSystemState>,
}

impl Converter for Elevators {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        self.state = Some(ElevatorSystemState::decode(message)?);
        Ok(Outputs::new())
    }

    fn idle(&self, _: Key, _: i64) -> Vec<u8> {
        Vec::new()
    }

    fn serve(&self, request: &Param) -> Option<Served> {
        Some(control::elevators(&self.system, self.state.as_ref(), request))
    }

    /// Elevators and floors stay; calls of passengers do not.
    fn clear(&mut self) {
        if let Some(state) = &mut self.state {
            state.calls.clear();
        }
    }
}

/// The actors of a world.
pub(super) struct Actors {
    /// Names with the topics of their goals.
    pub(super) goals: Vec<(String, String)>,
}

impl Converter for Actors {
    fn convert(&mut self, _: Slot, _: &[u8]) -> Result<Outputs, ConversionError> {
        Ok(Outputs::new())
    }

    fn idle(&self, _: Key, _: i64) -> Vec<u8> {
        Vec::new()
    }

    fn serve(&self, request: &Param) -> Option<Served> {
        Some(control::actors(&self.goals, request))
    }
}

//! Context of the blocks in `docs/plugin-guide.md`: the plugins that they name.
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{MessageType, Schema};
use bridgehead_plugin_api::testing::{TestHost, TestModel};

struct UdpBridge;

impl Bridge for UdpBridge {
    type Connection = String;
    type Publisher = ();
    type Subscriber = ();
    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)
    }

    fn create(_: HostHandle) -> Result<Self> {
        Ok(UdpBridge)
    }

    fn connect(&self, _: String) -> Result {
        Ok(())
    }

    fn disconnect(&self) -> Result {
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        BridgeStatus::Connected
    }

    fn publisher(&self, _: &Channel<'_>) -> Result {
        Ok(())
    }
}

struct Altimeter;

impl ModelPlugin for Altimeter {
    const PHASES: Phases = Phases::SAMPLE;

    fn awake(_: HostHandle) -> Result<Self> {
        Ok(Altimeter)
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }
}

//! The plugin: what the host calls, translated into calls of the layers below.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::bridge::{ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar};
use bridgehead_plugin_api::host::HostHandle;

/// One instance.
pub(crate) struct Ros2Bridge {
    #[expect(dead_code, reason = "read by connect")]
    host: HostHandle,
}

impl Bridge for Ros2Bridge {
    type Publisher = ();
    type Subscriber = ();

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)
    }

    fn validate(_: &str) -> Result {
        Ok(())
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(Ros2Bridge { host })
    }

    fn connect(&self, _: &str) -> Result {
        Ok(())
    }

    fn disconnect(&self) -> Result {
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        BridgeStatus::Disconnected
    }

    fn publisher(&self, _: &Channel<'_>) -> Result<()> {
        Ok(())
    }
}

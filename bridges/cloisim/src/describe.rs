//! Where the description of the world comes from.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;

/// Tells what the world consists of. From any thread.
pub(crate) trait Describe: Send + Sync {
    /// Grows whenever the description changes.
    fn revision(&self) -> u64;

    /// The description now.
    ///
    /// # Errors
    /// Where there is none.
    fn read(&self) -> Result<WorldDescription>;
}

/// The host's description; `None` where the host offers none.
pub(crate) fn of_host(_: HostHandle) -> Option<Box<dyn Describe>> {
    None
}

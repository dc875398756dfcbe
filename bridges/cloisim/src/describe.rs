//! Where the description of the world comes from.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Description, HostHandle};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;

/// Tells what the world consists of. From any thread.
pub(crate) trait DescriptionSource: Send + Sync {
    /// Grows whenever the description changes.
    fn revision(&self) -> u64;

    /// The description now.
    ///
    /// # Errors
    /// Where there is none.
    fn read(&self) -> Result<WorldDescription>;
}

impl DescriptionSource for Description {
    fn revision(&self) -> u64 {
        Description::revision(*self)
    }

    fn read(&self) -> Result<WorldDescription> {
        Description::read(*self)
    }
}

/// The host's description.
///
/// # Errors
/// Where the host offers none.
pub(crate) fn of_host(host: HostHandle) -> Result<Box<dyn DescriptionSource>> {
    Ok(Box::new(host.description()?))
}

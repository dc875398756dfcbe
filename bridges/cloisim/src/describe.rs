//! Source of the world's description.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Description, HostHandle};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;

/// Provides the description of the world. Callable from any thread.
pub(crate) trait DescriptionSource: Send + Sync {
    /// Increases whenever the description changes.
    fn revision(&self) -> u64;

    /// Returns the current description.
    ///
    /// # Errors
    /// Returns an error if there is none.
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

/// Returns the description of the host.
///
/// # Errors
/// Returns an error if the host offers none.
pub(crate) fn of_host(host: HostHandle) -> Result<Box<dyn DescriptionSource>> {
    Ok(Box::new(host.description()?))
}

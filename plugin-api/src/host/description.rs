//! What the world consists of, as one message: for programs that show it and bridges that describe it to peers.

use bridgehead_abi::description as abi;
use bridgehead_abi::extension;

use crate::error::{Error, Result};
use crate::host::extension_handle;
use crate::messages::bridgehead_simulation_interfaces::WorldDescription;
use crate::messages::prost::Message as _;
use crate::payload::Payload;

extension_handle! {
    /// Describes the world: models, links, joints, and sensors and plugins with their XML and their topics. `[any]`
    ///
    /// A bridge keeps what it has read together with [`WorldDescription::revision`], and reads again once
    /// [`Description::revision`] has grown. When a bridge makes the endpoint of a topic, and when it gets the
    /// notice that the run has started, the description names all topics that exist.
    Description, abi::HostDescription, extension::DESCRIPTION
}

impl Description {
    /// Grows whenever a description would say something else than before; 0 as long as no world was loaded. As cheap
    /// as reading a variable. `[any]`
    #[must_use]
    pub fn revision(self) -> u64 {
        self.extension.revision().unwrap_or(0)
    }

    /// The description as it is now; without a world it has nothing but a revision. Never waits for the simulation.
    /// `[any]`
    ///
    /// # Errors
    /// Returns an error if the host has no description, or one that cannot be decoded.
    pub fn read(self) -> Result<WorldDescription> {
        let bytes = self.read_bytes()?;
        WorldDescription::decode(&*bytes)
            .map_err(|error| Error::new(format!("the host's description cannot be decoded: {error}")))
    }

    /// The encoded description, shared with all others who read the same revision, for passing it on as it is. `[any]`
    ///
    /// # Errors
    /// Returns an error if the host cannot say.
    pub fn read_bytes(self) -> Result<Payload> {
        Ok(self.extension.read()?)
    }
}

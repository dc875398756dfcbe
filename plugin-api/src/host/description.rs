//! What the world consists of, told in one message: for whoever shows it or speaks of it to a peer.

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
    /// [`Description::revision`] has grown. When a bridge is asked to make the end of a topic, and when it is told that
    /// the run has started, the description names all topics that are there.
    Description, abi::HostDescription, extension::DESCRIPTION
}

impl Description {
    /// Grows whenever a description would say something else than before; 0 as long as no world was loaded. As cheap
    /// as reading a variable. `[any]`
    #[must_use]
    pub fn revision(self) -> u64 {
        // SAFETY: the table is the host's.
        self.call(|table, host| unsafe { (table.revision)(host) }).unwrap_or(0)
    }

    /// The description as it is now; without a world it has nothing but a revision. Never waits for the simulation.
    /// `[any]`
    ///
    /// # Errors
    /// Where the host cannot say, or in words that are none.
    pub fn read(self) -> Result<WorldDescription> {
        let bytes = self.read_bytes()?;
        WorldDescription::decode(&*bytes)
            .map_err(|error| Error::new(format!("the host's description is none: {error}")))
    }

    /// The encoded description, shared with all others who read the same revision, for passing it on as it is. `[any]`
    ///
    /// # Errors
    /// Where the host cannot say.
    pub fn read_bytes(self) -> Result<Payload> {
        let mut raw = std::ptr::null();
        // SAFETY: `raw` is writable for the call.
        let status = self.call(|table, host| unsafe { (table.read)(host, &raw mut raw) })?;
        Error::check(status, "description")?;
        if raw.is_null() {
            return Err(Error::new("the host described nothing"));
        }
        // SAFETY: the host gave a reference of our own to a living buffer.
        Ok(unsafe { Payload::from_raw(raw) })
    }
}

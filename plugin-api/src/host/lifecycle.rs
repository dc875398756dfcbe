//! What an instance reports and asks for outside its calls.

use bridgehead_abi as abi;
use bridgehead_abi::status;

use super::extension_handle;
use crate::error::{Request, Result};

extension_handle! {
    /// Reports and requests. `[any]`
    Lifecycle, abi::host::HostLifecycle, abi::extension::LIFECYCLE
}

impl Lifecycle {
    /// Ends a start that answered [`crate::Started::Pending`].
    ///
    /// # Errors
    /// Returns an error if no start is pending.
    pub fn started(self, outcome: Result) -> Result {
        let error = outcome.err();
        let (code, text) = error.as_ref().map_or((status::OK, ""), |error| (error.status(), error.text()));
        Ok(self.extension.started(code, text.as_bytes())?)
    }

    /// Asks the run for something.
    ///
    /// # Errors
    /// Returns an error if the host does not take requests from this instance.
    pub fn request(self, request: Request, reason: &str) -> Result {
        Ok(self.extension.request(request.status(), reason.as_bytes())?)
    }

    /// Acknowledges a reset that was answered with [`crate::Ack::Later`].
    ///
    /// # Errors
    /// Returns an error if the ticket is not (any more) waited for.
    pub fn acknowledge(self, ticket: u64) -> Result {
        Ok(self.extension.acknowledge(ticket)?)
    }

    /// Reports a failure that no running call can return: a code of the plugin's own and a text.
    pub fn report_error(self, code: &str, text: &str) {
        // Without a host there is nobody to tell.
        drop(self.extension.report_error(code.as_bytes(), text.as_bytes()));
    }
}

extension_handle! {
    /// Holds the simulation until commands for exact steps are delivered.
    Lockstep, abi::host::HostLockstep, abi::extension::LOCKSTEP
}

impl Lockstep {
    /// From now on no step runs beyond the last released one. `[main]`, before connecting.
    ///
    /// # Errors
    /// Returns an error if the host does not hold for this instance.
    pub fn hold(self) -> Result {
        Ok(self.extension.hold()?)
    }

    /// Everything for steps up to and including `step` has been delivered. `[any]`
    ///
    /// # Errors
    /// Returns an error if nothing is held.
    pub fn release_through(self, step: u64) -> Result {
        Ok(self.extension.release_through(step)?)
    }

    /// Ends the hold. `[any]`
    ///
    /// # Errors
    /// Returns an error if nothing is held.
    pub fn release(self) -> Result {
        self.release_through(u64::MAX)
    }
}

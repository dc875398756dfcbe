//! Calls of services.

use bridgehead_abi::calls as abi;
use bridgehead_abi::extension;

use crate::error::{Error, Result};
use crate::host::extension_handle;
use crate::messages::Message;

extension_handle! {
    /// Calls the services of the run, also those of the host, without a response for the caller. `[sim]`
    ServiceCalls, abi::HostServiceCalls, extension::SERVICE_CALLS
}

impl ServiceCalls {
    /// Calls the service with that full name. A service of the host is called after the step, one of a plugin in its
    /// next step. The host logs a failure.
    ///
    /// # Errors
    /// Returns an error if there is no such service, or if it takes another request.
    pub fn send<Q: Message>(self, name: &str, request: &Q) -> Result {
        self.send_raw(name, Q::FULL_NAME, &request.encode_to_vec())
    }

    /// Calls a service with an encoded request of the type with that full protobuf name.
    ///
    /// # Errors
    /// Returns the errors of [`ServiceCalls::send`].
    pub fn send_raw(self, name: &str, request_type: &str, request: &[u8]) -> Result {
        let called = self.extension.call(name, request_type, request);
        called.map_err(|refused| Error::from(refused).context(format_args!("service `{name}`")))
    }
}

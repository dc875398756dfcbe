//! What a service of the run calls.

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::{Error, Payload, Result};

/// Completes a call; called once, on any thread.
pub type Answer = Box<dyn FnOnce(Result<Payload>) + Send>;

/// Handles the calls of a service.
pub trait Callee: Send {
    /// Starts a call.
    ///
    /// # Errors
    /// Returns an error if it was not accepted; `answer` is then never called.
    fn call(&self, request: &Payload, answer: Answer) -> Result;
}

/// Returns the error of calls to a service that the host has withdrawn.
pub fn withdrawn() -> Error {
    Error::with_status(status::INTERRUPTED, "the service is withdrawn")
}

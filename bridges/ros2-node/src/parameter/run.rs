//! What the parameters need of the run.

use std::sync::Arc;

use bridgehead_plugin_api::Result;

use crate::service::callee::Answer;

/// Calls services of the run.
pub(crate) trait Run: Send + Sync {
    /// Calls the service with this name of the host. Without it, `answer` gets an error.
    fn call(&self, service: &str, request: Vec<u8>, answer: Answer);
}

/// Answers a request, which is encoded.
pub(super) type Respond = fn(&[u8], &Arc<dyn Run>, Answer) -> Result;

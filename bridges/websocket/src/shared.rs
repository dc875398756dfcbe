//! The open servers of one plugin.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::error::ServerError;
use crate::options::ServerOptions;
use crate::protocol::Protocol;
use crate::server::Server;

/// The open servers of one plugin, for a `static`. Each exists as long as an instance holds it.
pub struct SharedServers<P: Protocol>(Mutex<Vec<Weak<Server<P>>>>);

impl<P: Protocol> SharedServers<P> {
    /// Creates an empty table.
    #[must_use]
    pub const fn new() -> Self {
        SharedServers(Mutex::new(Vec::new()))
    }

    /// Returns the open server with these options, or starts one with the protocol that `protocol` makes.
    ///
    /// # Errors
    /// Returns an error if the address cannot be used, would be open to other machines without a token, or has a server
    /// with other options.
    pub fn join(
        &self,
        options: &ServerOptions,
        protocol: impl FnOnce() -> P,
    ) -> Result<Arc<Server<P>>, ServerError> {
        // Held while the server starts, so that instances that connect at the same time share it.
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|server| server.strong_count() > 0);
        for server in open.iter().filter_map(Weak::upgrade) {
            if server.options() == options {
                return Ok(server);
            }
            if server.options().address == options.address && options.address.port() != 0 {
                return Err(ServerError::Differs(options.address));
            }
        }
        let server = Arc::new(Server::start(options.clone(), protocol())?);
        open.push(Arc::downgrade(&server));
        Ok(server)
    }
}

impl<P: Protocol> Default for SharedServers<P> {
    fn default() -> Self {
        Self::new()
    }
}

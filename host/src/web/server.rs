//! The interface of the server for the host: started before the run, stopped after it.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use super::endpoint::Endpoints;
use super::guard::Guard;
use super::metrics::Requests;
use super::openapi::Document;
use super::routes::{App, router};
use super::running::Running;
use super::{HttpConfig, WebError};
use crate::control::ControlHandle;

/// A listening server. Stopped when it is dropped.
pub struct Server(Running);

impl Server {
    /// Starts a server for the services of the control plane; `None` if the configuration disables it, or if the default
    /// address is taken.
    ///
    /// # Errors
    /// Returns an error if the address cannot be used, or would be open to other machines without a token.
    pub fn start(config: HttpConfig, control: Arc<ControlHandle>) -> Result<Option<Self>, WebError> {
        let Some(address) = config.address else { return Ok(None) };
        if !address.ip().is_loopback() && config.token.is_none() {
            return Err(WebError::Open(address));
        }
        let listener = match TcpListener::bind(address) {
            Ok(listener) => listener,
            Err(error) if config.may_be_taken && error.kind() == io::ErrorKind::AddrInUse => {
                log::warn!("[BH-WEB-001] port {} is taken; this run has no HTTP server", address.port());
                return Ok(None);
            }
            Err(source) => return Err(WebError::Bind { address, source }),
        };
        let with_page = if config.page.is_there() { " and the page for a browser" } else { "" };
        let server = Self::over(listener, config, control).map_err(WebError::Thread)?;
        log::info!(
            "http://{} serves the control plane{with_page}; `GET /api` lists its services",
            server.address()
        );
        Ok(Some(server))
    }

    fn over(listener: TcpListener, config: HttpConfig, control: Arc<ControlHandle>) -> io::Result<Self> {
        let is_loopback = listener.local_addr()?.ip().is_loopback();
        let HttpConfig { token, body_limit, page, connections, .. } = config;
        let endpoints = Endpoints::of(&control);
        let routes = |stop| {
            router(&Arc::new(App {
                control,
                endpoints,
                guard: Guard { token, is_loopback },
                body_limit,
                page,
                goals: Arc::default(),
                requests: Requests::default(),
                openapi: Document::default(),
                stop,
            }))
        };
        Running::start("web", listener, connections, routes).map(Server)
    }

    /// Returns its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// Accepts no more requests, sends pending responses, and ends.
    pub fn stop(self) {
        drop(self);
    }
}

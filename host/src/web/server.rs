//! The interface of the server for the host: started before the run, stopped after it.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use super::app::App;
use super::config::HttpConfig;
use super::endpoint::Endpoints;
use super::error::WebError;
use super::guard::Guard;
use super::openapi::document::Document;
use super::requests::Requests;
use super::routes::router;
use super::running::Running;
use crate::control::ControlHandle;

/// Ports beyond the default one that are tried first, so that a second run is easily found.
const NEXT_PORTS: u16 = 9;

/// A listening server. Stopped when it is dropped.
pub struct Server(Running);

impl Server {
    /// Starts a server for the services of the control plane; `None` if the configuration disables it. If the default port is
    /// taken, the server has another.
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
                let listener = bind_another(address)?;
                log::warn!(
                    "[BH-WEB-001] port {} is taken, perhaps by another run; this one is reached by `bridgehead ctl --address \
                     {}`",
                    address.port(),
                    listener.local_addr().unwrap_or(address)
                );
                listener
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

/// Listens at one of the next ports, or at any that is free.
fn bind_another(taken: SocketAddr) -> Result<TcpListener, WebError> {
    let next = (1..=NEXT_PORTS).filter_map(|more| taken.port().checked_add(more));
    let bound = next.chain([0]).map(|port| TcpListener::bind(SocketAddr::new(taken.ip(), port)));
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    for bound in bound {
        match bound {
            Ok(listener) => return Ok(listener),
            Err(error) => last = error,
        }
    }
    Err(WebError::Bind { address: taken, source: last })
}

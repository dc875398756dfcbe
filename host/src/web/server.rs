//! The interface of the server for the host: started before the run, stopped after it.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::endpoint::Endpoints;
use super::guard::Guard;
use super::metrics::Requests;
use super::openapi::Document;
use super::routes::{App, router};
use super::{HttpConfig, WebError, listen};
use crate::control::ControlHandle;
use crate::thread::{self, Named};

/// Longest wait for the end of the server: longer than its time for pending responses.
const END: Duration = Duration::from_secs(3);

/// A listening server. Stopped when it is dropped.
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<Named<()>>,
}

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
            server.address
        );
        Ok(Some(server))
    }

    fn over(listener: TcpListener, config: HttpConfig, control: Arc<ControlHandle>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let guard = Guard { token: config.token, is_loopback: address.ip().is_loopback() };
        let endpoints = Endpoints::of(&control);
        let (stop, stopped) = watch::channel(false);
        let goals = Arc::default();
        let (body_limit, stopping) = (config.body_limit, stopped.clone());
        let app = Arc::new(App {
            control,
            endpoints,
            guard,
            body_limit,
            page: config.page,
            goals,
            requests: Requests::default(),
            openapi: Document::default(),
            stop: stopping,
        });
        let connections = config.connections;
        let body = move || run(&runtime, listener, &app, connections, stopped);
        let thread = thread::spawn("web", body)?;
        Ok(Server { address, stop, thread: Some(thread) })
    }

    /// Returns its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no more requests, sends pending responses, and ends.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take()
            && thread.join(END).is_err()
        {
            log::warn!("the HTTP server has not ended");
        }
    }
}

/// The thread of the server.
fn run(
    runtime: &Runtime,
    listener: TcpListener,
    app: &Arc<App>,
    connections: usize,
    stop: watch::Receiver<bool>,
) {
    runtime.block_on(async {
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => listen::serve(listener, router(app), connections, stop).await,
            Err(error) => log::error!("the HTTP server ends at once: {error}"),
        }
    });
}

//! A server that runs on a thread of its own until it is dropped.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use axum::Router;
use tokio::runtime::Builder;
use tokio::sync::watch;

use super::listen;
use super::pulse::Pulse;
use crate::thread::{self, Named};

/// Longest wait for the end of the server: longer than its time for pending responses.
const END: Duration = Duration::from_secs(3);

/// A server that accepts connections. When it is dropped, it accepts no more requests, sends pending responses and ends.
pub(super) struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<Named<()>>,
}

impl Running {
    /// Starts the thread `name`. `router` gets the receiver that is true when the server must stop.
    ///
    /// # Errors
    /// Returns an error if a thread or a poll of sockets cannot be created.
    pub(super) fn start(
        name: &str,
        listener: TcpListener,
        connections: usize,
        router: impl FnOnce(watch::Receiver<bool>) -> Router,
    ) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let (stop, stopped) = watch::channel(false);
        let router = router(stopped.clone());
        let pulse = Pulse::default();
        let watched = pulse.watch(name)?;
        let body = move || {
            runtime.block_on(async {
                tokio::spawn(pulse.beat());
                match tokio::net::TcpListener::from_std(listener) {
                    Ok(listener) => listen::serve(listener, router, connections, stopped).await,
                    Err(error) => log::error!("the HTTP server ends at once: {error}"),
                }
            });
            drop(watched);
        };
        let thread = thread::spawn(name, body)?;
        Ok(Running { address, stop, thread: Some(thread) })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take()
            && thread.join(END).is_err()
        {
            log::warn!("the HTTP server has not ended");
        }
    }
}

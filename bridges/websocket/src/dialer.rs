//! The client: connects to a server, and reconnects after a pause that grows.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_plugin_api::connection::Options;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Uri, header};

use crate::error::ServerError;
use crate::link::Link;
use crate::options::{Backlog, Limits};
use crate::protocol::Protocol;
use crate::server::{next_client, runtime};
use crate::session::{self, Deadlines};

/// A connection that lasted longer starts the pauses anew.
const STABLE: Duration = Duration::from_secs(10);

/// Options of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialerOptions {
    /// Where it connects: `ws://host:port/path`.
    pub url: String,
    /// Name of its thread; 15 bytes are shown.
    pub name: String,
    /// The secret that the server requires, sent as `Authorization: Bearer`.
    pub token: Option<String>,
    /// Bounds of the data that waits to be sent.
    pub backlog: Backlog,
    /// Bounds of the replies that wait to be sent; beyond them the connection is made anew.
    pub replies: Backlog,
    /// Largest message of the server in bytes.
    pub max_message: usize,
    /// Longest time to connect.
    pub connect_deadline: Duration,
    /// Longest time to send one frame.
    pub write_deadline: Duration,
    /// Interval of pings to a silent server.
    pub ping_interval: Duration,
    /// First pause before a further attempt; each further pause is twice as long.
    pub first_pause: Duration,
    /// Longest pause.
    pub longest_pause: Duration,
}

impl DialerOptions {
    /// Returns the default options of a client, whose thread is called `name`; `None` if `url` is not of the form
    /// `ws://host:port`.
    #[must_use]
    pub fn new(url: &str, name: &str) -> Option<Self> {
        target(url)?;
        Some(DialerOptions {
            url: url.to_owned(),
            name: name.to_owned(),
            token: None,
            backlog: Backlog::default(),
            replies: Backlog { frames: 10_000, bytes: 64 << 20 },
            max_message: 10_000_000,
            connect_deadline: Duration::from_secs(5),
            write_deadline: Duration::from_secs(10),
            ping_interval: Duration::from_secs(20),
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(5),
        })
    }

    /// Takes the options that a connection string gives ([`CLIENT_KEYS`](crate::CLIENT_KEYS)).
    ///
    /// # Errors
    /// Returns an error that shows the value and what was expected.
    pub fn take(&mut self, options: &Options<'_>) -> bridgehead_plugin_api::Result {
        self.token = options.secret("token")?;
        Limits::read(options)?.set(&mut self.backlog, &mut self.max_message);
        Ok(())
    }
}

/// A client, which ends when it is dropped. The protocol is told of each connection like a server's protocol of each
/// client.
pub struct Dialer {
    is_connected: Arc<AtomicBool>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Dialer {
    /// Starts to connect. Failed attempts are repeated until it is dropped.
    ///
    /// # Errors
    /// Returns an error if its thread cannot be started.
    pub fn start<P: Protocol>(options: DialerOptions, protocol: Arc<P>) -> Result<Self, ServerError> {
        let runtime = runtime().map_err(ServerError::Thread)?;
        let (stop, stopped) = watch::channel(false);
        let is_connected = Arc::new(AtomicBool::new(false));
        let connection =
            Connection { options: options.clone(), protocol, is_connected: Arc::clone(&is_connected) };
        let thread = std::thread::Builder::new()
            .name(options.name)
            .spawn(move || runtime.block_on(connection.keep(stopped)))
            .map_err(ServerError::Thread)?;
        Ok(Dialer { is_connected, stop, thread: Some(thread) })
    }

    /// Returns true if there is a connection now.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.is_connected.load(Ordering::Acquire)
    }
}

impl Drop for Dialer {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread of a WebSocket client has panicked");
        }
    }
}

struct Connection<P: Protocol> {
    options: DialerOptions,
    protocol: Arc<P>,
    is_connected: Arc<AtomicBool>,
}

impl<P: Protocol> Connection<P> {
    /// Connects again and again until the client ends.
    async fn keep(self, mut stop: watch::Receiver<bool>) {
        let mut pause = self.options.first_pause;
        let mut is_first_failure = true;
        while !*stop.borrow() {
            let began = Instant::now();
            let connected = tokio::select! {
                () = session::stopped(&mut stop) => return,
                connected = timeout(self.options.connect_deadline, self.connect()) => connected,
            };
            match connected.unwrap_or_else(|_| Err("the server does not answer".to_owned())) {
                Ok((socket, peer)) => {
                    is_first_failure = true;
                    self.serve(socket, peer, stop.clone()).await;
                    if began.elapsed() > STABLE {
                        pause = self.options.first_pause;
                    }
                }
                Err(error) => {
                    if std::mem::take(&mut is_first_failure) {
                        let url = &self.options.url;
                        self.protocol
                            .warn(&format!("cannot connect to {url}: {error}; further attempts follow"));
                    }
                }
            }
            tokio::select! {
                () = session::stopped(&mut stop) => return,
                () = sleep(pause) => pause = (pause * 2).min(self.options.longest_pause),
            }
        }
    }

    async fn connect(&self) -> Result<(WebSocketStream<TcpStream>, SocketAddr), String> {
        let (host, port) = target(&self.options.url).ok_or("the address is malformed")?;
        let mut request =
            self.options.url.as_str().into_client_request().map_err(|error| error.to_string())?;
        if let Some(token) = &self.options.token {
            let value =
                HeaderValue::from_str(&format!("Bearer {token}")).map_err(|error| error.to_string())?;
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        let stream = TcpStream::connect((host, port)).await.map_err(|error| error.to_string())?;
        drop(stream.set_nodelay(true));
        let peer = stream.peer_addr().map_err(|error| error.to_string())?;
        let config = session::config(self.options.max_message);
        let connected = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
        connected.map(|(socket, _)| (socket, peer)).map_err(|error| error.to_string())
    }

    async fn serve(&self, socket: WebSocketStream<TcpStream>, peer: SocketAddr, stop: watch::Receiver<bool>) {
        let link = Link::new(next_client(), peer, None, self.options.backlog, self.options.replies);
        let deadlines = Deadlines { write: self.options.write_deadline, ping: self.options.ping_interval };
        self.is_connected.store(true, Ordering::Release);
        session::serve(Arc::clone(&self.protocol), socket, link, deadlines, stop).await;
        self.is_connected.store(false, Ordering::Release);
    }
}

/// Returns the host and the port of an address.
fn target(url: &str) -> Option<(String, u16)> {
    let uri: Uri = url.parse().ok()?;
    let host = uri.host().filter(|host| !host.is_empty())?;
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let port = match uri.port() {
        Some(port) => port.as_u16(),
        // A port that is no number from 1 to 65535 is not taken for a missing one.
        None if uri.authority().is_some_and(|authority| names_a_port(authority.as_str())) => return None,
        None => 80,
    };
    (uri.scheme_str() == Some("ws")).then(|| (bare.to_owned(), port))
}

/// Returns true if a colon follows the host of `user:password@host:port` or `[::1]:port`.
fn names_a_port(authority: &str) -> bool {
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    place.rsplit_once(']').map_or(place, |(_, port)| port).contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_host_and_port() {
        assert_eq!(target("ws://127.0.0.1:9090"), Some(("127.0.0.1".to_owned(), 9090)));
        assert_eq!(target("ws://[::1]:1/path"), Some(("::1".to_owned(), 1)));
        assert_eq!(target("ws://robot"), Some(("robot".to_owned(), 80)));
        assert_eq!(target("ws://user:word@[::1]"), Some(("::1".to_owned(), 80)));
        for wrong in [
            "",
            "127.0.0.1:9090",
            "wss://robot:1",
            "http://robot",
            "ws://",
            "ws://:1",
            "ws://robot:99999",
            "ws://[::1]:a",
        ] {
            assert_eq!(target(wrong), None, "{wrong}");
        }
        assert!(DialerOptions::new("robot:9090", "test").is_none());
    }
}

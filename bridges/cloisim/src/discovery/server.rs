//! The WebSocket server: accepts, limits and closes connections.
//!
//! One thread per connection, since there are few. Every text gets a text as reply, and no memory is reserved for
//! what a peer only announces.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use bridgehead_plugin_api::serving::during;
use tungstenite::handshake::HandshakeError;
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::StatusCode;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error as WsError, Message, WebSocket};

use crate::codes::{SOCKET_FAILED, UNSUPPORTED_INPUT};
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::wall_clock;

/// Largest number of open connections; a client uses one.
const MAX_CONNECTIONS: usize = 32;
/// Longest text that is read, bytes.
const MAX_TEXT: usize = 64 * 1024;
/// Time limit for the handshake of a peer.
const HANDSHAKE: Duration = Duration::from_secs(3);
/// Interval at which threads check whether the server stops.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The paths that are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    Control,
    Markers,
}

impl Path {
    fn of(path: &str) -> Option<Self> {
        match path.trim_end_matches('/') {
            "/control" => Some(Path::Control),
            "/markers" => Some(Path::Markers),
            _ => None,
        }
    }
}

/// Returns the reply to a text.
pub(crate) type Respond = Arc<dyn Fn(Path, &str) -> String + Send + Sync>;

/// A server that runs until it is dropped.
pub(crate) struct WebSocketServer {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl WebSocketServer {
    /// Starts listening.
    ///
    /// # Errors
    /// Returns an error if the address cannot be opened.
    pub(crate) fn start(address: SocketAddr, respond: Respond) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        let thread = std::thread::Builder::new()
            .name("cloisim-service".into())
            .spawn(move || accept(&listener, &respond, &flag))?;
        Ok(WebSocketServer { address, is_over, thread: Some(thread) })
    }

    /// Returns the address on which it listens.
    #[cfg(test)]
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for WebSocketServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        // Wakes the thread that waits in `accept`.
        let mut nearby = self.address;
        if nearby.ip().is_unspecified() {
            nearby.set_ip(if nearby.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        drop(TcpStream::connect_timeout(&nearby, Duration::from_secs(1)));
        if let Some(Err(_)) = self.thread.take().map(JoinHandle::join) {
            log::error!("[{SOCKET_FAILED}] the thread of the service has panicked");
        }
    }
}

/// Counts of connections.
#[derive(Default)]
struct ConnectionCounts {
    open: AtomicUsize,
    /// Peers that did not speak WebSocket.
    foreign_peers: RepeatCounter,
    /// Peers that were rejected because of the limit.
    refused: RepeatCounter,
}

impl ConnectionCounts {
    /// Returns true if the limit is reached, and logs this at powers of ten.
    fn is_full(&self) -> bool {
        let is_full = self.open.load(Ordering::Acquire) >= MAX_CONNECTIONS;
        if is_full && let Some(count) = self.refused.record() {
            log::warn!(
                "[BH-CLO-015] a connection to the service was rejected: {MAX_CONNECTIONS} connections are open{}",
                times_so_far(count)
            );
        }
        is_full
    }

    fn log_foreign_peer(&self) {
        if let Some(count) = self.foreign_peers.record() {
            log::warn!(
                "[{UNSUPPORTED_INPUT}] a peer of the service does not speak WebSocket and was disconnected{}",
                times_so_far(count)
            );
        }
    }
}

/// Accepts connections until the server stops, then joins their threads.
fn accept(listener: &TcpListener, respond: &Respond, is_over: &Arc<AtomicBool>) {
    let counts = Arc::new(ConnectionCounts::default());
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    while !is_over.load(Ordering::Acquire) {
        let Ok((stream, _)) = listener.accept() else {
            // Most likely out of file descriptors: retrying at once would not help.
            std::thread::sleep(POLL_INTERVAL);
            continue;
        };
        threads.retain(|thread| !thread.is_finished());
        if is_over.load(Ordering::Acquire) {
            break;
        }
        if counts.is_full() {
            continue;
        }
        counts.open.fetch_add(1, Ordering::AcqRel);
        let (respond, is_over, guest) =
            (Arc::clone(respond), Arc::clone(is_over), OpenConnection(Arc::clone(&counts)));
        let thread = std::thread::Builder::new().name("cloisim-client".into()).spawn(move || {
            serve(stream, &respond, &is_over, &guest.0);
        });
        threads.extend(thread.ok());
    }
    for thread in threads {
        drop(thread.join());
    }
}

/// Counts a connection as open until it is dropped.
struct OpenConnection(Arc<ConnectionCounts>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Answers one peer until it disconnects.
fn serve(stream: TcpStream, respond: &Respond, is_over: &AtomicBool, counts: &ConnectionCounts) {
    if stream.set_read_timeout(Some(POLL_INTERVAL)).is_err()
        || stream.set_write_timeout(Some(HANDSHAKE)).is_err()
    {
        return;
    }
    drop(stream.set_nodelay(true));
    let peer = stream.peer_addr().ok();
    let Some((mut socket, path)) = accept_handshake(stream, is_over) else {
        if !is_over.load(Ordering::Acquire) {
            counts.log_foreign_peer();
        }
        return;
    };
    while !is_over.load(Ordering::Acquire) {
        let answer = match socket.read() {
            Ok(Message::Text(text)) => during("a request", peer, || respond(path, &text)),
            Ok(Message::Binary(bytes)) => {
                during("a request", peer, || respond(path, &String::from_utf8_lossy(&bytes)))
            }
            Ok(_) => continue,
            Err(error) if may_repeat(&error) => continue,
            Err(error) => {
                log::debug!("a connection of the service has ended: {error}");
                return;
            }
        };
        if let Err(error) = socket.send(Message::text(answer)) {
            log::debug!("a client disconnected before it got its reply: {error}");
            return;
        }
    }
    drop(socket.close(None));
    drop(socket.flush());
}

/// Completes the handshake and returns the path that the peer requested.
fn accept_handshake(stream: TcpStream, is_over: &AtomicBool) -> Option<(WebSocket<TcpStream>, Path)> {
    let mut path = None;
    #[expect(clippy::result_large_err, reason = "required by the library's callback type")]
    let choose = |request: &Request, response: Response| match Path::of(request.uri().path()) {
        Some(found) => {
            path = Some(found);
            Ok(response)
        }
        None => Err(no_such_path()),
    };
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_TEXT))
        .max_frame_size(Some(MAX_TEXT))
        .max_write_buffer_size(8 << 20);
    let deadline = wall_clock::now() + HANDSHAKE;
    let mut handshake = tungstenite::accept_hdr_with_config(stream, choose, Some(config));
    loop {
        match handshake {
            Ok(socket) => return path.map(|path| (socket, path)),
            Err(HandshakeError::Interrupted(begun)) => {
                if wall_clock::now() > deadline || is_over.load(Ordering::Acquire) {
                    return None;
                }
                handshake = begun.handshake();
            }
            Err(HandshakeError::Failure(error)) => {
                log::debug!("a connection of the service is not a WebSocket: {error}");
                return None;
            }
        }
    }
}

fn no_such_path() -> ErrorResponse {
    let mut response = ErrorResponse::new(Some("the service is at /control and /markers".to_owned()));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Returns true if the read only ended early: nothing came in time, or the program was suspended and continued.
fn may_repeat(error: &WsError) -> bool {
    let WsError::Io(error) = error else { return false };
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests;

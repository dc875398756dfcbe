//! The server: a thread that accepts clients and serves each in a task.

use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::StatusCode;

use crate::error::ServerError;
use crate::gate::{Refusal, admit, name_subprotocol};
use crate::handshakes::{Handshake, Handshakes};
use crate::link::Link;
use crate::options::ServerOptions;
use crate::protocol::Protocol;
use crate::report::{Kind, warn};
use crate::session::{self, Deadlines};

/// Longest time for close frames when the server ends.
const GRACE: Duration = Duration::from_secs(2);
/// Pause after the operating system failed to accept a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// The response to other requests than handshakes, for example of a browser.
const NOT_A_HANDSHAKE: &[u8] =
    b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nConnection: close\r\n\
    Content-Type: text/plain\r\nContent-Length: 48\r\n\r\nThis is a WebSocket server; connect with ws://.\n";

/// Numbers clients over all servers of the process.
static NEXT_CLIENT: AtomicU64 = AtomicU64::new(1);

/// Returns the number of a new client.
pub(crate) fn next_client() -> u64 {
    NEXT_CLIENT.fetch_add(1, Ordering::Relaxed)
}

/// A server, which ends when it is dropped. Drop it on another thread than its own.
pub struct Server<P: Protocol> {
    options: ServerOptions,
    address: SocketAddr,
    protocol: Arc<P>,
    clients: Arc<AtomicUsize>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl<P: Protocol> Server<P> {
    /// Starts a server. Bridges use [`crate::SharedServers::join`] instead.
    ///
    /// # Errors
    /// Returns an error if the address cannot be used, or would be open to other machines without a token.
    pub fn start(options: ServerOptions, protocol: P) -> Result<Self, ServerError> {
        let requested = options.address;
        if !requested.ip().is_loopback() && options.token.is_none() {
            return Err(ServerError::Open(requested));
        }
        let bind_error = |source| ServerError::Bind { address: requested, source };
        let listener = TcpListener::bind(requested).map_err(bind_error)?;
        listener.set_nonblocking(true).map_err(bind_error)?;
        let address = listener.local_addr().map_err(bind_error)?;
        let runtime = runtime().map_err(ServerError::Thread)?;
        let (stop, stopped) = watch::channel(false);
        let (protocol, clients) = (Arc::new(protocol), Arc::new(AtomicUsize::new(0)));
        let acceptor = Arc::new(Acceptor::new(&options, &protocol, &clients));
        let thread = std::thread::Builder::new()
            .name(options.name.clone())
            .spawn(move || run(&runtime, listener, &acceptor, stopped))
            .map_err(ServerError::Thread)?;
        log::info!("clients can connect to ws://{address}");
        Ok(Server { options, address, protocol, clients, stop, thread: Some(thread) })
    }

    /// Returns the address on which it listens, with the port that the operating system chose for port 0.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its options.
    #[must_use]
    pub fn options(&self) -> &ServerOptions {
        &self.options
    }

    /// Returns its protocol.
    #[must_use]
    pub fn protocol(&self) -> &Arc<P> {
        &self.protocol
    }

    /// Returns the number of connected clients.
    #[must_use]
    pub fn clients(&self) -> usize {
        self.clients.load(Ordering::Relaxed)
    }
}

impl<P: Protocol> Drop for Server<P> {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread {} has panicked", self.options.name);
        }
    }
}

/// Creates the runtime of one thread.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_io().enable_time().build()
}

/// Serves until the server ends.
fn run<P: Protocol>(
    runtime: &Runtime,
    listener: TcpListener,
    acceptor: &Arc<Acceptor<P>>,
    stop: watch::Receiver<bool>,
) {
    runtime.block_on(async {
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => accept_all(&listener, acceptor, stop).await,
            Err(error) => acceptor.protocol.warn(&format!("the server ends at once: {error}")),
        }
    });
}

/// Accepts connections until the server ends, then waits for their ends.
async fn accept_all<P: Protocol>(
    listener: &tokio::net::TcpListener,
    acceptor: &Arc<Acceptor<P>>,
    mut stop: watch::Receiver<bool>,
) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = session::stopped(&mut stop) => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            // The process may have no descriptors left.
            sleep(PAUSE).await;
            continue;
        };
        // Meanwhile, further connections wait in the queue of the operating system.
        let handshake = tokio::select! {
            () = session::stopped(&mut stop) => break,
            handshake = acceptor.handshakes.enter() => handshake,
        };
        connections.spawn(Arc::clone(acceptor).serve(stream, peer, handshake, stop.clone()));
    }
    let all = async { while connections.join_next().await.is_some() {} };
    drop(timeout(GRACE, all).await);
}

/// What the tasks of connections share.
struct Acceptor<P: Protocol> {
    options: ServerOptions,
    protocol: Arc<P>,
    handshakes: Handshakes,
    places: Arc<Semaphore>,
    clients: Arc<AtomicUsize>,
}

/// Counts a client while it is connected.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(clients: &Arc<AtomicUsize>) -> Self {
        clients.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(clients))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A client whose handshake is complete.
struct Admitted {
    subprotocol: Option<String>,
    #[expect(dead_code, reason = "frees its place when it is dropped")]
    place: OwnedSemaphorePermit,
}

impl<P: Protocol> Acceptor<P> {
    fn new(options: &ServerOptions, protocol: &Arc<P>, clients: &Arc<AtomicUsize>) -> Self {
        Acceptor {
            options: options.clone(),
            protocol: Arc::clone(protocol),
            handshakes: Handshakes::new(),
            places: Arc::new(Semaphore::new(options.max_clients)),
            clients: Arc::clone(clients),
        }
    }

    async fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        mut handshake: Handshake,
        mut stop: watch::Receiver<bool>,
    ) {
        // Messages are sent as soon as they are there.
        drop(stream.set_nodelay(true));
        let shaken = tokio::select! {
            () = session::stopped(&mut stop) => return,
            () = handshake.dismissed() => return,
            shaken = timeout(self.options.handshake_deadline, self.handshake(stream, peer)) => shaken,
        };
        drop(handshake);
        let Ok(Some((socket, admitted))) = shaken else { return };
        let counted = Counted::new(&self.clients);
        let (data, replies) = (self.options.backlog, self.options.replies);
        let link = Link::new(next_client(), peer, admitted.subprotocol.clone(), data, replies);
        let deadlines = Deadlines { write: self.options.write_deadline, ping: self.options.ping_interval };
        session::serve(Arc::clone(&self.protocol), socket, link, deadlines, stop).await;
        drop((counted, admitted));
    }

    /// Does the handshake; `None` if the client is refused or gone.
    async fn handshake(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> Option<(WebSocketStream<TcpStream>, Admitted)> {
        let mut admitted = None;
        #[expect(clippy::result_large_err, reason = "the type of the callback is that of the library")]
        let decide = |request: &Request, mut response: Response| match self.admit(request) {
            Ok(client) => {
                name_subprotocol(&mut response, client.subprotocol.as_deref());
                admitted = Some(client);
                Ok(response)
            }
            Err(refusal) => {
                warn(
                    &*self.protocol,
                    Kind::Refused,
                    &format!("the client {peer} is refused: {}", refusal.text),
                );
                Err(refusal.response())
            }
        };
        let shaken = accept(stream, decide, self.options.max_message).await;
        shaken.zip(admitted)
    }

    fn admit(&self, request: &Request) -> Result<Admitted, Refusal> {
        let subprotocol = admit(&self.options, &*self.protocol, request)?;
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let text = format!("all {} places are taken; raise `clients=`", self.options.max_clients);
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text));
        };
        Ok(Admitted { subprotocol, place })
    }
}

/// Reads the request of a handshake and sends the response.
async fn accept(
    stream: TcpStream,
    decide: impl FnOnce(&Request, Response) -> Result<Response, ErrorResponse> + Unpin,
    max_message: usize,
) -> Option<WebSocketStream<TcpStream>> {
    // The library closes the connection without a response if the request is not a handshake.
    let spare = stream.into_std().ok()?;
    let stream = TcpStream::from_std(spare.try_clone().ok()?).ok()?;
    let config = Some(session::config(max_message));
    match tokio_tungstenite::accept_hdr_async_with_config(stream, decide, config).await {
        Ok(socket) => Some(socket),
        // A refusal, which was sent.
        Err(Error::Http(_)) => None,
        Err(_) => {
            drop((&spare).write(NOT_A_HANDSHAKE));
            None
        }
    }
}

//! An HTTP server that keeps the requests and gives the replies of a test. One request at a time, one for a connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use serde_json::Value;

/// A request.
#[derive(Clone)]
pub(super) struct Request {
    /// Method and path, such as `GET /api/jobs/1`.
    pub(super) line: String,
    /// Value of the header; empty without it.
    pub(super) authorization: String,
    pub(super) body: String,
}

impl Request {
    pub(super) fn is(&self, line: &str) -> bool {
        self.line == line
    }
}

/// A reply.
pub(super) enum Reply {
    /// Status and JSON.
    Json(u16, Value),
    /// Status and text.
    Text(u16, String),
    /// The connection is closed without a response.
    Nothing,
}

/// A running server, which ends with this value.
pub(super) struct StandIn {
    address: String,
    socket: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    has_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl StandIn {
    /// Starts a server on a free port. It ends when there is no reply: the last connection is closed, and later ones are
    /// refused.
    pub(super) fn start(reply: impl FnMut(&Request) -> Option<Reply> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let socket = listener.local_addr().expect("an address");
        let (requests, has_ended) = (Arc::default(), Arc::default());
        let (kept, ended) = (Arc::clone(&requests), Arc::clone(&has_ended));
        let body = move || serve(&listener, &kept, &ended, reply);
        let thread = Some(Builder::new().spawn(body).expect("a thread"));
        StandIn { address: format!("http://{socket}"), socket, requests, has_ended, thread }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The requests until now.
    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::Relaxed);
        // Wakes the server.
        drop(TcpStream::connect(self.socket));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn serve(
    listener: &TcpListener,
    requests: &Mutex<Vec<Request>>,
    has_ended: &AtomicBool,
    mut reply: impl FnMut(&Request) -> Option<Reply>,
) {
    for connection in listener.incoming() {
        if has_ended.load(Ordering::Relaxed) {
            return;
        }
        let mut connection = connection.expect("a connection");
        let Some(request) = read(&connection) else { continue };
        requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let (status, text) = match reply(&request) {
            Some(Reply::Json(status, json)) => (status, json.to_string()),
            Some(Reply::Text(status, text)) => (status, text),
            Some(Reply::Nothing) => continue,
            None => return,
        };
        let length = text.len();
        let head = format!("HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
        // A client that was killed reads nothing.
        drop(connection.write_all(format!("{head}{text}").as_bytes()));
    }
}

/// Reads a request; `None` if the connection is closed before it is complete.
fn read(connection: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(connection);
    let mut line = || {
        let mut line = String::new();
        (lines.read_line(&mut line).ok()? > 0).then(|| line.trim_end().to_owned())
    };
    let first = line()?;
    let (mut authorization, mut length) = (String::new(), 0);
    loop {
        let header = line()?;
        match header.split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => {
                value.clone_into(&mut authorization)
            }
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).ok()?;
    let line = first.strip_suffix(" HTTP/1.1")?.to_owned();
    Some(Request { line, authorization, body: String::from_utf8(body).ok()? })
}

//! Clients of the HTTP server of a host: for valid requests, for arbitrary texts, and for WebSockets.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::support::{Connection, Running};

/// Longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A client of one host.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    agent: ureq::Agent,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }
}

impl Client {
    /// A client of a host that was started with `--http 127.0.0.1:0`.
    pub(crate) fn of(running: &mut Running) -> Self {
        let line = running.wait_for("http://127.0.0.1:");
        let (_, rest) = line.split_once("http://").expect("an address");
        let address = rest.split_whitespace().next().and_then(|word| word.parse().ok()).expect("an address");
        Client::at(address)
    }

    /// A client of the host at this address.
    pub(crate) fn at(address: SocketAddr) -> Self {
        Client { address, agent: agent(3) }
    }

    /// Creates a client that opens a new connection for each request.
    pub(crate) fn without_keep_alive(&self) -> Self {
        Client { address: self.address, agent: agent(0) }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        read(self.agent.get(self.url(path)).call())
    }

    /// Does the same as [`Self::get`]; if the server has too many connections, tries again.
    #[track_caller]
    pub(crate) fn get_with_retries(&self, path: &str) -> Answer {
        let deadline = clock::now() + TIMEOUT;
        loop {
            match self.agent.get(self.url(path)).call() {
                Ok(response) if response.status() != 503 => return read(Ok(response)),
                Ok(_) => {}
                // The refusal may be lost with the connection.
                Err(ureq::Error::Io(error)) if error.kind() == ErrorKind::ConnectionReset => {}
                Err(error) => panic!("{error}"),
            }
            assert!(clock::now() < deadline, "the server rejected this client again and again");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        read(self.agent.delete(self.url(path)).call())
    }

    /// Posts a text.
    pub(crate) fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Answer {
        read(self.agent.post(self.url(path)).send(body.as_ref()))
    }

    /// Calls a service, which answers 200.
    #[track_caller]
    pub(crate) fn call(&self, service: &str, request: &Value) -> Value {
        self.post(&format!("/api/{service}"), request.to_string()).expect(200)
    }

    /// Sends a text unchanged, and reads to the end of the connection.
    pub(crate) fn raw(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.address).expect("connected");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
        stream.write_all(text.as_bytes()).expect("sent");
        let mut answer = String::new();
        match stream.read_to_string(&mut answer) {
            Ok(_) => answer,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => answer,
            Err(error) => panic!("{error} after `{answer}`"),
        }
    }

    /// Opens a WebSocket.
    pub(crate) fn socket(&self) -> Socket {
        let stream = Connection::connect(self.address, TIMEOUT).expect("connected");
        let (socket, _) =
            tungstenite::client(format!("ws://{}/ws", self.address), stream).expect("a WebSocket");
        Socket(socket)
    }
}

fn agent(idle: usize) -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(TIMEOUT));
    bridgehead_http_client::agent(config.max_idle_connections(idle).build())
}

fn read(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = response.expect("an answer");
    let text = response.body_mut().read_to_string().expect("text");
    Answer { status: response.status().as_u16(), headers: response.headers().clone(), text }
}

/// An open WebSocket.
pub(crate) struct Socket(pub(crate) WebSocket<Connection>);

impl Socket {
    pub(crate) fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).expect("sent");
    }

    /// Returns the next message; `None` after the host has closed the WebSocket.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Subscribes, and waits for the confirmation.
    #[track_caller]
    pub(crate) fn subscribe(&mut self, what: &str, rate: Option<f64>) {
        let mut message = json!({ "op": "subscribe", "what": what });
        if let Some(rate) = rate {
            message["rate"] = json!(rate);
        }
        self.send(&message);
        self.until(|message| message["op"] == "subscribed" && message["what"] == what);
    }

    /// Returns the first message for which `is_it` is true.
    #[track_caller]
    pub(crate) fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        while let Some(message) = self.next() {
            if is_it(&message) {
                return message;
            }
        }
        panic!("the WebSocket was closed before the message arrived");
    }
}

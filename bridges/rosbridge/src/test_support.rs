//! A client for tests, on a blocking socket.

use std::net::TcpListener;
use std::time::Duration;

use bridgehead_http_client::Connection;
use serde_json::Value;
use tungstenite::{Message, WebSocket};

/// Longest wait for a message.
const DEADLINE: Duration = Duration::from_secs(20);

/// Returns a port that no program uses.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A client.
pub(crate) struct TestClient(WebSocket<Connection>);

impl TestClient {
    pub(crate) fn connect(port: u16) -> Self {
        let stream = Connection::connect(("127.0.0.1", port), DEADLINE).expect("a connection");
        let url = format!("ws://127.0.0.1:{port}/");
        TestClient(tungstenite::client(url, stream).expect("a handshake").0)
    }

    /// Sends a request.
    pub(crate) fn send(&mut self, request: &Value) {
        self.send_text(&request.to_string());
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("sent");
    }

    pub(crate) fn send_binary(&mut self, bytes: Vec<u8>) {
        self.0.send(Message::binary(bytes)).expect("sent");
    }

    /// Returns the next text message.
    pub(crate) fn receive(&mut self) -> Value {
        loop {
            match self.0.read().expect("a message") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Returns the next binary message.
    pub(crate) fn receive_binary(&mut self) -> Vec<u8> {
        loop {
            match self.0.read().expect("a message") {
                Message::Binary(bytes) => return bytes.to_vec(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Sends a request and returns the next message.
    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        self.receive()
    }

    /// Calls a service and returns the response.
    pub(crate) fn call(&mut self, service: &str, arguments: &Value) -> Value {
        self.ask(&serde_json::json!({"op": "call_service", "id": "1", "service": service, "args": arguments}))
    }

    /// Waits until the server has carried out all requests before.
    pub(crate) fn settle(&mut self) {
        let response = self.call("/rosapi/nodes", &serde_json::json!({}));
        assert_eq!(response["values"]["nodes"][0], "/bridgehead", "{response}");
    }
}

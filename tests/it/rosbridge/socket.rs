//! A plain WebSocket: frames as they are.

use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use crate::support::Connection;

/// Longest wait for a frame.
const DEADLINE: Duration = Duration::from_secs(60);

/// A connection.
pub(super) struct Socket(pub(super) WebSocket<Connection>);

impl Socket {
    #[track_caller]
    pub(super) fn connect(port: u16) -> Self {
        let stream = Connection::connect(("127.0.0.1", port), DEADLINE).expect("a connection");
        let url = format!("ws://127.0.0.1:{port}/");
        let config = Some(WebSocketConfig::default().max_message_size(None).max_frame_size(None));
        Socket(tungstenite::client::client_with_config(url, stream, config).expect("a handshake").0)
    }

    #[track_caller]
    pub(super) fn send(&mut self, request: &Value) {
        self.0.send(Message::text(request.to_string())).expect("sent");
    }

    /// Returns the next frame that is not a ping.
    #[track_caller]
    pub(super) fn frame(&mut self) -> Message {
        loop {
            match self.0.read().expect("a frame") {
                Message::Ping(_) => {}
                frame => return frame,
            }
        }
    }

    /// Returns the next text with this operation.
    #[track_caller]
    pub(super) fn receive(&mut self, op: &str) -> Value {
        loop {
            if let Message::Text(text) = self.frame() {
                let value: Value = serde_json::from_str(&text).expect("JSON");
                if value["op"] == op {
                    return value;
                }
            }
        }
    }

    /// Calls a service and returns its response.
    #[track_caller]
    pub(super) fn call(&mut self, service: &str) -> Value {
        self.ask(service, &json!({}))
    }

    /// Calls a service with arguments and returns its response.
    #[track_caller]
    pub(super) fn ask(&mut self, service: &str, arguments: &Value) -> Value {
        self.send(&json!({"op": "call_service", "id": "c", "service": service, "args": arguments}));
        self.receive("service_response")
    }
}

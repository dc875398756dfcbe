//! The servers, and connections to them.

use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::{IntoClientRequest as _, client_with_config};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use crate::support::Connection;

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub(super) type Socket = WebSocket<Connection>;

/// Whose server it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Foxglove,
    Rosbridge,
    /// `/ws` of the host.
    Host,
}

/// A server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Server {
    pub(super) kind: Kind,
    pub(super) port: u16,
}

impl Server {
    /// The path of its WebSocket.
    pub(super) fn path(self) -> &'static str {
        match self.kind {
            Kind::Foxglove | Kind::Rosbridge => "/",
            Kind::Host => "/ws",
        }
    }

    /// The subprotocol that it requires.
    pub(super) fn subprotocol(self) -> Option<&'static str> {
        (self.kind == Kind::Foxglove).then_some("foxglove.sdk.v1")
    }

    /// Connects; the error is the reason why the server does not serve this client.
    pub(super) fn try_connect(self) -> Result<Socket, String> {
        let stream =
            Connection::connect(("127.0.0.1", self.port), PATIENCE).map_err(|error| error.to_string())?;
        let url = format!("ws://127.0.0.1:{}{}", self.port, self.path());
        let mut request = url.into_client_request().expect("a request");
        if let Some(name) = self.subprotocol() {
            request.headers_mut().insert("sec-websocket-protocol", name.parse().expect("a value"));
        }
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let connected = client_with_config(request, stream, Some(config));
        connected.map(|(socket, _)| socket).map_err(|error| error.to_string())
    }

    #[track_caller]
    pub(super) fn connect(self) -> Socket {
        self.try_connect().expect("a connection")
    }

    /// Connects and subscribes to a topic, which the server must know already or soon.
    #[track_caller]
    pub(super) fn subscribe(self, topic: &str, kind: &str) -> Socket {
        let mut socket = self.connect();
        match self.kind {
            Kind::Foxglove => {
                let channel = channel(&mut socket, topic);
                let subscription = json!({"id": 1, "channelId": channel});
                send(&mut socket, &json!({"op": "subscribe", "subscriptions": [subscription]}));
            }
            Kind::Rosbridge => {
                send(&mut socket, &json!({"op": "set_level", "level": "warning"}));
                let request =
                    json!({"op": "subscribe", "topic": topic, "type": kind, "compression": "cbor-raw"});
                send(&mut socket, &request);
            }
            Kind::Host => {
                send(&mut socket, &json!({"op": "subscribe", "what": format!("topic:{topic}")}));
            }
        }
        socket
    }
}

/// Sends JSON.
#[track_caller]
pub(super) fn send(socket: &mut Socket, request: &Value) {
    socket.send(Message::text(request.to_string())).expect("sent");
}

/// The id of a topic's channel.
#[track_caller]
fn channel(socket: &mut Socket, topic: &str) -> u64 {
    loop {
        let Message::Text(text) = socket.read().expect("an announcement") else { continue };
        let event: Value = serde_json::from_str(&text).expect("JSON");
        let channels = event["channels"].as_array().into_iter().flatten();
        let found = channels.filter(|_| event["op"] == "advertise").find(|channel| channel["topic"] == topic);
        if let Some(id) = found.and_then(|channel| channel["id"].as_u64()) {
            return id;
        }
    }
}

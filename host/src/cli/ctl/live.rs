//! The live connection to a host: a WebSocket with subscriptions. Main thread.

use std::io::ErrorKind as Kind;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::HeaderValue;
use tungstenite::{Error, Message, WebSocket};

use super::client::Client;
use super::error::CtlError;
use crate::clock;

/// Longest time to connect.
const CONNECT: Duration = Duration::from_secs(5);

/// A live connection.
pub(super) struct Live {
    socket: WebSocket<TcpStream>,
    address: String,
}

impl Live {
    /// Connects.
    ///
    /// # Errors
    /// Returns an error if the host cannot be reached, or rejects the client.
    pub(super) fn open(client: &Client) -> Result<Self, CtlError> {
        let stream = connected(client)?;
        let request = format!("ws://{}/ws", client.address).into_client_request();
        let mut request = request.map_err(|error| client.other_program(error.to_string()))?;
        if let Some(Ok(token)) = client.authorization().map(|text| HeaderValue::from_str(&text)) {
            request.headers_mut().insert("authorization", token);
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| refused(client, error))?;
        // Messages may arrive at any time; only the handshake has a time limit.
        drop(socket.get_ref().set_read_timeout(None));
        Ok(Live { socket, address: client.address.clone() })
    }

    /// Subscribes to `state`, `status`, `statistics` or `topic:NAME`, with a largest rate per second.
    ///
    /// # Errors
    /// Returns an error if the connection ended.
    pub(super) fn subscribe(&mut self, what: &str, rate: Option<f64>) -> Result<(), CtlError> {
        let request = json!({"op": "subscribe", "what": what, "rate": rate}).to_string();
        self.socket.send(Message::text(request)).map_err(|error| self.ended(&error))
    }

    /// Waits for the next message; returns its text and its JSON.
    ///
    /// # Errors
    /// Returns an error if the connection ended, or the message is not JSON.
    pub(super) fn next(&mut self) -> Result<(String, Value), CtlError> {
        loop {
            if let Some(message) = self.read()? {
                return Ok(message);
            }
        }
    }

    /// Returns the next message as [`next`](Self::next) does; `None` if none arrives before a time.
    ///
    /// # Errors
    /// Returns an error if the connection ended, or the message is not JSON.
    pub(super) fn next_before(&mut self, due: Instant) -> Result<Option<(String, Value)>, CtlError> {
        // A time of zero would be none.
        let left = due.saturating_duration_since(clock::now()).max(Duration::from_millis(1));
        drop(self.socket.get_ref().set_read_timeout(Some(left)));
        let outcome = self.read();
        drop(self.socket.get_ref().set_read_timeout(None));
        outcome
    }

    /// Reads a message; `None` if the time of a read is over.
    fn read(&mut self) -> Result<Option<(String, Value)>, CtlError> {
        loop {
            let message = match self.socket.read() {
                Err(Error::Io(error)) if matches!(error.kind(), Kind::WouldBlock | Kind::TimedOut) => {
                    return Ok(None);
                }
                other => other.map_err(|error| self.ended(&error))?,
            };
            match message {
                Message::Text(text) => {
                    let json = serde_json::from_str(&text)
                        .map_err(|error| self.broken(format!("a message is not JSON: {error}")))?;
                    return Ok(Some((text.to_string(), json)));
                }
                Message::Close(_) => return Err(self.broken("the host ended".to_owned())),
                Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }

    fn ended(&self, error: &Error) -> CtlError {
        self.broken(match error {
            Error::ConnectionClosed | Error::AlreadyClosed | Error::Protocol(_) => {
                "the host ended".to_owned()
            }
            other => other.to_string(),
        })
    }

    fn broken(&self, why: String) -> CtlError {
        CtlError::Ended { address: self.address.clone(), why }
    }
}

fn connected(client: &Client) -> Result<TcpStream, CtlError> {
    let unreachable = |error: std::io::Error| client.unreachable(error.to_string());
    let mut last = std::io::Error::from(std::io::ErrorKind::AddrNotAvailable);
    for address in client.address.to_socket_addrs().map_err(unreachable)? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => {
                stream.set_read_timeout(Some(CONNECT)).map_err(unreachable)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(unreachable(last))
}

fn refused<R: tungstenite::handshake::HandshakeRole>(client: &Client, error: HandshakeError<R>) -> CtlError {
    match error {
        HandshakeError::Failure(Error::Http(response)) if response.status().as_u16() == 401 => {
            CtlError::Token { address: client.address.clone(), given: client.token.is_some() }
        }
        HandshakeError::Failure(error) => client.other_program(format!("no WebSocket: {error}")),
        HandshakeError::Interrupted(_) => client.other_program("the WebSocket handshake was not answered"),
    }
}

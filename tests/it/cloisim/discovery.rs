//! Discovery of devices by a client: a WebSocket, a request in single quotes, and short timeouts.

use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;
use tungstenite::{Error, Message, WebSocket};

use crate::support::Connection;

/// The request of a client, letter by letter.
pub(super) const DEVICE_LIST: &str = "{'command':'device_list', 'filter':''}";
/// How long a client waits for an answer to a poll.
pub(super) const POLL_TIMEOUT: Duration = Duration::from_millis(300);
/// After this many polls without an answer a client removes its nodes.
const MAX_EMPTY_POLLS: u32 = 3;
/// The oldest simulator that a client works with.
const OLDEST_VERSION: [u64; 3] = [5, 3, 1];
/// Device types that a client creates nodes for.
const KNOWN_TYPES: &[&str] = &[
    "MICOM",
    "JOINTCONTROL",
    "LIDAR",
    "LASER",
    "CAMERA",
    "DEPTHCAMERA",
    "SEGMENTCAMERA",
    "LOGICALCAMERA",
    "MULTICAMERA",
    "REALSENSE",
    "GPS",
    "IMU",
    "IR",
    "SONAR",
    "CONTACT",
    "ELEVATOR",
    "WORLD",
    "ACTOR",
    "GROUNDTRUTH",
];

/// A connection to the service.
pub(super) struct Discovery(WebSocket<Connection>);

impl Discovery {
    /// Connects to a path of the service at a port.
    pub(super) fn connect(port: u16, path: &str) -> Option<Self> {
        // Clients wait for the handshake for a long time, but not for answers.
        let stream = Connection::connect(("127.0.0.1", port), Duration::from_secs(10)).ok()?;
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).ok()?;
        socket.get_ref().set_read_timeout(Some(POLL_TIMEOUT)).expect("a timeout");
        Some(Discovery(socket))
    }

    pub(super) fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).expect("sent");
    }

    /// Returns the answer within a client's timeout, and the time that it took.
    pub(super) fn poll(&mut self, text: &str) -> Option<(Value, Duration)> {
        let began = clock::now();
        self.0.send(Message::text(text)).ok()?;
        match self.0.read() {
            Ok(answer) => {
                let text = answer.into_text().expect("a text");
                // Wall time: tests compare how long answers take.
                Some((serde_json::from_str(&text).expect("JSON"), clock::now() - began))
            }
            Err(Error::Io(_) | Error::ConnectionClosed | Error::AlreadyClosed) => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the answer after a wait of up to 30 s.
    #[track_caller]
    pub(super) fn ask(&mut self, text: &str) -> Value {
        self.0.get_ref().set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        let answer = self.poll(text);
        self.0.get_ref().set_read_timeout(Some(POLL_TIMEOUT)).expect("a timeout");
        answer.unwrap_or_else(|| panic!("no answer to {text}")).0
    }
}

/// Returns the devices as a client finds them, with its steps and its timeouts; fails if a client would give up.
#[track_caller]
pub(super) fn devices(port: u16) -> Value {
    for _ in 0..MAX_EMPTY_POLLS {
        let found =
            Discovery::connect(port, "/control").and_then(|mut discovery| discovery.poll(DEVICE_LIST));
        if let Some((answer, _)) = found {
            return accepted_devices(&answer);
        }
        // Wall time: the pause of clients.
        sleep(POLL_TIMEOUT);
    }
    panic!("{MAX_EMPTY_POLLS} polls without an answer: a client removes its nodes");
}

/// Returns the list of devices in an answer; fails if a client would shut itself down or poll again without a pause.
#[track_caller]
pub(super) fn accepted_devices(answer: &Value) -> Value {
    let version = answer["sim_version"].as_str().unwrap_or_else(|| panic!("no version in {answer}"));
    let numbers: Vec<u64> = version.split('.').map(|part| part.parse().expect("a number")).collect();
    assert!(
        numbers.len() == 3 && numbers[..] >= OLDEST_VERSION[..],
        "{version} is older than {OLDEST_VERSION:?}"
    );
    assert_eq!(answer["command"], "device_list");
    let models = answer["result"].as_object().expect("an object of models");
    assert!(!models.is_empty(), "a client polls an empty list again and again without a pause");
    for (model, kinds) in models {
        assert_name(model);
        for (kind, parts) in kinds.as_object().expect("an object of types") {
            assert!(KNOWN_TYPES.contains(&kind.as_str()), "a client does not know the type {kind}");
            for (part, ports) in parts.as_object().expect("an object of parts") {
                assert_name(part);
                for (key, port) in ports.as_object().expect("an object of ports") {
                    let port = port.as_u64().and_then(|port| u16::try_from(port).ok());
                    assert!(port.is_some_and(|port| port > 0), "{model} {kind} {part} {key}: no port");
                }
            }
        }
    }
    answer["result"].clone()
}

/// Checks that a name is valid in ROS: models become namespaces and parts become nodes.
#[track_caller]
fn assert_name(name: &str) {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_digit = |letter: char| letter.is_ascii_digit();
    assert!(
        !name.is_empty() && name.chars().all(is_letter) && !name.starts_with(is_digit),
        "`{name}` is not a valid name in ROS"
    );
}

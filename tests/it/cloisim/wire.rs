//! The sockets of a client: the options, tags and timeouts of `cloisim_ros`, on libzmq.
//!
//! A client connects, the simulator binds. A subscriber filters by tag; a requester tries five times.

use std::fmt::Debug;
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use prost::Message;
use zmq::{Context, Socket, SocketType};

use super::msgs::{Any, Param, any};

/// A client that receives nothing for this time shuts itself down.
pub(super) const SILENCE: Duration = Duration::from_secs(22);
/// How long a client waits for an answer, how often it sends a request, and the pause between attempts.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(300);

/// The result of `std::hash<std::string>` for a text, low byte first.
pub(super) fn tag(key: &str) -> [u8; 8] {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |value: u64| value ^ (value >> 47);
    let bytes = key.as_bytes();
    let mut hash = 0xc70f_6907 ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    for word in bytes.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        let number = u64::from_le_bytes(padded);
        let block =
            if word.len() == 8 { mix(number.wrapping_mul(FACTOR)).wrapping_mul(FACTOR) } else { number };
        hash = (hash ^ block).wrapping_mul(FACTOR);
    }
    mix(mix(hash).wrapping_mul(FACTOR)).to_le_bytes()
}

/// A tag and a payload in one part.
pub(super) fn frame(key: &str, payload: &[u8]) -> Vec<u8> {
    [&tag(key)[..], payload].concat()
}

/// A socket that connects as a client's do.
pub(super) fn socket(
    kind: SocketType,
    port: u16,
    prepare: impl FnOnce(&Socket) -> zmq::Result<()>,
) -> Socket {
    let socket = Context::new().socket(kind).expect("a socket");
    let options = || -> zmq::Result<()> {
        socket.set_reconnect_ivl(1000)?;
        socket.set_reconnect_ivl_max(5000)?;
        socket.set_linger(0)?;
        prepare(&socket)?;
        socket.connect(&format!("tcp://127.0.0.1:{port}"))
    };
    options().unwrap_or_else(|error| panic!("port {port}: {error}"));
    socket
}

/// Receives from one port.
pub(super) struct Subscriber {
    socket: Socket,
    key: String,
}

impl Subscriber {
    pub(super) fn on(port: u16, key: &str) -> Self {
        let socket = socket(zmq::SUB, port, |socket| {
            socket.set_rcvhwm(1000)?;
            socket.set_rcvtimeo(10)?;
            socket.set_subscribe(&tag(key))
        });
        Subscriber { socket, key: key.to_owned() }
    }

    /// Returns the next payload if one arrives within ten milliseconds.
    #[track_caller]
    pub(super) fn try_next(&self) -> Option<Vec<u8>> {
        match self.socket.recv_multipart(0) {
            Ok(parts) => {
                assert_eq!(parts.len(), 1, "{}: one part", self.key);
                assert_eq!(parts[0][..8], tag(&self.key), "{}: a message begins with its tag", self.key);
                assert!(parts[0].len() > 8, "{}: no payload is empty", self.key);
                Some(parts[0][8..].to_vec())
            }
            Err(zmq::Error::EAGAIN) => None,
            Err(error) => panic!("{}: {error}", self.key),
        }
    }

    /// Returns the next payload; waits as long as a client does.
    #[track_caller]
    pub(super) fn next_bytes(&self) -> Vec<u8> {
        let deadline = clock::now() + SILENCE;
        loop {
            if let Some(payload) = self.try_next() {
                return payload;
            }
            assert!(clock::now() < deadline, "{}: silent for {SILENCE:?}", self.key);
        }
    }

    #[track_caller]
    pub(super) fn next<M: Message + Default>(&self) -> M {
        decode(&self.next_bytes())
    }

    /// Returns the first message for which `is_it` is true.
    #[track_caller]
    pub(super) fn until<M: Message + Default + Debug>(&self, what: &str, is_it: impl Fn(&M) -> bool) -> M {
        let deadline = clock::now() + SILENCE;
        loop {
            let message: M = self.next();
            if is_it(&message) {
                return message;
            }
            assert!(clock::now() < deadline, "{}: {what}: the last message was {message:?}", self.key);
        }
    }
}

/// Sends to one port.
pub(super) struct Publisher {
    socket: Socket,
    key: String,
}

impl Publisher {
    pub(super) fn on(port: u16, key: &str) -> Self {
        Publisher { socket: socket(zmq::PUB, port, |_| Ok(())), key: key.to_owned() }
    }

    pub(super) fn send(&self, message: &impl Message) {
        self.send_bytes(&message.encode_to_vec());
    }

    pub(super) fn send_bytes(&self, payload: &[u8]) {
        self.socket.send(frame(&self.key, payload), 0).expect("sent");
    }

    /// Sends a message repeatedly until it has an effect: messages sent before the connection exists are lost.
    #[track_caller]
    pub(super) fn send_until(&self, message: &impl Message, what: &str, mut is_so: impl FnMut() -> bool) {
        let deadline = clock::now() + SILENCE;
        while !is_so() {
            assert!(clock::now() < deadline, "{}: {what}: no effect", self.key);
            self.send(message);
            sleep(Duration::from_millis(20));
        }
    }
}

/// Sends requests to one port.
pub(super) struct Requester {
    socket: Socket,
    key: String,
}

impl Requester {
    pub(super) fn on(port: u16, key: &str) -> Self {
        let timeout = i32::try_from(ANSWER_TIMEOUT.as_millis()).expect("small");
        let socket = socket(zmq::REQ, port, |socket| {
            socket.set_req_relaxed(true)?;
            socket.set_req_correlate(true)?;
            socket.set_rcvtimeo(timeout)
        });
        Requester { socket, key: key.to_owned() }
    }

    /// Makes one attempt and returns the answer and the time that it took.
    pub(super) fn try_ask(&self, request: &[u8]) -> Option<(Vec<u8>, Duration)> {
        let began = clock::now();
        self.socket.send(frame(&self.key, request), 0).expect("sent");
        let answer = self.socket.recv_bytes(0).ok()?;
        assert!(answer.len() > 8, "{}: no answer is empty", self.key);
        // Wall time: tests compare how long answers take.
        Some((answer[8..].to_vec(), clock::now() - began))
    }

    /// Returns the answer within a client's attempts.
    #[track_caller]
    pub(super) fn ask_bytes(&self, request: &[u8]) -> Vec<u8> {
        for _ in 0..ATTEMPTS {
            if let Some((answer, _)) = self.try_ask(request) {
                return answer;
            }
            // Wall time: the pause of clients.
            sleep(PAUSE);
        }
        panic!("{}: not answered in {ATTEMPTS} attempts", self.key);
    }

    /// Returns the answer to a request with this name.
    #[track_caller]
    pub(super) fn ask<M: Message + Default>(&self, name: &str) -> M {
        decode(&self.ask_bytes(&request(name, Any::default())))
    }
}

/// The bytes of a request: one parameter.
pub(super) fn request(name: &str, value: Any) -> Vec<u8> {
    Param { params: [(name.to_owned(), value)].into(), ..Param::default() }.encode_to_vec()
}

/// A text as a value.
pub(super) fn text(text: &str) -> Any {
    let value = Some(any::Value::StringValue(text.to_owned()));
    Any { header: None, r#type: any::ValueType::String.into(), value }
}

#[track_caller]
pub(super) fn decode<M: Message + Default>(payload: &[u8]) -> M {
    M::decode(payload).unwrap_or_else(|error| panic!("{error}: {payload:02x?}"))
}

#[test]
fn tags_equal_the_hashes_of_the_library_that_clients_are_built_with() {
    let vectors: [(&str, u64); 5] = [
        ("", 0x553e_9390_1e46_2a6e),
        ("abc", 0x32d8_2bf8_ed3d_ba39),
        ("abcdefgh", 0x783d_b3e3_8db8_98bb),
        ("WorldSimulationWorldClock", 0x74b7_72c3_e891_192c),
        ("cloiimu_imuData", 0xb650_6bb0_c738_0168),
    ];
    for (key, hash) in vectors {
        assert_eq!(tag(key), hash.to_le_bytes(), "{key:?}");
    }
}

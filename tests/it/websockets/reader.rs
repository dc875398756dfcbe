//! A client that receives one topic on a thread of its own, at its own pace, and notes what it gets.

use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;
use tungstenite::{Error, Message};

use super::server::{Kind, Server, Socket};

/// How often a thread looks whether it must end.
const INTERVAL: Duration = Duration::from_millis(50);

/// What a client has received.
#[derive(Clone, Debug, Default)]
pub(super) struct Received {
    /// The simulated times of the messages, in nanoseconds.
    pub(super) stamps: Vec<u64>,
    /// The losses of which it was told, as the texts say.
    pub(super) losses: Vec<u64>,
    /// Other texts than announcements and messages, such as errors.
    pub(super) others: Vec<String>,
    /// The longest time between two messages.
    pub(super) longest_wait: Duration,
    /// Why the connection ended.
    pub(super) end: Option<String>,
}

impl Received {
    /// The number of messages that are missing between the first one and the last one, for a period in nanoseconds.
    pub(super) fn missing(&self, period_ns: u64) -> u64 {
        let gaps = self.stamps.windows(2).map(|pair| (pair[1] - pair[0]) / period_ns - 1);
        gaps.sum()
    }

    /// The sum of the losses of which it was told.
    pub(super) fn lost(&self) -> u64 {
        self.losses.iter().sum()
    }

    /// Fails unless all messages have arrived in order, and nothing else.
    #[track_caller]
    pub(super) fn expect_complete(&self, period_ns: u64) {
        let is_next = |pair: &[u64]| pair[1] == pair[0] + period_ns;
        let first_gap = self.stamps.windows(2).position(|pair| !is_next(pair));
        assert_eq!(first_gap, None, "a gap in {:?}", self.stamps);
        assert!(self.losses.is_empty() && self.others.is_empty() && self.end.is_none(), "{self:?}");
    }
}

/// A running client.
pub(super) struct Reader {
    received: Arc<Mutex<Received>>,
    pace_ms: Arc<AtomicU64>,
    must_end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    /// Subscribes to a topic. The client waits for the pause after each message.
    #[track_caller]
    pub(super) fn start(server: Server, topic: &str, kind: &str, pause: Duration) -> Self {
        Self::of(server.kind, server.subscribe(topic, kind), pause)
    }

    /// Reads what the server sends over a connection with a subscription.
    #[track_caller]
    pub(super) fn of(kind: Kind, socket: Socket, pause: Duration) -> Self {
        socket.get_ref().set_read_timeout(Some(INTERVAL)).expect("an option");
        let received = Arc::new(Mutex::new(Received::default()));
        let (pace_ms, must_end) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let reader = Reader { received, pace_ms, must_end, thread: None };
        reader.set_pause(pause);
        let (received, pace_ms) = (Arc::clone(&reader.received), Arc::clone(&reader.pace_ms));
        let must_end = Arc::clone(&reader.must_end);
        let body = move || read(kind, socket, &received, &pace_ms, &must_end);
        let thread = Builder::new().spawn(body).expect("a thread");
        Reader { thread: Some(thread), ..reader }
    }

    /// Changes the pause after each message.
    pub(super) fn set_pause(&self, pause: Duration) {
        self.pace_ms.store(u64::try_from(pause.as_millis()).expect("short"), Ordering::Relaxed);
    }

    /// What it has received so far.
    pub(super) fn received(&self) -> Received {
        self.received.lock().expect("the thread has not failed").clone()
    }

    /// The number of messages so far.
    pub(super) fn count(&self) -> usize {
        self.received.lock().expect("the thread has not failed").stamps.len()
    }

    /// Ends the client.
    #[track_caller]
    pub(super) fn finish(mut self) -> Received {
        self.must_end.store(true, Ordering::Relaxed);
        let thread = self.thread.take().expect("it is running");
        thread.join().expect("the thread has not failed");
        self.received()
    }
}

fn read(
    kind: Kind,
    mut socket: Socket,
    received: &Mutex<Received>,
    pace_ms: &AtomicU64,
    must_end: &AtomicBool,
) {
    let mut last = clock::now();
    while !must_end.load(Ordering::Relaxed) {
        match socket.read() {
            Ok(message) => {
                let mut received = received.lock().expect("no failure");
                let is_message = note(kind, &message, &mut received);
                if is_message {
                    let now = clock::now();
                    received.longest_wait =
                        received.longest_wait.max(now - std::mem::replace(&mut last, now));
                }
                drop(received);
                let pause = pace_ms.load(Ordering::Relaxed);
                if is_message && pause > 0 {
                    // Wall time: tests compare how long messages are missing.
                    sleep(Duration::from_millis(pause));
                }
            }
            Err(Error::Io(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) => {
                received.lock().expect("no failure").end = Some(error.to_string());
                return;
            }
        }
    }
}

/// Notes what a frame contains; returns true if it is a message of the topic.
fn note(kind: Kind, frame: &Message, received: &mut Received) -> bool {
    match (kind, frame) {
        (Kind::Foxglove, Message::Binary(bytes)) if bytes[0] == 1 => {
            received.stamps.push(u64::from_le_bytes(bytes[5..13].try_into().expect("eight bytes")));
        }
        (Kind::Rosbridge, Message::Binary(bytes)) => received.stamps.push(raw_stamp(bytes)),
        (Kind::Host, Message::Binary(frame)) => note_poses(frame, received),
        (_, Message::Text(text)) => return note_text(text, received),
        _ => return false,
    }
    true
}

/// Notes a frame of poses: its time and its losses, at the places that `docs/http.md` states.
fn note_poses(frame: &[u8], received: &mut Received) {
    received.stamps.push(u64::from_le_bytes(frame[24..32].try_into().expect("eight bytes")));
    let lost = u32::from_le_bytes(frame[40..44].try_into().expect("four bytes"));
    received.losses.extend((lost > 0).then_some(u64::from(lost)));
}

fn note_text(text: &str, received: &mut Received) -> bool {
    let event: Value = serde_json::from_str(text).expect("JSON");
    let report = event["message"].as_str().or_else(|| event["msg"].as_str()).unwrap_or_default();
    if report.contains("messages were dropped") {
        let count = report.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        received.losses.push(count.expect("a number"));
    } else if event["op"] == "event" {
        received.losses.extend(event["lost"].as_u64());
        received.stamps.push(event["data"]["stamp_ns"].as_u64().expect("a time"));
        return true;
    } else if event["op"] == "status" || event["op"] == "error" {
        received.others.push(text.to_owned());
    }
    false
}

/// The time in a message of rosbridge with the compression `cbor-raw`.
fn raw_stamp(bytes: &[u8]) -> u64 {
    let after = |name: &[u8]| {
        let head = &bytes[..bytes.len().min(300)];
        let at = head.windows(name.len()).position(|part| part == name).expect("a member");
        cbor_number(&bytes[at + name.len()..])
    };
    after(b"\x64secs") * 1_000_000_000 + after(b"\x65nsecs")
}

/// The number at the beginning of CBOR.
fn cbor_number(bytes: &[u8]) -> u64 {
    let width = match bytes[0] {
        small @ 0..24 => return small.into(),
        head @ 0x18..=0x1b => 1 << (head - 0x18),
        other => panic!("{other:x} is no number"),
    };
    bytes[1..=width].iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

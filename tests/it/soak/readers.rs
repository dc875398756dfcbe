//! The readers that stay for the whole run, with other projects' libraries: every message of one sensor must arrive.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};

use super::published;
use crate::cloisim_peers::{CloisimPeer, Place, proto};
use crate::ros2::{Domain, Messages, Peer};
use crate::support::{Python, Served, eventually};

const TOPIC: &str = "/core/imu";
/// Time between two messages, nanoseconds.
const PERIOD: i64 = 50_000_000;

/// The stamps that a reader has received.
#[derive(Debug, Default)]
struct Stamps {
    first: Option<i64>,
    last: Option<i64>,
    received: u64,
    /// The last ones, for the message of a failure.
    recent: VecDeque<i64>,
}

/// How long the last messages may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of stamps in the message of a failure.
const RECENT: usize = 12;

impl Stamps {
    /// Adds a message: the next one, or the first one after a reset of time.
    #[track_caller]
    fn add(&mut self, reader: &str, stamp: i64) {
        let is_next = self.last.is_none_or(|last| stamp == last + PERIOD || stamp <= PERIOD);
        self.expect(is_next, reader, stamp);
    }

    /// Adds a message after which some may be missing: the host drops messages of a queue that a busy machine does not
    /// empty, and counts them. A port that was silent for a second repeats its last message, or sends one with the present
    /// time if it has none; these are not counted.
    fn add_later(&mut self, stamp: i64) {
        if stamp > 0 && stamp % PERIOD == 0 && self.last != Some(stamp) {
            self.count(stamp);
        }
    }

    #[track_caller]
    fn expect(&mut self, is_expected: bool, reader: &str, stamp: i64) {
        let Stamps { recent, received, .. } = &*self;
        assert!(is_expected, "{reader}: {stamp} ns came after {recent:?} ns; {received} messages before");
        self.count(stamp);
    }

    fn count(&mut self, stamp: i64) {
        let recent = &mut self.recent;
        if recent.len() == RECENT {
            recent.pop_front();
        }
        recent.push_back(stamp);
        self.first.get_or_insert(stamp);
        self.last = Some(stamp);
        self.received += 1;
    }
}

/// A reader over DDS and one over ZeroMQ.
pub(super) struct Readers {
    // Declared before the peer that it belongs to.
    messages: Messages,
    _cyclone: Peer,
    zmq: RefCell<CloisimPeer>,
    over_dds: Stamps,
    over_zmq: Stamps,
}

impl Readers {
    /// Starts both, before the first message is published.
    #[track_caller]
    pub(super) fn start(domain: &Domain, place: &Place, python: &Python) -> Self {
        let cyclone = Peer::start(domain).expect("a peer");
        let settings = json!({"reliable": true, "depth": 100_000});
        let messages = cyclone.subscribe(&format!("rt{TOPIC}"), "sensor_msgs/msg/Imu", settings);
        eventually("the reader knows the writer", || has_writer(&cyclone.graph()));
        let arguments = [&*place.service(), &proto(), "core", "base_imu"];
        let mut zmq = CloisimPeer::start(python, "imu.py", &arguments);
        assert_eq!(zmq.receive()["ready"], true);
        Readers {
            messages,
            _cyclone: cyclone,
            zmq: zmq.into(),
            over_dds: Stamps::default(),
            over_zmq: Stamps::default(),
        }
    }

    /// Takes what has arrived.
    #[track_caller]
    pub(super) fn drain(&mut self) {
        while let Some(message) = self.messages.next_of_now() {
            let stamp = &message["header"]["stamp"];
            let part = |name: &str| stamp[name].as_i64().unwrap_or_else(|| panic!("no {name} in {message}"));
            self.over_dds.add("Cyclone DDS", part("sec") * 1_000_000_000 + part("nanosec"));
        }
        let zmq = self.zmq.get_mut();
        zmq.send_line("report");
        for stamp in zmq.receive()["stamps"].as_array().expect("a list") {
            self.over_zmq.add_later(stamp.as_i64().expect("nanoseconds"));
        }
    }

    /// Waits in a pause until both have received everything, and returns the number of messages.
    #[track_caller]
    pub(super) fn expect_all(&mut self, host: &Served) -> u64 {
        let published = published(host, TOPIC);
        let end = clock::now() + PATIENCE;
        loop {
            self.drain();
            let (over_dds, over_zmq) = (self.over_dds.received, self.over_zmq.received);
            let (missed, dropped) = (self.missed(), dropped(host));
            if over_dds == published && over_zmq + missed + dropped == published {
                return published;
            }
            assert!(
                clock::now() < end,
                "{published} published; over DDS {over_dds}; over ZeroMQ {over_zmq}, {missed} before the first, {dropped} dropped"
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Messages before the connection of the ZeroMQ client was complete, which its library does not report.
    fn missed(&self) -> u64 {
        let before = |first: i64| u64::try_from((first - self.over_dds.first.unwrap_or(first)) / PERIOD);
        self.over_zmq.first.map_or(0, |first| before(first).expect("not before the first message"))
    }
}

/// Returns true if the peer has discovered a writer of the topic.
fn has_writer(graph: &Value) -> bool {
    graph["endpoints"].to_string().contains(&format!("rt{TOPIC}"))
}

/// Returns the number of messages that the host dropped or lost on the way to the ZeroMQ client.
#[track_caller]
fn dropped(host: &Served) -> u64 {
    let response = host.ok("get_bridges", json!({}));
    let mut bridges = response["bridges"].as_array().expect("a list").iter();
    let bridge = bridges.find(|bridge| bridge["label"] == "core/cloisim").expect("the bridge");
    let count = |name: &str| bridge[name].as_u64().unwrap_or_else(|| panic!("no {name} in {bridge}"));
    count("dropped") + count("lost")
}

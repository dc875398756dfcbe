//! What tests ask of a peer, whatever stack of DDS it is made of.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use serde_json::{Value, json};

use super::{FastDds, Peer};

/// Longer than peers wait by themselves for what the host takes long for.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);

/// An answer that is on its way.
pub(crate) struct Pending(pub(super) Receiver<Value>);

impl Pending {
    /// Waits for the response; an error is the peer's word on why there is none.
    #[track_caller]
    pub(crate) fn wait(self) -> Result<Value, String> {
        match self.0.recv_timeout(PATIENCE) {
            Ok(mut line) if line.get("response").is_some() => Ok(line["response"].take()),
            Ok(line) => Err(line["error"].as_str().unwrap_or_else(|| panic!("no answer: {line}")).to_owned()),
            Err(_) => Err("the peer is gone".to_owned()),
        }
    }
}

/// Messages of a topic, as they come.
pub(crate) struct Heard(pub(super) Receiver<Value>);

impl Heard {
    /// The next message.
    #[track_caller]
    pub(crate) fn next(&self) -> Value {
        self.0.recv_timeout(PATIENCE).expect("a message")
    }

    /// The next message, where there is one already.
    pub(crate) fn next_of_now(&self) -> Option<Value> {
        self.0.try_recv().ok()
    }
}

/// A peer that can do what clients of ROS do.
pub(crate) trait Stack: Sync {
    /// A word for it, which is in the names of what it spawns.
    fn name(&self) -> &'static str;

    /// Sends a request, without waiting for the response.
    #[track_caller]
    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending;

    /// Sends bytes in the place of a request.
    #[track_caller]
    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending;

    /// Subscribes to a topic, `rt/` and all, reliably. `is_late` is for who wants what was said before.
    #[track_caller]
    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Heard;

    /// How it writes a message of this type: CDR in hexadecimal, without the four bytes that say so.
    #[track_caller]
    fn body(&self, ros_type: &str, message: &Value) -> String;

    /// The response of a service.
    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let response = self.ask(service, ros_type, request).wait();
        response.unwrap_or_else(|error| panic!("{}: {service} {request}: {error}", self.name()))
    }
}

impl Stack for Peer {
    fn name(&self) -> &'static str {
        "cyclone"
    }

    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.ask(service, ros_type, request)
    }

    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.ask_bytes(service, ros_type, body)
    }

    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Heard {
        self.subscribe(topic, ros_type, json!({"transient_local": is_late, "depth": 100}))
    }

    fn body(&self, ros_type: &str, message: &Value) -> String {
        let written = self.tell("encode", json!({"type": ros_type, "message": message})).wait();
        let written = written.unwrap_or_else(|error| panic!("{ros_type} {message}: {error}"));
        let cdr = written["cdr"].as_str().expect("hexadecimal");
        cdr.strip_prefix("00010000").expect("little endian").to_owned()
    }
}

impl Stack for FastDds {
    fn name(&self) -> &'static str {
        "fast"
    }

    fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.ask(service, ros_type, request)
    }

    fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.ask_bytes(service, ros_type, body)
    }

    fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Heard {
        self.subscribe(topic, ros_type, is_late)
    }

    fn body(&self, ros_type: &str, message: &Value) -> String {
        self.body(ros_type, message)
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
